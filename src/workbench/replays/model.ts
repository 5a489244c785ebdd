// The job that executes stored runs again, some at a time.

import type { Services } from '../../kernel/services.ts';
import type { JobModel, Step } from '../../long-jobs/index.ts';
import { type Db, inReadOnlyContext, type Trx } from '../../platform/db.ts';
import { countRuns, nextRuns, type Reading, replayRuns } from '../../skill-status/index.ts';
import { nextOrganization } from '../impact/students.ts';
import { disagreementsIn, saveDisagreements } from '../reference-engine/index.ts';
import { saveAttestation } from './attestation.ts';
import { type PlacedReplay, type ReplayInput, type ReplayJob, selectionOf } from './input.ts';
import {
  advanced,
  differingRows,
  type ReplayPosition,
  type ReplayReport,
  type ReplayRow,
  startAfter,
} from './position.ts';

/** Enough to make a step cheap, few enough that their inputs and rows fit into memory several times over. */
const runsAtOnce = 100;
/** Of the runs of a night every tenth is also asked of the reference engine. */
const comparedEvery = 10;

export const replayModel: JobModel<ReplayInput, ReplayPosition> = {
  kind: 'replay',
  size: (services, job) => sizeOf(services, job as ReplayJob),
  step: (services, job, position) => step(services, job as ReplayJob, position ?? startOf(job.input)),
  report: async (_services, _job, { fromSeq, toSeq, counts, rowsHash }): Promise<ReplayReport> => ({
    fromSeq,
    toSeq,
    counts,
    rowsHash,
  }),
  saveWithReport: async (trx, job, report, clock) => {
    if (job.input.trigger === 'nightly') await saveAttestation(trx, job, report as ReplayReport, clock);
  },
};

const startOf = (input: ReplayInput): ReplayPosition => startAfter(input.trigger === 'nightly' ? input.after : 0);

const mostOf = (input: ReplayInput): number => (input.trigger === 'nightly' ? input.most : Number.POSITIVE_INFINITY);

/** A night that goes around meets every run up to the newest one. */
async function sizeOf({ db }: Services, job: ReplayJob): Promise<number> {
  const most = job.input.trigger === 'nightly' ? job.input.most : null;
  let total = 0;
  for (let place = await placeAfter(db, job, null); place; place = await placeAfter(db, job, place.organizationId)) {
    const selection = selectionOf(place, 0, false);
    total += await reading(db, place, (trx) => countRuns(trx, selection, most));
  }
  return total;
}

const reading = <T>(db: Db, { organizationId }: PlacedReplay, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inReadOnlyContext(db, { organizationId }, work);

/** The organization after this one; a job that is about one organization has no other. */
async function placeAfter(db: Db, job: ReplayJob, after: string | null): Promise<PlacedReplay | undefined> {
  const { organizationId: only } = job;
  const organizationId =
    only === null
      ? await inReadOnlyContext(db, 'SUPER', (trx) => nextOrganization(trx, after ?? ''))
      : after === null
        ? only
        : undefined;
  return organizationId === undefined ? undefined : { ...job, organizationId };
}

async function step(services: Services, job: ReplayJob, at: ReplayPosition): Promise<Step<ReplayPosition>> {
  const { organizationId } = at;
  const place = organizationId === null ? await placeAfter(services.db, job, null) : { ...job, organizationId };
  if (!place) return { done: at.done, position: at, isLast: true };
  const inPlace = await stepIn(services, place, { ...at, organizationId: place.organizationId });
  const next = inPlace.isLast ? await placeAfter(services.db, job, place.organizationId) : undefined;
  if (!next) return inPlace;
  const position = { ...inPlace.position, organizationId: next.organizationId, after: 0 };
  return { ...inPlace, position, isLast: false };
}

async function stepIn(services: Services, job: PlacedReplay, at: ReplayPosition): Promise<Step<ReplayPosition>> {
  const { db, rules } = services;
  const limit = Math.min(runsAtOnce, mostOf(job.input) - at.done);
  const inPlace: Reading = (work) => reading(db, job, work);
  const runs = await inPlace((trx) => nextRuns(trx, selectionOf(job, at.after, at.wrapped), limit));
  const replayed = runs.length === 0 ? [] : await replayRuns(inPlace, services, runs);
  const compared = job.input.trigger === 'nightly' ? runs.filter((_, place) => place % comparedEvery === 0) : [];
  const disagreements = await disagreementsIn(db, rules, compared);
  const [position, isShort] = [advanced(at, runs, replayed), runs.length < limit];
  const goesAround = isShort && !at.wrapped && job.input.trigger === 'nightly' && job.input.after > 0;
  return {
    done: position.done,
    position: goesAround ? { ...position, after: 0, wrapped: true } : position,
    isLast: position.done >= mostOf(job.input) || (isShort && !goesAround),
    keep: async (trx) => {
      await saveRows(trx, job, differingRows(replayed));
      await saveDisagreements(trx, job, disagreements, services.clock.now());
    },
  };
}

async function saveRows(
  trx: Trx,
  { organizationId, id: jobId }: PlacedReplay,
  rows: readonly ReplayRow[],
): Promise<void> {
  if (rows.length > 0) await trx('rule_replay_row').insert(rows.map((row) => ({ organizationId, jobId, ...row })));
}
