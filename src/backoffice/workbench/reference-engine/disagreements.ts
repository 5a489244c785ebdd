// Finds facts for which the compiled tables and the stock engine of json-rules-engine return different answers.

import { type ComparedAnswer, comparedAnswers, type ParsedRun } from '#assessment/skill-status/index.ts';
import type { Db, Trx } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { ActiveRules, Decision, Facts } from '#rules/rulesets/index.ts';

export interface Disagreement {
  /** `ssr/ssr@1` */
  readonly documentId: string;
  readonly facts: Facts;
  /** Rule ids: one for a first-hit table, all that hold for a collect table. */
  readonly fast: readonly string[];
  readonly reference: readonly string[];
}

/** Puts every question of the evaluation of these runs to the reference engine, each once. */
export async function disagreementsIn(
  db: Db | Trx,
  rules: ActiveRules,
  runs: readonly ParsedRun[],
): Promise<Disagreement[]> {
  if (runs.length === 0) return [];
  return (await comparedAnswers(db, rules, runs)).flatMap((answer) => disagreement(answer) ?? []);
}

/** Returns undefined when both return the same rules, outcomes and parameters. */
export function disagreement({ table, facts, fast, reference: all }: ComparedAnswer): Disagreement | undefined {
  const reference = table.isFirstHit ? all.slice(0, 1) : all;
  if (canonicalJson(fast.map(comparedPart)) === canonicalJson(reference.map(comparedPart))) return undefined;
  return { documentId: table.id, facts, fast: fast.map(ruleOf), reference: reference.map(ruleOf) };
}

const ruleOf = ({ ruleId }: Decision): string => ruleId;
const comparedPart = ({ ruleId, outcome, params }: Decision) => ({ ruleId, outcome, params });
