// Simulates some students of an impact job under the rules in force and under a change. Their evidence is read first; no
// transaction is open while it is evaluated.

import { simulation } from '#assessment/skill-status/index.ts';
import { bulkReadingIn, type Db, readTransactionIn, type Trx } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { type ResultComparison, type SimulatedStudents, simulatedDays } from '#rules/rulesets/index.ts';
import type { ChunkServices, ChunkTask } from '../../chunks.ts';
import { compareStudent } from '../engine/compare-student.ts';
import { addHits, addStudent, emptyPosition, type ImpactPosition } from '../engine/position.ts';
import { simulationTally } from '../engine/simulated-counts.ts';
import type { OrganizationJob } from '../input.ts';
import { type RulePair, rulePairOf } from '../rule-pair.ts';
import type { ScopedStudent } from '../students.ts';
import { type Inputs, type InputsOf, inputsOf } from './inputs.ts';
import { type Reviews, type ReviewsOf, reviewsOf } from './reviews.ts';

export interface ImpactChunk extends Pick<OrganizationJob, 'organizationId' | 'input'> {
  readonly jobId: string;
  readonly students: readonly ScopedStudent[];
  /** Records that are about no student are compared here. */
  readonly withoutStudent: boolean;
}

/** Returns what was found for these students alone. */
export const impactChunk: ChunkTask<ImpactChunk, ImpactPosition> = {
  name: 'impact',
  async run(services, chunk) {
    const rulePair = await rulePairOf(services, { id: chunk.jobId, input: chunk.input });
    const position = emptyPosition(rulePair.layers);
    if (!rulePair.evaluatesRuns) {
      await compareRecords(services, chunk, rulePair, position);
      return position;
    }
    const found = await reading(services, chunk, (trx) => findRuns(trx, services, chunk, rulePair));
    const inputs = await inputsOf(services, chunk, rulePair, found.runs);
    const reviews = await reviewsOf(services, chunk, rulePair, found.runs);
    await simulate(services, chunk, rulePair, position, found, { inputs, reviews });
    return position;
  },
};

/** Students without records are left out. */
async function compareRecords(
  services: ChunkServices,
  { organizationId, input: { asOf }, students, withoutStudent }: ImpactChunk,
  { records }: RulePair,
  position: ImpactPosition,
): Promise<void> {
  const since = new Date(Date.parse(asOf) - simulatedDays * dayMs).toISOString();
  const of = { organizationId, studentIds: students.map(({ studentId }) => studentId), withoutStudent, since, asOf };
  const tally = simulationTally(position, organizationId);
  const changes = new Map<number, boolean>();
  for (const { simulation: compared } of records) {
    const own = await compared.compare(tally, readTransactionIn(services.db, { organizationId }), services, of);
    for (const [studentId, isChanged] of own) changes.set(studentId, isChanged || changes.get(studentId) === true);
  }
  for (const { studentId, schoolId, grade } of students) {
    const isChanged = changes.get(studentId);
    if (isChanged !== undefined) addStudent(position, { schoolId, grade, change: isChanged ? 'changed' : 'same' });
  }
}

const reading = <T>(
  { db }: { readonly db: Db },
  { organizationId }: ImpactChunk,
  work: (trx: Trx) => Promise<T>,
): Promise<T> => bulkReadingIn(db, { organizationId })(work);

interface Found {
  readonly comparisons: readonly ResultComparison[];
  readonly runs: readonly simulation.SimulatedRun[];
}

async function findRuns(
  trx: Trx,
  services: ChunkServices,
  { organizationId, input: { asOf }, students }: ImpactChunk,
  rulePair: RulePair,
): Promise<Found> {
  const yearIn = simulation.schoolYears(asOf, rulePair.before.pipeline);
  const years = students.map(({ studentId, timeZone }) => {
    const { name: schoolYear, from } = yearIn(timeZone);
    return { studentId, schoolYear, from };
  });
  const studentIds = students.map(({ studentId }) => studentId);
  const of: SimulatedStudents = { organizationId, studentIds, asOf, years };
  const comparisons: ResultComparison[] = [];
  for (const { simulation: compared } of rulePair.results) comparisons.push(await compared.read(trx, services, of));
  return { comparisons, runs: await simulation.newestRuns(trx, organizationId, years, asOf) };
}

async function simulate(
  services: ChunkServices,
  chunk: ImpactChunk,
  rulePair: RulePair,
  position: ImpactPosition,
  { comparisons, runs }: Found,
  { inputs, reviews }: { readonly inputs: InputsOf; readonly reviews: ReviewsOf },
): Promise<void> {
  const { organizationId, input, students } = chunk;
  const tally = simulationTally(position, organizationId);
  const changed = new Set(comparisons.flatMap((one) => [...(one.compareStored?.(tally) ?? [])]));
  const schoolOf = new Map(students.map(({ studentId, schoolId }) => [studentId, schoolId]));
  resetRuleHits(rulePair);
  const entered: Changing[] = [];
  for (const run of runs) {
    const { studentId, id: runId, grade } = run;
    const made = inputs(run);
    const review = reviews(run);
    const both = evaluateBoth(rulePair, run, made, review, input.asOf);
    const result = resultOf(run, made, both);
    const isOther = comparisons.map((one) => one.compareResult?.(tally, result) === true);
    const isFlagged = changed.has(studentId) || isOther.includes(true);
    const isSameCase = made.isSame() && review.before === review.after;
    const isSameResult = simulation.isSameResult(both.before, both.after);
    const isChanged = compareStudent(position, {
      ...{ organizationId, studentId, runId, grade },
      ...{ schoolId: schoolOf.get(studentId) ?? null, isFlagged, isOther: !isSameResult },
      ...answersOf(made, both),
    });
    if (isChanged || !isSameCase || !isSameResult) {
      position.appended.runs += 1;
      if (simulation.hasNewSubSkill(both.before, both.after)) entered.push({ run, ...both });
      else countAppended(position, simulation.appendedRows(both.before, both.after));
    }
  }
  addRuleHits(position, rulePair);
  await countEntered(services, chunk, position, entered);
}

/** A run as simulators compare it. */
export const resultOf = (
  { id: runId, studentId, grade, contextReview }: simulation.SimulatedRun,
  { before, after }: Inputs,
  evaluation: simulation.EvaluatedResult['evaluation'],
): simulation.EvaluatedResult => ({ runId, studentId, grade, contextReview, input: { before, after }, evaluation });

/** Subjects are named once when both sides have the same input. */
export function answersOf(made: Inputs, { before, after }: Pick<Changing, 'before' | 'after'>) {
  const subjects = simulation.subjectsOf(made.before.responses);
  return {
    before: simulation.layerAnswers(before, subjects),
    after: simulation.layerAnswers(after, made.before === made.after ? subjects : undefined),
  };
}

/** Drops the hits of a step that failed, which the next try must not count. */
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
type Evaluation = ReturnType<typeof simulation.evaluateRun>;
type AppendedRows = ReturnType<typeof simulation.appendedRows>;

async function countEntered(
  services: ChunkServices,
  chunk: ImpactChunk,
  position: ImpactPosition,
  entered: readonly Changing[],
): Promise<void> {
  if (entered.length === 0) return;
  const students = entered.map(({ run: { studentId, schoolYear } }) => ({ studentId, schoolYear }));
  const marks = await reading(services, chunk, (trx) =>
    simulation.newestSkillMarks(trx, chunk.organizationId, students),
  );
  for (const { run, before, after } of entered) {
    const own = marks.filter(({ studentId }) => studentId === run.studentId);
    countAppended(position, simulation.appendedRows(before, after, own));
  }
}

function countAppended({ appended }: ImpactPosition, { skills, domains }: AppendedRows): void {
  appended.skills += skills;
  appended.domains += domains;
}

export function evaluateBoth(
  { before, after }: RulePair,
  { grade }: simulation.SimulatedRun,
  inputs: Inputs,
  review: Reviews,
  asOf: string,
) {
  const situation = (contextReview: boolean) => ({ grade, contextReview, asOf });
  return {
    before: simulation.evaluateRun(inputs.before, situation(review.before), before.pipeline),
    after: simulation.refusingUnfit(() =>
      simulation.evaluateRun(inputs.after, situation(review.after), after.pipeline),
    ),
  };
}
