// Canonical text of an evaluation, which is hashed for every run and replay. It is written out key by key, because
// creating objects only for serialization took most of the time.
import { canonicalJson as json } from '#core/platform/pure/canonical-json.ts';
import type { DomainEvaluation } from './domains/status.ts';
import type { TileEvaluation } from './domains/tiles.ts';
import type { StudentEvaluation } from './evaluate.ts';
import type { SubSkillFacts } from './skills/confirmation.ts';
import type { EvaluatedSubSkill, SubSkillEvaluation } from './skills/status.ts';

/** Returns the text of `canonicalJson(toGoldenOutput(caseId, evaluation))`. */
export function goldenOutputText(caseId: string, evaluation: StudentEvaluation): string {
  const { coded, comprehension, domains, global, nextRecommendedDataAction, outcome, subSkills, tiles } = evaluation;
  const evaluated = subSkills.filter(isEvaluated);
  return (
    `{"caseId":${json(caseId)},"comprehension":${json(comprehension)},` +
    `"domains":${byCode(domains, ({ domain }) => domain.code, domainText)},` +
    `"finalStatusCodes":[${codeTexts(coded)}],"global":${json(global)},` +
    `"nextRecommendedDataAction":${json(nextRecommendedDataAction)},"outcome":${json(outcome)},` +
    `"subSkills":${byCode(evaluated, ({ subSkill }) => subSkill.code, subSkillText)},` +
    `"tiles":${byCode(tiles, ({ tile }) => tile.code, tileText)}}`
  );
}

/** Returns the text of an object with one member per code, sorted by code. */
function byCode<One>(list: readonly One[], codeOf: (one: One) => string, textOf: (one: One) => string): string {
  const members = list.map((one) => ({ code: codeOf(one), one })).sort(inOrder);
  let text = '';
  for (const { code, one } of members) text += `${text === '' ? '' : ','}${json(code)}:${textOf(one)}`;
  return `{${text}}`;
}

const inOrder = (left: { readonly code: string }, right: { readonly code: string }): number =>
  left.code < right.code ? -1 : 1;

/** Responses are most of the output and share a dozen texts, each of which is created once. */
function codeTexts(coded: StudentEvaluation['coded']): string {
  const known = new Map<string, { readonly code: string; readonly text: string }>();
  let texts = '';
  for (const { ruleId, code } of coded) {
    let one = known.get(ruleId);
    if (one?.code !== code) {
      one = { code, text: `{"code":${json(code)},"ruleId":${json(ruleId)}}` };
      known.set(ruleId, one);
    }
    texts += texts === '' ? one.text : `,${one.text}`;
  }
  return texts;
}

const isEvaluated = (one: SubSkillEvaluation): one is EvaluatedSubSkill => one.outcome !== 'not_assessed';

function subSkillText(one: EvaluatedSubSkill): string {
  const { confirmation, ssrRuleId, pacDecision, pacReason, outcome, modifiers } = one;
  const decided = one.outcome === 'decided' ? one : null;
  const halted = one.outcome === 'do_not_decide_yet' ? one : null;
  return (
    `{"confidence":${json(decided?.confidence ?? null)},"decision_strength":${json(decided?.decisionStrength ?? null)},` +
    `"facts":${factsText(confirmation.facts)},${halted ? `"itemsNeeded":${json(halted.itemsNeeded)},` : ''}` +
    `"modifiers":${json(modifiers)},` +
    `${halted ? `"nextRecommendedDataAction":${json(halted.nextRecommendedDataAction)},` : ''}` +
    `"outcome":${json(outcome)},"pacDecision":${json(pacDecision)},"pacReason":${json(pacReason)},` +
    `"rules":{"cis":${json(confirmation.cisRuleId)},"pac":${json(confirmation.pac.pacRuleId)},"ssr":${json(ssrRuleId)}},` +
    `"status":${json(decided?.status ?? null)}}`
  );
}

const factsText = (facts: SubSkillFacts): string =>
  `{"behaviourCaution":${facts.behaviourCaution},"conflictState":${json(facts.conflictState)},` +
  `"deficitBand":${json(facts.deficitBand)},"distinctItems":${json(facts.distinctItems)},` +
  `"patternState":${json(facts.patternState)},"prereqDominant":${facts.prereqDominant},` +
  `"rawRate":${json(facts.rawRate)},"sessionCount":${json(facts.sessionCount)},` +
  `"slowDominant":${facts.slowDominant},"supportDominant":${facts.supportDominant}}`;

function domainText(one: DomainEvaluation): string {
  const { ruleId, outcome, figures } = one;
  const decided = one.outcome === 'decided' ? one : null;
  const halted = one.outcome === 'do_not_decide_yet' ? one : null;
  const tile = decided?.tile ?? null;
  return (
    `{"baseTile":${json(tile?.base ?? null)},"coverageOk":${figures.coverageOk},"decided":${json(figures.decided)},` +
    `"dsmRuleId":${json(tile?.dsmRuleId ?? null)},"gatewaySeverity":${json(figures.gatewaySeverity)},` +
    `"inScope":${json(figures.inScope)},"modifiers":${json(decided?.modifiers ?? [])},` +
    `${halted ? `"nextRecommendedDataAction":${json(halted.nextRecommendedDataAction)},` : ''}` +
    `"outcome":${json(outcome)},"rawWeightedDeficitRate":${json(figures.rawWeightedDeficitRate)},` +
    `"ruleId":${json(ruleId)},"severePath":${json(tile?.severePath ?? null)},` +
    `"status":${json(decided?.status ?? null)},"tileValue":${json(tile?.value ?? null)},` +
    `"validEvidence":${figures.validEvidence}}`
  );
}

const tileText = ({ applicable, severePath, status }: TileEvaluation): string =>
  `{"applicable":${applicable},"severePath":${json(severePath)},"status":${json(status)}}`;
