// Tables that were found to disagree with the oracle are answered by the oracle, until they agree again. The engine is
// synchronous and the oracle is not: work is tried, what it asked is put to the oracle, and the work is done again.
import type { Trx } from '../platform/db.ts';
import { canonicalJson } from '../platform/pure/canonical-json.ts';
import { askOracle, type Decision, type Facts, type Observe, type RuleBundle, type Table } from '../rulesets/index.ts';
import { compilePipeline, type Pipeline } from './engine/evaluate.ts';
import { pipelineOf } from './pipelines.ts';
import { isUnfit } from './unfit.ts';

/**
 * Does the work with the rules of a bundle: those of its documents that are pinned today are answered by the oracle. The
 * work may be done several times, with provisional answers before the last one, and so must not write.
 */
export async function withPins<T>(
  trx: Trx,
  bundle: RuleBundle,
  work: (pipeline: Pipeline, isPinned: boolean) => Promise<T>,
): Promise<T> {
  const pinned = await oraclePins(trx);
  const isPinned = Object.entries(bundle.versions).some(([name, version]) => pinned.has(`${name}@${version}`));
  if (!isPinned) return work(pipelineOf(bundle), false);
  return withOracle(bundle, pinned, (pipeline) => work(pipeline, true));
}

/** Ids (`ssr/ssr@1`) of the documents that are pinned to the oracle today; mostly none. */
export async function oraclePins(trx: Trx): Promise<ReadonlySet<string>> {
  const rows: { documentId: string; pinned: boolean }[] = await trx('rule_oracle_pin')
    .distinctOn('documentId')
    .orderBy([{ column: 'documentId' }, { column: 'id', order: 'desc' }])
    .select('documentId', 'pinned');
  return new Set(rows.filter(({ pinned }) => pinned).map(({ documentId }) => documentId));
}

/** The bundle with its very tables, and an eye on what they are asked. */
export const observed = (bundle: RuleBundle, observe: Observe): RuleBundle => ({
  ...bundle,
  table: (name) => ({ ...bundle.table(name), observe }),
});

export interface Question {
  readonly table: Table;
  readonly facts: Facts;
}

export const questionKey = (table: Table, facts: Facts): string => `${table.id} ${canonicalJson(facts)}`;

type Answers = Map<string, readonly Decision[]>;

/** The oracle's answers by bundle: the same question is put to it once. */
const known = new WeakMap<RuleBundle, Answers>();
const mostKnown = 20_000;

async function withOracle<T>(
  bundle: RuleBundle,
  pinned: ReadonlySet<string>,
  work: (pipeline: Pipeline) => Promise<T>,
): Promise<T> {
  const answers = answersOf(bundle);
  for (;;) {
    const open = new Map<string, Question>();
    const observe: Observe = (table, facts, hits) => {
      if (!pinned.has(table.id)) return hits;
      const key = questionKey(table, facts);
      const answer = answers.get(key);
      if (!answer) open.set(key, { table, facts });
      return answer ?? hits;
    };
    const tried = await attempt(() => work(compilePipeline(observed(bundle, observe))));
    if (open.size === 0) return tried();
    for (const [key, { table, facts }] of open) answers.set(key, await askOracle(table.document, facts));
  }
}

function answersOf(bundle: RuleBundle): Answers {
  const answers = known.get(bundle);
  if (answers && answers.size < mostKnown) return answers;
  const fresh: Answers = new Map();
  known.set(bundle, fresh);
  return fresh;
}

/** A wrong provisional answer may make the engine refuse; whether the refusal stays is told by the last try. */
async function attempt<T>(work: () => Promise<T>): Promise<() => T> {
  try {
    const result = await work();
    return () => result;
  } catch (error) {
    if (!isUnfit(error)) throw error;
    return () => {
      throw error;
    };
  }
}
