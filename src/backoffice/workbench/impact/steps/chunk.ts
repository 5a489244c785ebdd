// Some students of an impact job under the rules of today and under the draft. What they need is read first; no
// transaction is open while it is worked out.

import { simulation } from '#assessment/skill-status/index.ts';
import { bulkReadingIn, type Db, type Trx } from '#core/platform/db.ts';
import type { ChunkServices, ChunkTask } from '../../chunks/chunks.ts';
import { compareStudent } from '../engine/compare-student.ts';
import { addHits, emptyPosition, type ImpactPosition } from '../engine/position.ts';
import type { PlacedJob } from '../input.ts';
import { type RulePair, rulePairOf } from '../rule-pair.ts';
import type { ScopedStudent } from '../students.ts';
import { compareGates, readPlans } from './fidelity.ts';
import { compareFlags, type FlagRows, readFlags, type StudentYear } from './flags.ts';
import { type Inputs, type InputsOf, inputsOf, refusingUnfit } from './inputs.ts';
import { type Reviews, type ReviewsOf, reviewsOf } from './reviews.ts';
import { compareStates, readStates, type StatesOfStudents } from './states.ts';
import { compareSupport, readSupport, type SupportOfStudents } from './support.ts';
import { compareTiers, readTiers, type TiersOfStudents } from './tiers.ts';
import { compareTold } from './told.ts';

export interface ImpactChunk extends Pick<PlacedJob, 'organizationId' | 'input'> {
  readonly jobId: string;
  readonly students: readonly ScopedStudent[];
  /** What is about no student is looked at here. */
  readonly withNobody: boolean;
}

/** Answers what was found for these students alone. */
export const impactChunk: ChunkTask<ImpactChunk, ImpactPosition> = {
  name: 'impact',
  async run(services, chunk) {
    const rulePair = await rulePairOf(services, { id: chunk.jobId, input: chunk.input });
    const position = emptyPosition(rulePair.layers);
    if (!rulePair.isJudged) {
      await compareTold(services, chunk, rulePair, position);
      return position;
    }
    const found = await reading(services, chunk, (trx) => findRuns(trx, services, chunk, rulePair));
    const inputs = await inputsOf(services, chunk, rulePair, found.runs);
    const reviews = await reviewsOf(services, chunk, rulePair, found.runs);
    await simulate(services, chunk, rulePair, position, found, { inputs, reviews });
    return position;
  },
};

const reading = <T>(
  { db }: { readonly db: Db },
  { organizationId }: ImpactChunk,
  work: (trx: Trx) => Promise<T>,
): Promise<T> => bulkReadingIn(db, { organizationId })(work);

interface Found {
  readonly flags: FlagRows;
  readonly support: SupportOfStudents;
  readonly plans: Awaited<ReturnType<typeof readPlans>>;
  readonly tiers: TiersOfStudents;
  readonly states: StatesOfStudents;
  readonly runs: readonly simulation.SimulatedRun[];
}

async function findRuns(
  trx: Trx,
  services: ChunkServices,
  { organizationId, input, students }: ImpactChunk,
  rulePair: RulePair,
): Promise<Found> {
  const { asOf } = input;
  const yearIn = simulation.schoolYears(asOf, rulePair.before.pipeline);
  const years = students.map(({ studentId, timeZone }): StudentYear => {
    const { name: schoolYear, from } = yearIn(timeZone);
    return { studentId, schoolYear, from };
  });
  const flags = await readFlags(trx, { organizationId, students: years, asOf }, rulePair);
  const studentIds = students.map(({ studentId }) => studentId);
  const support = await readSupport(trx, services, rulePair, { organizationId, studentIds, asOf });
  const plans = await readPlans(trx, rulePair, { organizationId, studentIds, asOf });
  const tiers = await readTiers(trx, services, rulePair, { organizationId, studentIds, asOf });
  const states = await readStates(trx, rulePair, { organizationId, studentIds, asOf });
  const runs = await simulation.newestRuns(trx, organizationId, years, asOf);
  return { flags, support, plans, tiers, states, runs };
}

async function simulate(
  services: ChunkServices,
  chunk: ImpactChunk,
  rulePair: RulePair,
  position: ImpactPosition,
  { flags, support, plans, tiers, states, runs }: Found,
  { inputs, reviews }: { readonly inputs: InputsOf; readonly reviews: ReviewsOf },
): Promise<void> {
  const { organizationId, input, students } = chunk;
  const flagged = compareFlags(organizationId, flags, rulePair, position);
  for (const studentId of compareGates(organizationId, plans, rulePair, position)) flagged.add(studentId);
  const schoolOf = new Map(students.map(({ studentId, schoolId }) => [studentId, schoolId]));
  resetRuleHits(rulePair);
  const entered: Changing[] = [];
  for (const run of runs) {
    const { studentId, id: runId, grade } = run;
    const made = inputs(run);
    const review = reviews(run);
    const both = evaluateBoth(rulePair, run, made, review, input.asOf);
    const isOtherSupport = compareSupport(position, rulePair, support.get(studentId), { run, ...both, inputs: made });
    const isOtherTier = compareTiers(position, rulePair, tiers.get(studentId), run);
    const isOtherState = compareStates(position, rulePair, states.get(studentId), run);
    const isBeside = flagged.has(studentId) || isOtherSupport || isOtherTier || isOtherState;
    const isChanged = compareStudent(position, {
      ...{ organizationId, studentId, runId, grade },
      ...{ schoolId: schoolOf.get(studentId) ?? null, isFlagged: isBeside },
      ...answersOf(made, both),
    });
    const isSameCase = made.isSame() && review.before === review.after;
    if (isChanged || !isSameCase || !simulation.isSameResult(both.before, both.after)) {
      position.appended.runs += 1;
      if (simulation.hasEntered(both.before, both.after)) entered.push({ run, ...both });
      else countAppended(position, simulation.appendedRows(both.before, both.after));
    }
  }
  addRuleHits(position, rulePair);
  await countEntered(services, chunk, position, entered);
}

/** One input has one set of names. */
function answersOf(made: Inputs, { before, after }: Pick<Changing, 'before' | 'after'>) {
  const subjects = simulation.subjectsOf(made.before.responses);
  return {
    before: simulation.layerAnswers(before, subjects),
    after: simulation.layerAnswers(after, made.before === made.after ? subjects : undefined),
  };
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

function evaluateBoth(
  { before, after }: RulePair,
  { grade }: simulation.SimulatedRun,
  inputs: Inputs,
  review: Reviews,
  asOf: string,
) {
  const situation = (contextReview: boolean) => ({ grade, contextReview, asOf });
  return {
    before: simulation.evaluate(inputs.before, situation(review.before), before.pipeline),
    after: refusingUnfit(() => simulation.evaluate(inputs.after, situation(review.after), after.pipeline)),
  };
}
