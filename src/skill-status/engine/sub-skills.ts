// Every sub-skill in scope of one student: who is in scope, who is evaluated, and what they mean to each other.
import type { Catalogue, SubSkill } from './catalogue.ts';
import { type Confirmation, type ConfirmationLayer, isCoreWeak } from './confirmation.ts';
import type { SubSkillEvidence } from './gather.ts';
import type { StatusLayer, SubSkillEvaluation } from './status.ts';
import type { Thresholds } from './thresholds.ts';

export interface SubSkillRules {
  readonly catalogue: Catalogue;
  readonly thresholds: Thresholds;
  readonly confirm: ConfirmationLayer;
  readonly statusOf: StatusLayer;
}

export interface StudentSituation {
  readonly grade: number;
  readonly contextReview: boolean;
}

/** In catalogue order, those in scope only: the grade's own, and any other with enough distinct scored items. */
export function evaluateSubSkills(
  bySubSkill: readonly (SubSkillEvidence | undefined)[],
  { grade, contextReview }: StudentSituation,
  rules: SubSkillRules,
): SubSkillEvaluation[] {
  const { subSkills } = rules.catalogue;
  const confirmations = bySubSkill.map((evidence) => evidence?.tried && confirmInScope(evidence, grade, rules));
  const weak = weaknesses(confirmations, rules.catalogue);
  const evaluations: SubSkillEvaluation[] = [];
  for (const subSkill of subSkills) {
    const confirmation = confirmations[subSkill.index];
    if (confirmation) {
      evaluations.push(rules.statusOf(confirmation, { contextReview, ...weak.around(subSkill) }));
    } else if (subSkill.grades.includes(grade)) {
      evaluations.push({ subSkill, outcome: 'not_assessed', pacReason: null });
    }
  }
  return evaluations;
}

function confirmInScope(evidence: SubSkillEvidence, grade: number, rules: SubSkillRules): Confirmation | undefined {
  const ofGrade = evidence.subSkill.grades.includes(grade);
  if (!ofGrade && evidence.units.length < rules.thresholds.minimumItems) return undefined;
  const confirmation = rules.confirm(evidence);
  return ofGrade || confirmation.facts.distinctItems >= rules.thresholds.minimumItems ? confirmation : undefined;
}

type MaybeConfirmation = Confirmation | undefined | false;

function weaknesses(confirmations: readonly MaybeConfirmation[], catalogue: Catalogue) {
  const isWeakAt = catalogue.subSkills.map(({ index }) => {
    const confirmation = confirmations[index];
    return confirmation ? isCoreWeak(confirmation) : false;
  });
  const weakInDomain = catalogue.domains.map(
    (domain) => domain.subSkills.filter((subSkill) => isWeakAt[subSkill.index]).length,
  );
  const coreWeakDomains = weakInDomain.filter((count) => count > 0).length;
  return {
    around: (subSkill: SubSkill) => ({
      coreWeakDomains,
      prereqConfirmedWeak: subSkill.prerequisiteIndexes.some((index) => isWeakAt[index]),
      domainPeersWeak: (weakInDomain[subSkill.domainIndex] ?? 0) > (isWeakAt[subSkill.index] ? 1 : 0),
    }),
  };
}
