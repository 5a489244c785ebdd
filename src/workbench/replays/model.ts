// The job that executes stored runs again, some at a time.
import { inReadOnlyContext, type Trx } from '../../platform/db.ts';
import type { Services } from '../../services.ts';
import { countRuns, nextRuns, replayRuns } from '../../skill-status/index.ts';
import type { JobModel, Step } from '../jobs/runner.ts';
import { disagreementsIn, keepDisagreements } from '../shadow/index.ts';
import { keepAttestation } from './attestation.ts';
import { type ReplayInput, type ReplayJob, selectionOf } from './input.ts';
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
/** Of the runs of a night every tenth is also asked of the oracle. */
const shadowEvery = 10;

export const replayModel: JobModel<ReplayInput, ReplayPosition> = {
  kind: 'replay',
  size: (services, job) => reading(services, job, (trx) => sizeOf(trx, job as ReplayJob)),
  step: (services, job, position) => step(services, job as ReplayJob, position ?? startOf(job.input)),
  report: async (_services, _job, { fromSeq, toSeq, counts, rowsHash }): Promise<ReplayReport> => ({
    fromSeq,
    toSeq,
    counts,
    rowsHash,
  }),
  keepWithReport: async (trx, job, report, now) => {
    if (job.input.trigger === 'nightly') await keepAttestation(trx, job, report as ReplayReport, now);
  },
};

const reading = <T>(
  { db }: Services,
  { organizationId }: Pick<ReplayJob, 'organizationId'>,
  work: (trx: Trx) => Promise<T>,
): Promise<T> => inReadOnlyContext(db, { organizationId }, work);

const startOf = (input: ReplayInput): ReplayPosition => startAfter(input.trigger === 'nightly' ? input.after : 0);

const mostOf = (input: ReplayInput): number => (input.trigger === 'nightly' ? input.most : Number.POSITIVE_INFINITY);

/** A night that goes around meets every run up to the newest one. */
const sizeOf = (trx: Trx, job: ReplayJob): Promise<number> =>
  countRuns(trx, selectionOf(job, 0, false), job.input.trigger === 'nightly' ? job.input.most : null);

async function step(services: Services, job: ReplayJob, at: ReplayPosition): Promise<Step<ReplayPosition>> {
  const limit = Math.min(runsAtOnce, mostOf(job.input) - at.done);
  const { position, found, disagreements, isShort } = await reading(services, job, async (trx) => {
    const runs = await nextRuns(trx, selectionOf(job, at.after, at.wrapped), limit);
    const replayed = runs.length === 0 ? [] : await replayRuns(trx, services, runs);
    const shadowed = job.input.trigger === 'nightly' ? runs.filter((_, place) => place % shadowEvery === 0) : [];
    return {
      position: advanced(at, runs, replayed),
      found: differingRows(replayed),
      disagreements: await disagreementsIn(trx, services.rules, shadowed),
      isShort: runs.length < limit,
    };
  });
  const goesAround = isShort && !at.wrapped && job.input.trigger === 'nightly' && job.input.after > 0;
  return {
    done: position.done,
    position: goesAround ? { ...position, after: 0, wrapped: true } : position,
    isLast: position.done >= mostOf(job.input) || (isShort && !goesAround),
    keep: async (trx) => {
      await keepRows(trx, job, found);
      await keepDisagreements(trx, job, disagreements, services.clock.now());
    },
  };
}

async function keepRows(trx: Trx, { organizationId, id: jobId }: ReplayJob, rows: readonly ReplayRow[]): Promise<void> {
  if (rows.length > 0) await trx('rule_replay_row').insert(rows.map((row) => ({ organizationId, jobId, ...row })));
}
