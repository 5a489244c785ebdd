// Runs the engine with answers of the reference engine. The engine is synchronous and the reference engine is not, so
// the work is tried, its questions are answered by the reference engine, and it is repeated until no new question
// appears.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import {
  askReferenceEngine,
  type Decision,
  type Facts,
  type Observe,
  type RuleBundle,
  type Table,
} from '#rules/rulesets/index.ts';
import { compilePipeline, type Pipeline } from '../engine/evaluate.ts';
import { isUnfit } from '../rules/unfit.ts';

/**
 * One question to a table. For a first-hit table the reference engine returns all rules that hold, of which the first
 * decides.
 */
export interface ComparedAnswer {
  readonly table: Table;
  readonly facts: Facts;
  /** The answer of the compiled table. */
  readonly fast: readonly Decision[];
  readonly reference: readonly Decision[];
}

type Answers = Map<string, readonly Decision[]>;

/** Answers of the reference engine by bundle, so that each question is asked once. */
const known = new WeakMap<RuleBundle, Answers>();
const mostKnown = 20_000;

/**
 * Does the work with a pipeline in which the reference engine answers for the pinned documents (`ssr/ssr@1`). The work
 * may run several times, with provisional answers before the last run, so it must not write.
 */
export function withReferenceEngine<T>(
  bundle: RuleBundle,
  onFallback: ReadonlySet<string>,
  work: (pipeline: Pipeline) => Promise<T>,
): Promise<T> {
  const kept = known.get(bundle);
  const answers: Answers = kept && kept.size < mostKnown ? kept : new Map();
  known.set(bundle, answers);
  return settled(bundle, { answers, asks: ({ id }) => onFallback.has(id), heard: () => {} }, work);
}

/** Does the work with the reference engine alone and returns each of its questions once. */
export async function compared(bundle: RuleBundle, work: (pipeline: Pipeline) => void): Promise<ComparedAnswer[]> {
  const heard: ComparedAnswer[] = [];
  const asking = { answers: new Map(), asks: () => true, heard: (answer: ComparedAnswer) => void heard.push(answer) };
  await settled(bundle, asking, async (pipeline) => work(pipeline));
  return heard;
}

interface Asking {
  readonly answers: Answers;
  readonly asks: (table: Table) => boolean;
  readonly heard: (answer: ComparedAnswer) => void;
}

async function settled<T>(
  bundle: RuleBundle,
  { answers, asks, heard }: Asking,
  work: (pipeline: Pipeline) => Promise<T>,
): Promise<T> {
  for (;;) {
    const open = new Map<string, Omit<ComparedAnswer, 'reference'>>();
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
      const reference = await askReferenceEngine(question.table.document, question.facts);
      answers.set(key, reference);
      heard({ ...question, reference });
    }
  }
}

/** Wraps the bundle's own compiled tables, since they are what is verified. */
const observed = (bundle: RuleBundle, observe: Observe): RuleBundle => ({
  ...bundle,
  table: (name) => ({ ...bundle.table(name), observe }),
});

/** Captures a refusal, because a wrong provisional answer may cause it; the last run decides. */
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
