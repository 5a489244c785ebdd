// The evaluation in the shape of the golden cases, for the command-line runner, comparisons across versions and the hash
// of a result.
import { canonicalJson } from '../../platform/pure/canonical-json.ts';
import type { DomainEvaluation } from './domains/status.ts';
import type { StudentEvaluation } from './evaluate.ts';
import type { EvaluatedSubSkill, SubSkillEvaluation } from './skills/status.ts';

/** Plain JSON with exactly the keys of the golden cases. */
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

/**
 * Canonical text of `toGoldenOutput`. Responses are most of its members and share a dozen texts, so each of those is made
 * once.
 */
export function goldenText(caseId: string, evaluation: StudentEvaluation): string {
  const { finalStatusCodes: _none, ...members } = toGoldenOutput(caseId, { ...evaluation, coded: [] });
  const { global, nextRecommendedDataAction, outcome, subSkills, tiles, ...before } = members;
  const after = { global, nextRecommendedDataAction, outcome, subSkills, tiles };
  const codes = `"finalStatusCodes":[${codeTexts(evaluation.coded)}]`;
  return `${canonicalJson(before).slice(0, -1)},${codes},${canonicalJson(after).slice(1)}`;
}

function codeTexts(coded: StudentEvaluation['coded']): string {
  const known = new Map<string, { readonly code: string; readonly text: string }>();
  let texts = '';
  for (const { ruleId, code } of coded) {
    let one = known.get(ruleId);
    if (one?.code !== code) {
      one = { code, text: canonicalJson({ code, ruleId }) };
      known.set(ruleId, one);
    }
    texts += texts === '' ? one.text : `,${one.text}`;
  }
  return texts;
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
