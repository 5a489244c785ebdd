// Every sub-skill in scope of one student: who is in scope, who is evaluated, and what they mean to each other.
import type { Catalogue, SubSkill } from '#rules/catalogue/engine/index.ts';
import type { Thresholds } from '../../../measurement/engine/index.ts';
import type { SubSkillEvidence } from '../evidence/gather.ts';
import { type Confirmation, type ConfirmationLayer, isCoreWeak } from './confirmation.ts';
import type { StatusLayer, SubSkillEvaluation, Surroundings } from './status.ts';

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
  const surroundings = surroundingsOf(confirmations, contextReview, rules.catalogue);
  const evaluations: SubSkillEvaluation[] = [];
  for (const subSkill of subSkills) {
    const confirmation = confirmations[subSkill.index];
    if (confirmation) {
      evaluations.push(rules.statusOf(confirmation, surroundings(subSkill)));
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

/** What the confirmed weaknesses of a student mean to each of his sub-skills. */
function surroundingsOf(
  confirmations: readonly MaybeConfirmation[],
  contextReview: boolean,
  { subSkills, domains }: Catalogue,
): (subSkill: SubSkill) => Surroundings {
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
