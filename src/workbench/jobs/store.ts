// The rows of long jobs: what was asked, how far it is, what came out. They belong to the organization they look at.
import { type Db, inContext, type Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { promise } from '../../platform/outbox.ts';
import { canonicalHash } from '../../platform/pure/canonical-json.ts';

export type JobKind = 'impact' | 'replay' | 'recompute';
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

export interface JobRow<Input = unknown, Position = unknown, Report = unknown> {
  readonly id: string;
  readonly kind: JobKind;
  readonly organizationId: string;
  /** What the job is about: a draft's id, an activation's id. */
  readonly subject: string;
  readonly input: Input;
  readonly state: JobState;
  readonly done: number;
  readonly total: number;
  /** Where the job goes on, with what it has found so far; null before the first step. */
  readonly position: Position | null;
  readonly report: Report | null;
  /** SHA-256 of the report's canonical text. */
  readonly reportHash: string | null;
  readonly failures: number;
  /** Why it failed: a code of ours. */
  readonly issue: string | null;
  readonly requestedBy: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface JobOrder {
  readonly kind: JobKind;
  readonly organizationId: string;
  readonly subject: string;
  readonly input: object;
  readonly requestedBy: number | null;
}

export const jobQueuedTopic = 'rule_job.queued';

/** Writes the jobs and the promises to run them; answers their ids in order. */
export async function orderJobs(trx: Trx, now: Date, orders: readonly JobOrder[]): Promise<string[]> {
  if (orders.length === 0) return [];
  const rows = orders.map((order) => ({ id: newId(), ...order }));
  await trx('rule_job').insert(
    rows.map((row) => ({
      ...row,
      input: JSON.stringify(row.input),
      state: 'queued',
      createdAt: now,
      updatedAt: now,
    })),
  );
  const events = rows.map(({ id, organizationId }) => {
    return { organizationId, topic: jobQueuedTopic, payload: { jobId: id } };
  });
  await promise(trx, now, events);
  return rows.map(({ id }) => id);
}

export const findJob = (trx: Trx, kind: JobKind, id: string): Promise<JobRow | undefined> =>
  trx('rule_job').where({ kind, id }).first();

/** A job that has ended stays as it is: CONFLICT `ended`. A worker in the middle of it notices at its next step. */
export async function cancelJob(trx: Trx, job: JobRow, now: Date): Promise<JobRow> {
  const [row]: JobRow[] = await trx('rule_job')
    .where({ id: job.id })
    .whereIn('state', ['queued', 'running'])
    .update({ state: 'cancelled', updatedAt: now })
    .returning('*');
  if (row) return row;
  throw new AppError('CONFLICT', 'The job has already ended.', { details: [{ field: 'jobId', issue: 'ended' }] });
}

/** Progress is written only while the job runs: false tells that it was cancelled or taken away. */
async function update(trx: Trx, id: string, values: object, from: readonly JobState[] = ['running']): Promise<boolean> {
  return (
    (await trx('rule_job')
      .where({ id })
      .whereIn('state', [...from])
      .update(values)) === 1
  );
}

/** The writes of a worker on its job, each in a transaction of its own. */
export function jobWriter(db: Db, { id, organizationId }: Pick<JobRow, 'id' | 'organizationId'>, clock: () => Date) {
  const within = <T>(work: (trx: Trx) => Promise<T>) => inContext(db, { organizationId }, work);
  return {
    load: (): Promise<JobRow | undefined> => within((trx) => trx('rule_job').where({ id }).first()),
    begin: (total: number) =>
      within((trx) => update(trx, id, { state: 'running', total, updatedAt: clock() }, ['queued', 'running'])),
    /** `keep` writes what the step found, in the same transaction as the position: a step counts once. */
    advance: (done: number, position: unknown, keep?: (trx: Trx) => Promise<void>) =>
      within(async (trx) => {
        const values = { done, position: JSON.stringify(position), updatedAt: clock() };
        const isMine = await update(trx, id, values);
        if (isMine) await keep?.(trx);
        return isMine;
      }),
    finish: (report: unknown, keep?: (trx: Trx) => Promise<void>) =>
      within(async (trx) => {
        const reportHash = canonicalHash(report);
        const values = {
          state: 'done',
          report: JSON.stringify(report),
          reportHash,
          position: null,
          updatedAt: clock(),
        };
        const isMine = await update(trx, id, values);
        if (isMine) await keep?.(trx);
        return isMine;
      }),
    fail: (issue: string) =>
      within((trx) => update(trx, id, { state: 'failed', issue, updatedAt: clock() }, ['queued', 'running'])),
    countFailure: (failures: number) =>
      within((trx) => update(trx, id, { failures, updatedAt: clock() }, ['queued', 'running'])),
  };
}
