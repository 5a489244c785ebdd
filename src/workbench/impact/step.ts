// One step of an impact job: some students, in the order of their ids, under the rules of today and under the draft.
import { inReadOnlyContext, type Trx } from '../../platform/db.ts';
import type { Services } from '../../services.ts';
import { rehearsal } from '../../skill-status/index.ts';
import type { Step } from '../jobs/runner.ts';
import { compareStudent } from './engine/compare-student.ts';
import { addHits, emptyPosition, type ImpactPosition } from './engine/position.ts';
import { compareFlags, type StudentYear } from './flags.ts';
import type { ImpactJob } from './input.ts';
import { type Inputs, inputsOf, refusingUnfit } from './inputs.ts';
import { nextStudents, type ScopedStudent } from './students.ts';
import { type Trial, trialOf } from './trial.ts';

/** How many students a step looks at: those whose stored input serves, and those whose evidence is gathered anew. */
export interface StudentsAtOnce {
  readonly stored: number;
  readonly gathered: number;
}

export function impactStep(
  services: Services,
  job: ImpactJob,
  position: ImpactPosition | null,
  atOnce: StudentsAtOnce,
): Promise<Step<ImpactPosition>> {
  const { organizationId, input } = job;
  return inReadOnlyContext(services.db, { organizationId }, async (trx) => {
    const trial = await trialOf(services, trx, input);
    const next = position ? structuredClone(position) : emptyPosition(trial.layers);
    const limit = trial.alike ? atOnce.stored : atOnce.gathered;
    const students = await nextStudents(trx, job, next.lastId, limit);
    await rehearse(trx, services, job, trial, next, students);
    next.lastId = students.at(-1)?.studentId ?? next.lastId;
    next.seen += students.length;
    return { done: next.seen, position: next, isLast: students.length < limit };
  });
}

async function rehearse(
  trx: Trx,
  services: Services,
  { organizationId, input: { asOf } }: ImpactJob,
  trial: Trial,
  position: ImpactPosition,
  students: readonly ScopedStudent[],
): Promise<void> {
  const yearIn = rehearsal.schoolYears(asOf, trial.before.pipeline);
  const years = students.map(({ studentId, timeZone }): StudentYear => {
    const { name: schoolYear, from } = yearIn(timeZone);
    return { studentId, schoolYear, from };
  });
  const flagged = await compareFlags(trx, { organizationId, students: years, asOf }, trial, position);
  const schoolOf = new Map(students.map(({ studentId, schoolId }) => [studentId, schoolId]));
  const runs = await rehearsal.newestRuns(trx, organizationId, years, asOf);
  const inputs = await inputsOf(trx, services, trial, runs, asOf);
  forgetHits(trial);
  const entered: Changing[] = [];
  for (const run of runs) {
    const { studentId, id: runId, grade } = run;
    const both = evaluateBoth(trial, run, inputs(run), asOf);
    const isChanged = compareStudent(position, {
      ...{ studentId, runId, schoolId: schoolOf.get(studentId) ?? null, grade, isFlagged: flagged.has(studentId) },
      before: rehearsal.layerAnswers(both.before),
      after: rehearsal.layerAnswers(both.after),
    });
    if (isChanged || !inputs(run).isSame || !rehearsal.isSameResult(both.before, both.after)) {
      position.appended.runs += 1;
      if (rehearsal.hasEntered(both.before, both.after)) entered.push({ run, ...both });
      else countAppended(position, rehearsal.appendedRows(both.before, both.after));
    }
  }
  await countEntered(trx, organizationId, position, entered);
  keepHits(position, trial);
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
  trx: Trx,
  organizationId: string,
  position: ImpactPosition,
  entered: readonly Changing[],
): Promise<void> {
  if (entered.length === 0) return;
  const students = entered.map(({ run: { studentId, schoolYear } }) => ({ studentId, schoolYear }));
  const marks = await rehearsal.newestSkillMarks(trx, organizationId, students);
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
