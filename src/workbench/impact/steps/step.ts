// One step of an impact job: some students, in the order of their ids, under the rules of today and under the draft. What
// it needs is read first; no transaction is open while it is worked out.

import type { Services } from '../../../kernel/services.ts';
import type { Step } from '../../../long-jobs/index.ts';
import { inReadOnlyContext, type Trx } from '../../../platform/db.ts';
import { rehearsal } from '../../../skill-status/index.ts';
import { compareStudent } from '../engine/compare-student.ts';
import { addHits, emptyPosition, type ImpactPosition } from '../engine/position.ts';
import type { PlacedJob } from '../input.ts';
import { nextStudents, type ScopedStudent } from '../students.ts';
import { type Trial, trialOf } from '../trial.ts';
import { compareFlags, type FlagRows, readFlags, type StudentYear } from './flags.ts';
import { type Inputs, type InputsOf, inputsOf, refusingUnfit } from './inputs.ts';

/** How many students a step looks at: those whose stored input serves, and those whose evidence is gathered anew. */
export interface StudentsAtOnce {
  readonly stored: number;
  readonly gathered: number;
}

export async function impactStep(
  services: Services,
  job: PlacedJob,
  position: ImpactPosition | null,
  atOnce: StudentsAtOnce,
): Promise<Step<ImpactPosition>> {
  const trial = await trialOf(services, job.input);
  const next = position ? structuredClone(position) : emptyPosition(trial.layers);
  const limit = trial.alike ? atOnce.stored : atOnce.gathered;
  const found = await reading(services, job, (trx) => findSome(trx, job, trial, next.lastId, limit));
  const { students, runs } = found;
  const inputs = await inputsOf(services, job, trial, runs);
  await rehearse(services, job, trial, next, found, inputs);
  next.lastId = students.at(-1)?.studentId ?? next.lastId;
  next.seen += students.length;
  return { done: next.seen, position: next, isLast: students.length < limit };
}

const reading = <T>(
  { db }: Services,
  { organizationId }: Pick<PlacedJob, 'organizationId'>,
  work: (trx: Trx) => Promise<T>,
): Promise<T> => inReadOnlyContext(db, { organizationId }, work);

interface Found {
  readonly students: readonly ScopedStudent[];
  readonly flags: FlagRows;
  readonly runs: readonly rehearsal.RehearsedRun[];
}

async function findSome(trx: Trx, job: PlacedJob, trial: Trial, afterId: number, limit: number): Promise<Found> {
  const { organizationId, input } = job;
  const { asOf } = input;
  const students = await nextStudents(trx, job, afterId, limit);
  const yearIn = rehearsal.schoolYears(asOf, trial.before.pipeline);
  const years = students.map(({ studentId, timeZone }): StudentYear => {
    const { name: schoolYear, from } = yearIn(timeZone);
    return { studentId, schoolYear, from };
  });
  const flags = await readFlags(trx, { organizationId, students: years, asOf }, trial);
  return { students, flags, runs: await rehearsal.newestRuns(trx, organizationId, years, asOf) };
}

async function rehearse(
  services: Services,
  job: PlacedJob,
  trial: Trial,
  position: ImpactPosition,
  { students, flags, runs }: Found,
  inputs: InputsOf,
): Promise<void> {
  const { organizationId, input } = job;
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
      before: rehearsal.layerAnswers(both.before),
      after: rehearsal.layerAnswers(both.after),
    });
    if (isChanged || !made.isSame() || !rehearsal.isSameResult(both.before, both.after)) {
      position.appended.runs += 1;
      if (rehearsal.hasEntered(both.before, both.after)) entered.push({ run, ...both });
      else countAppended(position, rehearsal.appendedRows(both.before, both.after));
    }
  }
  keepHits(position, trial);
  await countEntered(services, job, position, entered);
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
  services: Services,
  job: PlacedJob,
  position: ImpactPosition,
  entered: readonly Changing[],
): Promise<void> {
  if (entered.length === 0) return;
  const students = entered.map(({ run: { studentId, schoolYear } }) => ({ studentId, schoolYear }));
  const marks = await reading(services, job, (trx) => rehearsal.newestSkillMarks(trx, job.organizationId, students));
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
