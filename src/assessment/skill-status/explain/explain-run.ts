// Explains tiles and whole runs.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { decisionOf } from '#rules/rulesets/index.ts';
import type { DomainEvaluation } from '../engine/domains/status.ts';
import { resultHash } from '../evaluate-run.ts';
import { isEvaluated, runTilesOf } from '../results/rows.ts';
import { globalTile } from '../results/tables.ts';
import { nearestTileChange } from './nearest.ts';
import { noFlip } from './nearest-answers.ts';
import { domainNodes, tileNodes, tileStamp } from './nodes.ts';
import { runResult, tileResult } from './results.ts';
import { type RunTrace, runFrameOf, runTraceOf } from './run-trace.ts';
import type { ExplainedResult } from './schemas.ts';
import { runSentence, tileSentence } from './sentences.ts';

/** Returns undefined for a run that is not visible or has no such tile. */
export async function explainTile(
  reading: ReadTransaction,
  services: Services,
  runId: string,
  tileCode: string,
): Promise<ExplainedResult | undefined> {
  const trace = await runTraceOf(reading, services, runId);
  const row = trace?.tileRows.get(tileCode);
  if (!trace || !row) return undefined;
  const decisions = tileDecisions(trace, domainsOf(trace, tileCode));
  const again = runTilesOf(trace.evaluation).find((one) => one.tileCode === tileCode);
  const tile = trace.evaluation.tiles.find((one) => one.tile.code === tileCode)?.tile;
  return {
    stampId: tileStamp(trace, tileCode),
    kind: 'tile',
    ...runFrameOf(trace),
    result: tileResult(row),
    decisions,
    matchesStored: again !== undefined && canonicalJson(again) === canonicalJson(row),
    sentence: tileSentence(trace, { ...row, tile: { code: tileCode } }),
    nearestChange: nearestTileChange(trace, tileCode, decisions),
    answerFlip: noFlip,
    from: tile ? domainNodes(trace, tile) : tileNodes(trace),
    alongside: [],
    questions: trace.questions.byKey,
  };
}

/** Returns the domains of the tile; for the overall picture all domains. */
function domainsOf({ evaluation }: RunTrace, tileCode: string): readonly DomainEvaluation[] {
  return tileCode === globalTile
    ? evaluation.domains
    : evaluation.domains.filter(({ domain }) => domain.tile === tileCode);
}

/** Returns the decisions behind each domain's tile value: DSM and the escalation paths. */
const tileDecisions = ({ ofDomain }: RunTrace, domains: readonly DomainEvaluation[]) =>
  domains.flatMap(({ domain: { code } }) =>
    (ofDomain.get(code) ?? []).filter(({ table }) => table.name !== 'ddr/ddr').map((call) => decisionOf(call, code)),
  );

/**
 * Returns undefined for a run that is not visible. A run has no question of its own: its decisions are those of the
 * tree.
 */
export async function explainRun(
  reading: ReadTransaction,
  services: Services,
  runId: string,
): Promise<ExplainedResult | undefined> {
  const trace = await runTraceOf(reading, services, runId);
  if (!trace) return undefined;
  const global = trace.tileRows.get(globalTile);
  return {
    stampId: `run:${runId}`,
    kind: 'run',
    ...runFrameOf(trace),
    result: runResult(trace.run, global?.status ?? 'Not_Assessed'),
    decisions: [],
    matchesStored: isSame(trace),
    sentence: runSentence(trace, global?.status ?? 'Not_Assessed'),
    nearestChange: null,
    answerFlip: noFlip,
    from: tileNodes(trace),
    alongside: [],
    questions: trace.questions.byKey,
  };
}

function isSame({ run, evaluation, tileRows: tiles }: RunTrace): boolean {
  const { outcome, halted, nextRecommendedDataAction, global } = evaluation;
  const evaluated = evaluation.subSkills.filter(isEvaluated).map(({ subSkill }) => subSkill.code);
  return (
    resultHash(run.id, evaluation) === run.resultHash &&
    canonicalJson([outcome, halted, nextRecommendedDataAction, evaluated, global.status]) ===
      canonicalJson([
        run.outcome,
        run.halted,
        run.nextDataAction,
        run.evaluatedSubSkills,
        tiles.get(globalTile)?.status,
      ])
  );
}
