// Builds one student's plan from the student's facts.

import type { Catalogue, Roles } from '#rules/catalogue/engine/index.ts';
import type { ItemBank } from '../../../content/engine/index.ts';
import type { Form } from '../../../measurement/engine/index.ts';
import { diagnosticPart, type Measure, oralReading, type SelectionLimits } from './measures.ts';
import { type Halt, haltNeed, type NeedLimits, roleNeeds } from './needs.ts';
import { type Plan, planMeasuring } from './plan.ts';

export interface StudentFacts {
  /** Grade of the class today; null without a class. */
  readonly grade: number | null;
  readonly halts: readonly Halt[];
  readonly decidedDomains: ReadonlySet<string>;
  /** Items that the student has seen lately. */
  readonly seenItemIds: ReadonlySet<string>;
}

export interface PlanRules {
  readonly catalogue: Catalogue;
  readonly roles: Roles;
  readonly bank: ItemBank;
  readonly needLimits: NeedLimits;
  readonly selectionLimits: SelectionLimits;
  /** Returns the parts of the grade's diagnostic, in order. */
  formsOf(grade: number): readonly Form[];
}

/** Returns the plan. A student without a class has no diagnostic, so only an oral reading can be planned. */
export function planFor(facts: StudentFacts, rules: PlanRules): Plan {
  const { subSkills } = rules.catalogue;
  const forms = facts.grade === null ? [] : rules.formsOf(facts.grade);
  const inForms = new Set(forms.flatMap((form) => form.subSkills));
  const needs = [
    ...facts.halts.map((halt) => haltNeed(halt, rules.needLimits)),
    ...roleNeeds(
      {
        required: rules.roles.roles.filter(
          ({ requiredGrades }) => facts.grade !== null && requiredGrades.has(facts.grade),
        ),
        parts: forms.map((form) => form.subSkills),
        coveredHalts: facts.halts.map(({ subSkillCode }) => subSkillCode).filter((code) => inForms.has(code)),
        decidedDomains: facts.decidedDomains,
      },
      subSkills,
      rules.needLimits,
    ),
  ];
  const catalogueOrder = subSkills.map(({ code }) => code);
  return planMeasuring(needs, measuresOf(forms, facts.seenItemIds, rules), catalogueOrder);
}

function measuresOf(forms: readonly Form[], seen: ReadonlySet<string>, rules: PlanRules): Measure[] {
  const { bank, selectionLimits, catalogue } = rules;
  const readAloud = catalogue.subSkills.filter(({ measuredByOrf }) => measuredByOrf).map(({ code }) => code);
  return [...forms.map((form) => diagnosticPart(form, bank, seen, selectionLimits)), oralReading(readAloud)];
}
