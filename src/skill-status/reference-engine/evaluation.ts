// The engine with the oracle's answers in the place of its own. The engine is synchronous and the oracle is not: work is
// tried, what it asked is put to the oracle, and the work is done again until it asks nothing new.
import { canonicalJson } from '../../platform/pure/canonical-json.ts';
import {
  askOracle,
  type Decision,
  type Facts,
  type Observe,
  type RuleBundle,
  type Table,
} from '../../rulesets/index.ts';
import { compilePipeline, type Pipeline } from '../engine/evaluate.ts';
import { isUnfit } from '../rules/unfit.ts';

/** One question to a table. Of a first-hit table the oracle tells all rules that hold, the first one decides. */
export interface OracleAnswer {
  readonly table: Table;
  readonly facts: Facts;
  /** What the compiled table says. */
  readonly fast: readonly Decision[];
  readonly oracle: readonly Decision[];
}

type Answers = Map<string, readonly Decision[]>;

/** The oracle's answers by bundle: while a document is pinned, the same question is put to the oracle once. */
const known = new WeakMap<RuleBundle, Answers>();
const mostKnown = 20_000;

/**
 * Does the work with a pipeline in which the pinned documents (`ssr/ssr@1`) are answered by the oracle. The work may be
 * done several times, with provisional answers before the last one, and so must not write.
 */
export function withOracle<T>(
  bundle: RuleBundle,
  pinned: ReadonlySet<string>,
  work: (pipeline: Pipeline) => Promise<T>,
): Promise<T> {
  const kept = known.get(bundle);
  const answers: Answers = kept && kept.size < mostKnown ? kept : new Map();
  known.set(bundle, answers);
  return settled(bundle, { answers, asks: ({ id }) => pinned.has(id), heard: () => {} }, work);
}

/** Does the work with the oracle alone, and tells every question that it asked, each once. */
export async function shadowed(bundle: RuleBundle, work: (pipeline: Pipeline) => void): Promise<OracleAnswer[]> {
  const heard: OracleAnswer[] = [];
  const asking = { answers: new Map(), asks: () => true, heard: (answer: OracleAnswer) => void heard.push(answer) };
  await settled(bundle, asking, async (pipeline) => work(pipeline));
  return heard;
}

interface Asking {
  readonly answers: Answers;
  readonly asks: (table: Table) => boolean;
  readonly heard: (answer: OracleAnswer) => void;
}

async function settled<T>(
  bundle: RuleBundle,
  { answers, asks, heard }: Asking,
  work: (pipeline: Pipeline) => Promise<T>,
): Promise<T> {
  for (;;) {
    const open = new Map<string, Omit<OracleAnswer, 'oracle'>>();
    const observe: Observe = (table, facts, fast) => {
      if (!asks(table)) return fast;
      const key = `${table.id} ${canonicalJson(facts)}`;
      const answer = answers.get(key);
      if (!answer) open.set(key, { table, facts, fast });
      return answer ?? fast;
    };
    const tried = await attempt(async () => work(compilePipeline(observed(bundle, observe))));
    if (open.size === 0) return tried();
    for (const [key, question] of open) {
      const oracle = await askOracle(question.table.document, question.facts);
      answers.set(key, oracle);
      heard({ ...question, oracle });
    }
  }
}

/** The very tables of the bundle, not newly compiled ones: they are what is doubted. */
const observed = (bundle: RuleBundle, observe: Observe): RuleBundle => ({
  ...bundle,
  table: (name) => ({ ...bundle.table(name), observe }),
});

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
