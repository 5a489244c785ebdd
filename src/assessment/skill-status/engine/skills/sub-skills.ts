// Evaluates every sub-skill in scope of one student in the context of the others.
import type { Catalogue, SubSkill } from '#rules/catalogue/engine/index.ts';
import type { Thresholds } from '../../../measurement/engine/index.ts';
import type { SubSkillEvidence } from '../evidence/gather.ts';
import { type Confirmation, type ConfirmationLayer, isCoreWeak } from './confirmation.ts';
import type { StatusLayer, SubSkillContext, SubSkillEvaluation } from './status.ts';

export interface SubSkillRules {
  readonly catalogue: Catalogue;
  readonly thresholds: Thresholds;
  readonly confirm: ConfirmationLayer;
  readonly statusOf: StatusLayer;
}

export interface StudentContext {
  readonly grade: number;
  readonly contextReview: boolean;
}

/**
 * Returns the sub-skills in scope, in catalogue order: the grade's own, and others with enough distinct scored items.
 */
export function evaluateSubSkills(
  bySubSkill: readonly (SubSkillEvidence | undefined)[],
  { grade, contextReview }: StudentContext,
  rules: SubSkillRules,
): SubSkillEvaluation[] {
  const { subSkills } = rules.catalogue;
  const confirmations = bySubSkill.map((evidence) => evidence?.tried && confirmInScope(evidence, grade, rules));
  const context = contextOf(confirmations, contextReview, rules.catalogue);
  const evaluations: SubSkillEvaluation[] = [];
  for (const subSkill of subSkills) {
    const confirmation = confirmations[subSkill.index];
    if (confirmation) {
      evaluations.push(rules.statusOf(confirmation, context(subSkill)));
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

/** Returns the context that the confirmed weaknesses of a student form for one sub-skill. */
function contextOf(
  confirmations: readonly MaybeConfirmation[],
  contextReview: boolean,
  { subSkills, domains }: Catalogue,
): (subSkill: SubSkill) => SubSkillContext {
  const isWeakAt = subSkills.map(({ index }) => {
    const confirmation = confirmations[index];
    return confirmation ? isCoreWeak(confirmation) : false;
  });
  const weakInDomain = domains.map(() => 0);
  for (const { index, domainIndex } of subSkills) {
    if (isWeakAt[index]) weakInDomain[domainIndex] = (weakInDomain[domainIndex] ?? 0) + 1;
  }
  const coreWeakDomains = weakInDomain.filter((count) => count > 0).length;
  return ({ index, domainIndex, prerequisiteIndexes }) => ({
    contextReview,
    coreWeakDomains,
    prereqConfirmedWeak: prerequisiteIndexes.some((at) => isWeakAt[at]),
    domainPeersWeak: (weakInDomain[domainIndex] ?? 0) > (isWeakAt[index] ? 1 : 0),
  });
}
