// The parts of executing runs again, each by itself, on one step of the job.
import { inReadOnlyContext, type Trx } from '../src/platform/db.ts';
import { canonicalJson, sha256Hex } from '../src/platform/pure/canonical-json.ts';
import { activeRules } from '../src/rulesets/active.ts';
import { evaluate } from '../src/skill-status/evaluate-run.ts';
import { nextRuns, replayRuns, runsBySeq } from '../src/skill-status/index.ts';
import { resultDifferences } from '../src/skill-status/replay/differences.ts';
import { readAgain } from '../src/skill-status/replay/evidence.ts';
import { storedRows } from '../src/skill-status/replay/rows.ts';
import { pipelineOf } from '../src/skill-status/rules/pipelines.ts';
import { readableRules } from '../src/skill-status/rules/readable.ts';
import { sideBySide } from './measure.ts';
import { duration, type Row } from './report.ts';
import type { School } from './school.ts';
import type { Service } from './service.ts';

/** As many as the job takes in one step. */
const runsAtOnce = 100;
const rounds = 7;

/** Time a run of each part; the whole is measured too, because parts leave out what joins them. */
export async function replayParts({ services }: Service, { organizationId }: School): Promise<Row[]> {
  // A transaction of knex can be waited for, but is no Promise that the timing would know.
  const reading = async <T>(work: (trx: Trx) => Promise<T>) =>
    await inReadOnlyContext(services.db, { organizationId }, work);
  const all = { organizationId, after: 0, through: Number.MAX_SAFE_INTEGER };
  const seqs = (await reading((trx) => nextRuns(trx, all, runsAtOnce))).map(({ seq }) => seq);
  const load = (trx: Trx) => runsBySeq(trx, organizationId, seqs);
  const runs = await reading(load);
  const compiled = (trx: Trx) => readableRules(trx, activeRules(), runs[0]?.ruleVersions ?? {});
  const rules = await reading(compiled);
  if (!rules) throw new Error('the rules of the runs cannot be read');
  const pipeline = pipelineOf(rules);
  const stored = await reading((trx) => storedRows(trx, runs));
  const evaluations = new Map(runs.map((run) => [run, evaluate(run.input, run, pipeline)]));
  const read = (trx: Trx) => readAgain(trx, services.itemBanks, runs);
  const again = await reading(read);
  const parts: Readonly<Record<string, () => unknown>> = {
    'one step, but for loading its runs': () => replayRuns(reading, services, runs),
    'runs loaded with their inputs': () => reading(load),
    'rows that they wrote loaded': () => reading((trx) => storedRows(trx, runs)),
    'rules read and compiled': () => reading(compiled),
    'evidence read again': () => reading(read),
    '· and made into facts, as canonical text': () => runs.map((run) => canonicalJson(again(run, pipeline))),
    'stored input hashed': () => runs.map(({ inputText }) => sha256Hex(inputText)),
    evaluated: () => runs.map((run) => evaluate(run.input, run, pipeline)),
    'results compared': () =>
      [...evaluations].map(([run, evaluation]) => resultDifferences(run, stored(run.id), evaluation)),
  };
  const contenders = Object.entries(parts).map(([name, run]) => ({ name, operations: runs.length, run }));
  const timings = await sideBySide(contenders, rounds);
  return [...timings].map(([name, time]) => ({ contender: `· ${name}`, result: duration(time) }));
}
