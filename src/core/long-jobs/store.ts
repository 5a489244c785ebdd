// The rows of long jobs: request, progress and report. They belong to the organization that the job concerns, or to none.

import { appendEvents, newEvent } from '../module/events.ts';
import type { Trx } from '../platform/db.ts';
import { AppError, conflict } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { acquireLock, lockRows } from '../platform/locks.ts';
import { modelOf } from '../platform/model.ts';
import { storedOrganization } from '../platform/pure/platform-organization.ts';
import type { JobKind, JobState } from './enums.ts';
import { jobQueued } from './events.ts';

export interface JobRow<Input = unknown, Position = unknown, Report = unknown> {
  readonly id: string;
  readonly kind: JobKind;
  /** Null if the job concerns the whole platform. */
  readonly organizationId: string | null;
  /** The id of the subject: of a draft, of an activation. */
  readonly subject: string;
  readonly input: Input;
  readonly state: JobState;
  readonly done: number;
  readonly total: number;
  /** The position after the last finished step with its intermediate results; null before the first step. */
  readonly position: Position | null;
  readonly report: Report | null;
  /** SHA-256 of the report's canonical text. */
  readonly reportHash: string | null;
  /** Attempts since the job last advanced. */
  attempts: number;
  /** Grows with each holder. */
  readonly token: number;
  /** The code of the failure. */
  readonly issue: string | null;
  readonly requestedBy: number | null;
  /** The failed job that this one repeats. */
  readonly retryOf: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface JobOrder {
  readonly kind: JobKind;
  readonly organizationId: string | null;
  readonly subject: string;
  readonly input: object;
  readonly requestedBy: number | null;
  readonly retryOf?: string;
}

export const RuleJob = modelOf<JobRow>('rule_job', {
  id: ['organizationId', 'id'],
  json: ['input', 'position', 'report'],
});

/** Inserts jobs and the events that start them. Returns their ids in order. Jobs of the platform are found by the sweep. */
export async function orderJobs(trx: Trx, now: Date, orders: readonly JobOrder[]): Promise<string[]> {
  if (orders.length === 0) return [];
  const rows = orders.map((order) => ({ id: newId(), ...order }));
  await RuleJob.query(trx).insert(
    rows.map((row) => ({
      ...row,
      organizationId: storedOrganization(row.organizationId),
      state: 'queued' as const,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    })),
  );
  for (const lane of ['fresh', 'later'] as const) {
    const own = rows.filter(({ kind }) => lane === (kind === 'recompute' ? 'later' : 'fresh'));
    const events = own.flatMap(({ id, organizationId }) =>
      organizationId === null ? [] : [newEvent(jobQueued, organizationId, { jobId: id })],
    );
    await appendEvents(trx, now, events, lane);
  }
  return rows.map(({ id }) => id);
}

/** The most impacts and replays that people have requested and that have not ended, on the whole platform. */
export const mostOpen = 20;
const retryAfterSeconds = 30;

/** Throws RATE_LIMITED if too many jobs are open. The caller is in the SUPER context; concurrent callers wait for the lock. */
export async function admitOrder(trx: Trx): Promise<void> {
  await acquireLock(trx, 'jobOrders');
  const open = await RuleJob.query(trx)
    .whereIn('kind', ['impact', 'replay'])
    .whereIn('state', ['queued', 'running'])
    .whereNotNull('requestedBy')
    .resultSize();
  if (open < mostOpen) return;
  throw new AppError('RATE_LIMITED', 'Many impacts and replays are open. Wait until some have ended.', {
    details: [{ field: '', issue: 'jobs_open' }],
    retryAfter: retryAfterSeconds,
  });
}

export const findJob = (trx: Trx, kind: JobKind, id: string): Promise<JobRow | undefined> =>
  RuleJob.query(trx).where({ kind, id }).first().execute();

/** Cancels a job. Throws CONFLICT `ended` if it has ended. A worker that runs it notices at its next step. */
export async function cancelJob(trx: Trx, job: JobRow, now: Date): Promise<JobRow> {
  await lockRows('job', 'change', RuleJob.query(trx).where({ id: job.id })).select('id');
  const [row]: JobRow[] = await RuleJob.query(trx)
    .where({ id: job.id })
    .whereIn('state', ['queued', 'running'])
    .update({ state: 'cancelled', updatedAt: now.toISOString() })
    .returning('*');
  if (row) return row;
  throw new AppError('CONFLICT', 'The job has already ended.', { details: [{ field: 'jobId', issue: 'ended' }] });
}

/**
 * Orders a failed job again, with the same input, and returns the id of the new job. Throws CONFLICT `state` if the job has not
 * failed or was ordered again already, and RATE_LIMITED as `admitOrder` does. A job without a requester, such as that of a
 * night, stays without one. The caller is in the SUPER context.
 */
export async function retryJob(trx: Trx, job: JobRow, userId: number, now: Date): Promise<string> {
  const { id, kind, organizationId, subject, input } = job;
  if (job.state !== 'failed') throw notRetryable();
  await admitOrder(trx);
  const key = { organizationId: storedOrganization(organizationId) };
  await lockRows('job', 'change', RuleJob.query(trx).where({ ...key, id })).select('id');
  if (
    await RuleJob.query(trx)
      .where({ ...key, retryOf: id })
      .select('id')
      .first()
  )
    throw notRetryable();
  const requestedBy = job.requestedBy === null ? null : userId;
  const order = { kind, organizationId, subject, input: input as object, requestedBy, retryOf: id };
  const [jobId = ''] = await orderJobs(trx, now, [order]);
  return jobId;
}

const notRetryable = () => conflict('state', 'Only a job that has failed is ordered again, and only once.', 'jobId');
