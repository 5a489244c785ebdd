// The parts of replaying runs, each by itself, on one step of the job.

import { evaluateRun } from '../../src/assessment/skill-status/evaluate-run.ts';
import { nextRuns, replayRuns, runsBySeq, withInput } from '../../src/assessment/skill-status/index.ts';
import { isSound } from '../../src/assessment/skill-status/replay/differences.ts';
import { type ReplayedInput, readReplayedInputs } from '../../src/assessment/skill-status/replay/evidence.ts';
import { writtenRows } from '../../src/assessment/skill-status/replay/written.ts';
import { inputText } from '../../src/assessment/skill-status/results/stored-input.ts';
import { pipelineOf } from '../../src/assessment/skill-status/rules/pipelines.ts';
import { readableRules } from '../../src/assessment/skill-status/rules/readable.ts';
import { inReadOnlyContext, type Trx } from '../../src/core/platform/db.ts';
import { sha256Hex } from '../../src/core/platform/pure/canonical-json.ts';
import { activeRules } from '../../src/rules/rulesets/active.ts';
import { sideBySide } from '../harness/measure.ts';
import { duration, type Row } from '../harness/report.ts';
import type { School } from '../harness/school.ts';
import type { Service } from '../harness/service.ts';

/** The runs of one step of the job. */
const runsAtOnce = 100;
const rounds = 7;

/** Returns the time per run of each part; the whole is measured too, because parts leave out what connects them. */
export async function replayParts({ services }: Service, { organizationId }: School): Promise<Row[]> {
  // A knex transaction is thenable, but no Promise.
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
  const written = await reading((trx) => writtenRows(trx, runs));
  const parsed = runs.map(withInput);
  const evaluations = new Map(parsed.map((run) => [run, evaluateRun(run.input, run, pipeline)]));
  const read = (trx: Trx) => readReplayedInputs(trx, services, runs);
  const again = await reading(read);
  const parts: Readonly<Record<string, () => unknown>> = {
    'one step, but for loading its runs': () => replayRuns(reading, services, runs),
    'runs loaded with the texts of their inputs': () => reading(load),
    'rows that they wrote loaded, as texts': () => reading((trx) => writtenRows(trx, runs)),
    'rules read and compiled': () => reading(compiled),
    'evidence read again': () => reading(read),
    '· and made into facts, and compared as text': () =>
      runs.map((run) => textOf(again(run, pipeline)) === run.inputText),
    'stored input hashed': () => runs.map(({ inputText }) => sha256Hex(inputText)),
    evaluated: () => parsed.map((run) => evaluateRun(run.input, run, pipeline)),
    'results compared': () => [...evaluations].map(([run, evaluation]) => isSound(run, written, evaluation)),
  };
  const contenders = Object.entries(parts).map(([name, run]) => ({ name, operations: runs.length, run }));
  const timings = await sideBySide(contenders, rounds);
  return [...timings].map(([name, time]) => ({ contender: `· ${name}`, result: duration(time) }));
}

/** An Error where the measurements do not hang together any more. */
const textOf = (again: ReturnType<ReplayedInput>): string =>
  again instanceof Error ? again.message : inputText(again);
