// One step of an impact job: some students, in the order of their ids, under the rules of today and under the draft. What
// it needs is read first; no transaction is open while it is worked out.

import type { Services } from '../../../kernel/services.ts';
import type { Step } from '../../../long-jobs/index.ts';
import { inReadOnlyContext, type Trx } from '../../../platform/db.ts';
import { simulation } from '../../../skill-status/index.ts';
import { compareStudent } from '../engine/compare-student.ts';
import { addHits, emptyPosition, type ImpactPosition } from '../engine/position.ts';
import type { PlacedJob } from '../input.ts';
import { type RulePair, rulePairOf } from '../rule-pair.ts';
import { nextStudents, type ScopedStudent } from '../students.ts';
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
  const rulePair = await rulePairOf(services, job.input);
  const next = position ? structuredClone(position) : emptyPosition(rulePair.layers);
  const limit = rulePair.alike ? atOnce.stored : atOnce.gathered;
  const found = await reading(services, job, (trx) => findSome(trx, job, rulePair, next.lastId, limit));
  const { students, runs } = found;
  const inputs = await inputsOf(services, job, rulePair, runs);
  await simulate(services, job, rulePair, next, found, inputs);
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
  readonly runs: readonly simulation.SimulatedRun[];
}

async function findSome(trx: Trx, job: PlacedJob, rulePair: RulePair, afterId: number, limit: number): Promise<Found> {
  const { organizationId, input } = job;
  const { asOf } = input;
  const students = await nextStudents(trx, job, afterId, limit);
  const yearIn = simulation.schoolYears(asOf, rulePair.before.pipeline);
  const years = students.map(({ studentId, timeZone }): StudentYear => {
    const { name: schoolYear, from } = yearIn(timeZone);
    return { studentId, schoolYear, from };
  });
  const flags = await readFlags(trx, { organizationId, students: years, asOf }, rulePair);
  return { students, flags, runs: await simulation.newestRuns(trx, organizationId, years, asOf) };
}

async function simulate(
  services: Services,
  job: PlacedJob,
  rulePair: RulePair,
  position: ImpactPosition,
  { students, flags, runs }: Found,
  inputs: InputsOf,
): Promise<void> {
  const { organizationId, input } = job;
  const flagged = compareFlags(organizationId, flags, rulePair, position);
  const schoolOf = new Map(students.map(({ studentId, schoolId }) => [studentId, schoolId]));
  resetRuleHits(rulePair);
  const entered: Changing[] = [];
  for (const run of runs) {
    const { studentId, id: runId, grade } = run;
    const made = inputs(run);
    const both = evaluateBoth(rulePair, run, made, input.asOf);
    const isChanged = compareStudent(position, {
      ...{ organizationId, studentId, runId, grade },
      ...{ schoolId: schoolOf.get(studentId) ?? null, isFlagged: flagged.has(studentId) },
      before: simulation.layerAnswers(both.before),
      after: simulation.layerAnswers(both.after),
    });
    if (isChanged || !made.isSame() || !simulation.isSameResult(both.before, both.after)) {
      position.appended.runs += 1;
      if (simulation.hasEntered(both.before, both.after)) entered.push({ run, ...both });
      else countAppended(position, simulation.appendedRows(both.before, both.after));
    }
  }
  addRuleHits(position, rulePair);
  await countEntered(services, job, position, entered);
}

/** A step that failed in the middle leaves hits behind that the next try must not count. */
function resetRuleHits({ before, after }: RulePair): void {
  before.takeHits();
  after.takeHits();
}

function addRuleHits(position: ImpactPosition, rulePair: RulePair): void {
  for (const side of ['before', 'after'] as const) {
    for (const [name, times] of rulePair[side].takeHits()) addHits(position, side, name, times);
  }
}

interface Changing {
  readonly run: simulation.SimulatedRun;
  readonly before: Evaluation;
  readonly after: Evaluation;
}
type Evaluation = ReturnType<typeof simulation.evaluate>;
type AppendedRows = ReturnType<typeof simulation.appendedRows>;

async function countEntered(
  services: Services,
  job: PlacedJob,
  position: ImpactPosition,
  entered: readonly Changing[],
): Promise<void> {
  if (entered.length === 0) return;
  const students = entered.map(({ run: { studentId, schoolYear } }) => ({ studentId, schoolYear }));
  const marks = await reading(services, job, (trx) => simulation.newestSkillMarks(trx, job.organizationId, students));
  for (const { run, before, after } of entered) {
    const own = marks.filter(({ studentId }) => studentId === run.studentId);
    countAppended(position, simulation.appendedRows(before, after, own));
  }
}

function countAppended({ appended }: ImpactPosition, { skills, domains }: AppendedRows): void {
  appended.skills += skills;
  appended.domains += domains;
}

function evaluateBoth({ before, after }: RulePair, run: simulation.SimulatedRun, inputs: Inputs, asOf: string) {
  const situation = { grade: run.grade, contextReview: run.contextReview, asOf };
  return {
    before: simulation.evaluate(inputs.before, situation, before.pipeline),
    after: refusingUnfit(() => simulation.evaluate(inputs.after, situation, after.pipeline)),
  };
}
