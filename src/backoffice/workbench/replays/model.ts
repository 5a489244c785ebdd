// The long job that replays stored runs.

import { countRuns, nextRuns, type RunCursor, runsBySeq, withInput } from '#assessment/skill-status/index.ts';
import type { JobModel, JobStep } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import { type Db, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { inChunks, slicesOf } from '../chunks.ts';
import { nextOrganization } from '../impact/students.ts';
import { disagreementsIn } from '../reference-engine/disagreements.ts';
import { saveDisagreements } from '../reference-engine/fallback.ts';
import { saveAttestation } from './attestation.ts';
import { replayChunk } from './chunk.ts';
import { type OrganizationReplay, type ReplayInput, type ReplayJob, type ReplayTrigger, selectionOf } from './input.ts';
import {
  advanced,
  differingRows,
  type ReplayPosition,
  type ReplayReport,
  type ReplayRow,
  startAfter,
} from './position.ts';

/**
 * Runs of a chunk: enough to make it cheap, few enough that their inputs and rows fit into memory several times. A step has eight
 * chunks, an even share for two threads and for four, each of which runs two at a time.
 */
const runsOfChunk = 125;
/** Runs of a step, by the origin of the replay. */
export const RuleReplayRow = modelOf<
  ReplayRow & { readonly id: number; readonly organizationId: string; readonly jobId: string }
>('rule_replay_row', { id: ['organizationId', 'id'] });

type RunsAtOnce = Readonly<Record<ReplayTrigger, number>>;
/** Every tenth run of a night is also evaluated by the reference engine. */
const comparedEvery = 10;

export const replayModelOf = (atOnce: RunsAtOnce): JobModel<ReplayInput, ReplayPosition> => ({
  kind: 'replay',
  size: (services, job) => sizeOf(services, job as ReplayJob),
  step: (services, job, position) => step(services, job as ReplayJob, position ?? startOf(job.input), atOnce),
  report: async (_services, _job, { fromSeq, toSeq, counts, rowsHash }): Promise<ReplayReport> => ({
    fromSeq,
    toSeq,
    counts,
    rowsHash,
  }),
  saveWithReport: async (trx, job, report, clock) => {
    if (job.input.trigger === 'nightly') await saveAttestation(trx, job, report as ReplayReport, clock);
  },
});

/** Enough to occupy all threads, few enough to end soon when a worker stops. */
export const replayModel = replayModelOf({ request: 1_000, nightly: 100 });

const startOf = (input: ReplayInput): ReplayPosition => startAfter(input.trigger === 'nightly' ? input.after : 0);

const mostOf = (input: ReplayInput): number => (input.trigger === 'nightly' ? input.most : Number.POSITIVE_INFINITY);

/** A night that continues with the first run may reach every run up to the newest one. */
async function sizeOf({ db }: Services, job: ReplayJob): Promise<number> {
  const most = job.input.trigger === 'nightly' ? job.input.most : null;
  let total = 0;
  for (
    let cursor = await placeAfter(db, job, null);
    cursor;
    cursor = await placeAfter(db, job, cursor.organizationId)
  ) {
    const selection = selectionOf(cursor, 0, false);
    total += await reading(db, cursor, (trx) => countRuns(trx, selection, most));
  }
  return total;
}

const reading = <T>(db: Db, { organizationId }: OrganizationReplay, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inReadOnlyContext(db, { organizationId }, work);

/** Returns the next organization; a job of one organization has no other. */
async function placeAfter(db: Db, job: ReplayJob, after: string | null): Promise<OrganizationReplay | undefined> {
  const { organizationId: only } = job;
  const organizationId =
    only === null
      ? await inReadOnlyContext(db, 'SUPER', (trx) => nextOrganization(trx, after ?? ''))
      : after === null
        ? only
        : undefined;
  return organizationId === undefined ? undefined : { ...job, organizationId };
}

async function step(
  services: Services,
  job: ReplayJob,
  at: ReplayPosition,
  atOnce: RunsAtOnce,
): Promise<JobStep<ReplayPosition>> {
  const { organizationId } = at;
  const cursor = organizationId === null ? await placeAfter(services.db, job, null) : { ...job, organizationId };
  if (!cursor) return { done: at.done, position: at, isLast: true };
  const inPlace = await stepIn(services, cursor, { ...at, organizationId: cursor.organizationId }, atOnce);
  const next = inPlace.isLast ? await placeAfter(services.db, job, cursor.organizationId) : undefined;
  if (!next) return inPlace;
  const position = { ...inPlace.position, organizationId: next.organizationId, after: 0 };
  return { ...inPlace, position, isLast: false };
}

async function stepIn(
  services: Services,
  job: OrganizationReplay,
  at: ReplayPosition,
  atOnce: RunsAtOnce,
): Promise<JobStep<ReplayPosition>> {
  const { organizationId, input } = job;
  const limit = Math.min(atOnce[input.trigger], mostOf(input) - at.done);
  const cursors = await reading(services.db, job, (trx) =>
    nextRuns(trx, selectionOf(job, at.after, at.wrapped), limit),
  );
  const seqs = cursors.map(({ seq }) => seq);
  const chunks = slicesOf(byStudent(cursors), runsOfChunk).map((some) => ({ organizationId, seqs: seqsOf(some) }));
  const replayed = (await inChunks(services, replayChunk, chunks)).flat().sort(inOrder);
  const disagreements = await compared(services, job, seqs);
  const [position, isShort] = [advanced(at, seqs, replayed), seqs.length < limit];
  const goesAround = isShort && !at.wrapped && input.trigger === 'nightly' && input.after > 0;
  return {
    done: position.done,
    position: goesAround ? { ...position, after: 0, wrapped: true } : position,
    isLast: position.done >= mostOf(input) || (isShort && !goesAround),
    keep: async (trx) => {
      await saveRows(trx, job, differingRows(replayed));
      await saveDisagreements(trx, job, disagreements, services.clock.now());
    },
  };
}

/** Rows that runs wrote are found by student, so that the runs of one student are replayed together. */
const byStudent = (cursors: readonly RunCursor[]): RunCursor[] =>
  [...cursors].sort((one, other) => one.studentId - other.studentId || inOrder(one, other));

const seqsOf = (cursors: readonly RunCursor[]): number[] => [...cursors].sort(inOrder).map(({ seq }) => seq);

const inOrder = (one: Pick<RunCursor, 'seq'>, other: Pick<RunCursor, 'seq'>): number => one.seq - other.seq;

async function compared({ db, rules }: Services, job: OrganizationReplay, seqs: readonly number[]) {
  const some = job.input.trigger === 'nightly' ? seqs.filter((_, cursor) => cursor % comparedEvery === 0) : [];
  const runs = some.length === 0 ? [] : await reading(db, job, (trx) => runsBySeq(trx, job.organizationId, some));
  return disagreementsIn(db, rules, runs.map(withInput));
}

async function saveRows(
  trx: Trx,
  { organizationId, id: jobId }: OrganizationReplay,
  rows: readonly ReplayRow[],
): Promise<void> {
  if (rows.length > 0) await RuleReplayRow.query(trx).insert(rows.map((row) => ({ organizationId, jobId, ...row })));
}
