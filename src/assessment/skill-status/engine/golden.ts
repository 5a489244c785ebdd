// Converts an evaluation to the format of the golden cases, for the command line and for comparing versions. Result
// hashes use its canonical text (`golden-text.ts`).
import type { DomainEvaluation } from './domains/status.ts';
import type { StudentEvaluation } from './evaluate.ts';
import type { EvaluatedSubSkill, SubSkillEvaluation } from './skills/status.ts';

/** Returns plain JSON with exactly the keys of the golden cases. */
export function toGoldenOutput(caseId: string, evaluation: StudentEvaluation) {
  const { outcome, nextRecommendedDataAction, comprehension, global } = evaluation;
  return {
    caseId,
    outcome,
    nextRecommendedDataAction,
    finalStatusCodes: evaluation.coded.map(({ ruleId, code }) => ({ ruleId, code })),
    subSkills: byCode(evaluation.subSkills.filter(isEvaluated), (one) => [one.subSkill.code, subSkillOutput(one)]),
    domains: byCode(evaluation.domains, (one) => [one.domain.code, domainOutput(one)]),
    comprehension,
    tiles: byCode(evaluation.tiles, ({ tile, status, applicable, severePath }) => [
      tile.code,
      { status, applicable, severePath },
    ]),
    global,
  };
}

const byCode = <T, V>(list: readonly T[], entry: (one: T) => [string, V]): Record<string, V> =>
  Object.fromEntries(list.map(entry));

const isEvaluated = (one: SubSkillEvaluation): one is EvaluatedSubSkill => one.outcome !== 'not_assessed';

function subSkillOutput(one: EvaluatedSubSkill) {
  const { confirmation, ssrRuleId, pacDecision, pacReason, outcome, modifiers } = one;
  const decided = one.outcome === 'decided' ? one : null;
  return {
    facts: confirmation.facts,
    rules: { cis: confirmation.cisRuleId, pac: confirmation.pac.pacRuleId, ssr: ssrRuleId },
    pacDecision,
    pacReason,
    outcome,
    status: decided?.status ?? null,
    confidence: decided?.confidence ?? null,
    decision_strength: decided?.decisionStrength ?? null,
    modifiers,
    ...(one.outcome === 'do_not_decide_yet' && {
      nextRecommendedDataAction: one.nextRecommendedDataAction,
      itemsNeeded: one.itemsNeeded,
    }),
  };
}

function domainOutput(one: DomainEvaluation) {
  const { ruleId, outcome, figures } = one;
  const tile = one.outcome === 'decided' ? one.tile : null;
  return {
    ruleId,
    outcome,
    status: one.outcome === 'decided' ? one.status : null,
    inScope: figures.inScope,
    decided: figures.decided,
    coverageOk: figures.coverageOk,
    rawWeightedDeficitRate: figures.rawWeightedDeficitRate,
    gatewaySeverity: figures.gatewaySeverity,
    validEvidence: figures.validEvidence,
    dsmRuleId: tile?.dsmRuleId ?? null,
    baseTile: tile?.base ?? null,
    tileValue: tile?.value ?? null,
    severePath: tile?.severePath ?? null,
    modifiers: one.outcome === 'decided' ? one.modifiers : [],
    ...(one.outcome === 'do_not_decide_yet' && { nextRecommendedDataAction: one.nextRecommendedDataAction }),
  };
}
