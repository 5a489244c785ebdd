// Flattens an evaluation into the answers of each layer, so that two evaluations can be compared answer by answer.
import type { StudentEvaluation } from './evaluate.ts';
import type { EvaluatedSubSkill } from './skills/status.ts';

/** In the order of the pipeline; after a status its confidence and strength. */
export const layerNames = [
  'ADR',
  'CIS',
  'PAC',
  'SSR',
  'CONFIDENCE',
  'STRENGTH',
  'DDR',
  'DDR_LC',
  'DSM',
  'TILE',
] as const;
export type LayerName = (typeof layerNames)[number];

/** The code of the overall picture in rows. */
const overallTile = 'GLOBAL';

export interface LayerAnswer {
  /** `sessionId/itemId` of a response, or the code of a sub-skill, domain or tile; unique in its layer. */
  readonly subject: string;
  /** Null without a table: tiles are rolled up, confidence and strength follow from counts. */
  readonly ruleId: string | null;
  readonly outcome: string;
}

export type LayerAnswers = Readonly<Record<LayerName, readonly LayerAnswer[]>>;

/**
 * Returns the answers of subjects that the layer evaluated: sub-skills that were evaluated, domains and tiles in scope,
 * comprehension where it is weak. DSM answers include escalation; without a status, the outcome of the domain or
 * sub-skill is used. `subjects`: the names of responses, when already known.
 */
export function layerAnswers(
  { coded, subSkills, domains, comprehension, tiles, global }: StudentEvaluation,
  subjects: readonly string[] = subjectsOf(coded.map(({ response }) => response)),
): LayerAnswers {
  const evaluated = subSkills.filter((one): one is EvaluatedSubSkill => one.outcome !== 'not_assessed');
  const decided = evaluated.filter((one) => one.outcome === 'decided');
  const inScope = domains.filter(({ outcome }) => outcome !== 'not_in_scope');
  return {
    ADR: coded.map(({ ruleId, code }, at) => answer(subjects[at] ?? '', ruleId, code)),
    CIS: evaluated.map(({ subSkill: { code }, confirmation: { cisRuleId, facts } }) =>
      answer(code, cisRuleId, facts.conflictState),
    ),
    PAC: evaluated.map(({ subSkill: { code }, confirmation: { pac } }) => answer(code, pac.pacRuleId, pac.pacDecision)),
    SSR: evaluated.map((one) =>
      answer(one.subSkill.code, one.ssrRuleId, one.outcome === 'decided' ? one.status : one.outcome),
    ),
    CONFIDENCE: decided.map((one) => answer(one.subSkill.code, null, one.confidence)),
    STRENGTH: decided.map((one) => answer(one.subSkill.code, null, one.decisionStrength)),
    DDR: inScope.map((one) =>
      answer(one.domain.code, one.ruleId, one.outcome === 'decided' ? one.status : one.outcome),
    ),
    DDR_LC: comprehension.ruleId === null ? [] : [answer('RC', comprehension.ruleId, String(comprehension.pattern))],
    DSM: inScope.flatMap((one) =>
      one.outcome === 'decided' ? [answer(one.domain.code, one.tile.dsmRuleId, one.tile.value)] : [],
    ),
    TILE: [
      ...tiles.filter(({ applicable }) => applicable).map(({ tile, status }) => answer(tile.code, null, status)),
      answer(overallTile, null, global.status),
    ],
  };
}

const answer = (subject: string, ruleId: string | null, outcome: string): LayerAnswer => ({ subject, ruleId, outcome });

/** Returns the names of responses. An item that was served twice in a session gets its number appended: `…~2`. */
export function subjectsOf(
  responses: readonly { readonly sessionId: string; readonly itemId: string }[],
): readonly string[] {
  const seen = new Map<string, number>();
  return responses.map(({ sessionId, itemId }) => {
    const ref = `${sessionId}/${itemId}`;
    const turn = (seen.get(ref) ?? 0) + 1;
    seen.set(ref, turn);
    return turn === 1 ? ref : `${ref}~${turn}`;
  });
}
