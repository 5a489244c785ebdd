// Where the compiled tables and the stock engine of json-rules-engine answer the same question differently.
import type { Trx } from '../../platform/db.ts';
import { canonicalJson } from '../../platform/pure/canonical-json.ts';
import type { ActiveRules } from '../../rulesets/active.ts';
import { askOracle, type Decision, type Facts, type Table } from '../../rulesets/index.ts';
import { type MadeDecision, madeDecisions, type NumberedRun } from '../../skill-status/index.ts';

export interface Disagreement {
  /** `ssr/ssr@1` */
  readonly documentId: string;
  readonly facts: Facts;
  /** Rule ids: of a first-hit table one, of a collect table all that hold. */
  readonly fast: readonly string[];
  readonly oracle: readonly string[];
}

/** Asks the oracle everything that the evaluation of these runs asks; each question once. */
export async function disagreementsIn(
  trx: Trx,
  rules: ActiveRules,
  runs: readonly NumberedRun[],
): Promise<Disagreement[]> {
  const found: Disagreement[] = [];
  for (const made of runs.length === 0 ? [] : await madeDecisions(trx, rules, runs)) {
    const disagreement = await compared(made);
    if (disagreement) found.push(disagreement);
  }
  return found;
}

/** Undefined when both say the same: rule, outcome and parameters. */
export async function compared({ table, facts, hits }: MadeDecision): Promise<Disagreement | undefined> {
  const oracle = await oracleHits(table, facts);
  if (canonicalJson(hits.map(said)) === canonicalJson(oracle.map(said))) return undefined;
  return { documentId: table.id, facts, fast: hits.map(ruleOf), oracle: oracle.map(ruleOf) };
}

async function oracleHits({ document, isFirstHit }: Table, facts: Facts): Promise<readonly Decision[]> {
  const hits = await askOracle(document, facts);
  return isFirstHit ? hits.slice(0, 1) : hits;
}

const ruleOf = ({ ruleId }: Decision): string => ruleId;
const said = ({ ruleId, outcome, params }: Decision) => ({ ruleId, outcome, params });
