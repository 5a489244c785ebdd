// Some students of an impact job under the rules of today and under the draft. What they need is read first; no
// transaction is open while it is worked out.

import { type Db, inReadOnlyContext, type Trx } from '../../../platform/db.ts';
import { rehearsal } from '../../../skill-status/index.ts';
import type { ChunkServices, ChunkTask } from '../../chunks/chunks.ts';
import { compareStudent } from '../engine/compare-student.ts';
import { addHits, emptyPosition, type ImpactPosition } from '../engine/position.ts';
import type { PlacedJob } from '../input.ts';
import type { ScopedStudent } from '../students.ts';
import { type Trial, trialOf } from '../trial.ts';
import { compareFlags, type FlagRows, readFlags, type StudentYear } from './flags.ts';
import { type Inputs, type InputsOf, inputsOf, refusingUnfit } from './inputs.ts';

export interface ImpactChunk extends Pick<PlacedJob, 'organizationId' | 'input'> {
  readonly jobId: string;
  readonly students: readonly ScopedStudent[];
}

/** Answers what was found for these students alone. */
export const impactChunk: ChunkTask<ImpactChunk, ImpactPosition> = {
  name: 'impact',
  async run(services, chunk) {
    const trial = await trialOf(services, { id: chunk.jobId, input: chunk.input });
    const position = emptyPosition(trial.layers);
    const found = await reading(services, chunk, (trx) => findRuns(trx, chunk, trial));
    const inputs = await inputsOf(services, chunk, trial, found.runs);
    await rehearse(services, chunk, trial, position, found, inputs);
    return position;
  },
};

const reading = <T>(
  { db }: { readonly db: Db },
  { organizationId }: ImpactChunk,
  work: (trx: Trx) => Promise<T>,
): Promise<T> => inReadOnlyContext(db, { organizationId }, work);

interface Found {
  readonly flags: FlagRows;
  readonly runs: readonly rehearsal.RehearsedRun[];
}

async function findRuns(trx: Trx, { organizationId, input, students }: ImpactChunk, trial: Trial): Promise<Found> {
  const { asOf } = input;
  const yearIn = rehearsal.schoolYears(asOf, trial.before.pipeline);
  const years = students.map(({ studentId, timeZone }): StudentYear => {
    const { name: schoolYear, from } = yearIn(timeZone);
    return { studentId, schoolYear, from };
  });
  const flags = await readFlags(trx, { organizationId, students: years, asOf }, trial);
  return { flags, runs: await rehearsal.newestRuns(trx, organizationId, years, asOf) };
}

async function rehearse(
  services: ChunkServices,
  chunk: ImpactChunk,
  trial: Trial,
  position: ImpactPosition,
  { flags, runs }: Found,
  inputs: InputsOf,
): Promise<void> {
  const { organizationId, input, students } = chunk;
  const flagged = compareFlags(organizationId, flags, trial, position);
  const schoolOf = new Map(students.map(({ studentId, schoolId }) => [studentId, schoolId]));
  forgetHits(trial);
  const entered: Changing[] = [];
  for (const run of runs) {
    const { studentId, id: runId, grade } = run;
    const made = inputs(run);
    const both = evaluateBoth(trial, run, made, input.asOf);
    const isChanged = compareStudent(position, {
      ...{ organizationId, studentId, runId, grade },
      ...{ schoolId: schoolOf.get(studentId) ?? null, isFlagged: flagged.has(studentId) },
      ...answersOf(made, both),
    });
    if (isChanged || !made.isSame() || !rehearsal.isSameResult(both.before, both.after)) {
      position.appended.runs += 1;
      if (rehearsal.hasEntered(both.before, both.after)) entered.push({ run, ...both });
      else countAppended(position, rehearsal.appendedRows(both.before, both.after));
    }
  }
  keepHits(position, trial);
  await countEntered(services, chunk, position, entered);
}

/** One input has one set of names. */
function answersOf(made: Inputs, { before, after }: Pick<Changing, 'before' | 'after'>) {
  const subjects = rehearsal.subjectsOf(made.before.responses);
  return {
    before: rehearsal.layerAnswers(before, subjects),
    after: rehearsal.layerAnswers(after, made.before === made.after ? subjects : undefined),
  };
}

/** A step that failed in the middle leaves hits behind that the next try must not count. */
function forgetHits({ before, after }: Trial): void {
  before.takeHits();
  after.takeHits();
}

function keepHits(position: ImpactPosition, trial: Trial): void {
  for (const side of ['before', 'after'] as const) {
    for (const [name, times] of trial[side].takeHits()) addHits(position, side, name, times);
  }
}

interface Changing {
  readonly run: rehearsal.RehearsedRun;
  readonly before: Evaluation;
  readonly after: Evaluation;
}
type Evaluation = ReturnType<typeof rehearsal.evaluate>;
type AppendedRows = ReturnType<typeof rehearsal.appendedRows>;

async function countEntered(
  services: ChunkServices,
  chunk: ImpactChunk,
  position: ImpactPosition,
  entered: readonly Changing[],
): Promise<void> {
  if (entered.length === 0) return;
  const students = entered.map(({ run: { studentId, schoolYear } }) => ({ studentId, schoolYear }));
  const marks = await reading(services, chunk, (trx) =>
    rehearsal.newestSkillMarks(trx, chunk.organizationId, students),
  );
  for (const { run, before, after } of entered) {
    const own = marks.filter(({ studentId }) => studentId === run.studentId);
    countAppended(position, rehearsal.appendedRows(before, after, own));
  }
}

function countAppended({ appended }: ImpactPosition, { skills, domains }: AppendedRows): void {
  appended.skills += skills;
  appended.domains += domains;
}

function evaluateBoth({ before, after }: Trial, run: rehearsal.RehearsedRun, inputs: Inputs, asOf: string) {
  const situation = { grade: run.grade, contextReview: run.contextReview, asOf };
  return {
    before: rehearsal.evaluate(inputs.before, situation, before.pipeline),
    after: refusingUnfit(() => rehearsal.evaluate(inputs.after, situation, after.pipeline)),
  };
}
