// A job is held for a while by a token that grows with each holder: one who was thought dead, and has lost the job to
// another, writes nothing any more. Leases and pauses are of the database's clock, which all processes share.
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import type { ReportFailure } from '../enums.ts';
import { type ReportCounts, ReportJob } from './store.ts';
import { mayBegin } from './turns.ts';

/** Longer than a lost connection to the database takes to come back. */
const leaseSeconds = 20;

export interface JobKey {
  readonly organizationId: string;
  readonly id: string;
}

const inSeconds = (trx: Trx, seconds: number) => trx.raw("clock_timestamp() + ? * interval '1 second'", [seconds]);

/**
 * The job, held from now on and counted as begun; undefined where another holds it, where it pauses or has ended, and where
 * as many of its organization are under way as may be.
 */
export const claimReport = (db: Db, { organizationId, id }: JobKey): Promise<ReportJob | undefined> =>
  inContext(db, { organizationId }, async (trx) => {
    if (!(await mayBegin(trx, organizationId))) return undefined;
    const [row]: ReportJob[] = await trx('report_job')
      .where({ organizationId, id })
      .whereIn('state', ['queued', 'running'])
      .whereRaw('(held_until is null or held_until < clock_timestamp())')
      .update({
        state: 'running',
        token: trx.raw('token + 1'),
        attempts: trx.raw('attempts + 1'),
        heldUntil: inSeconds(trx, leaseSeconds),
        begunAt: trx.raw('clock_timestamp()'),
        isPaused: false,
      })
      .returning('*');
    return row && ReportJob.fromJson(row, { skipValidation: true });
  });

const held = (trx: Trx, { organizationId, id, token }: ReportJob) =>
  trx('report_job').where({ organizationId, id, token, state: 'running' });

/** False where another holds the job by now. */
export const pauseReport = (db: Db, job: ReportJob, seconds: number): Promise<boolean> =>
  inContext(
    db,
    { organizationId: job.organizationId },
    async (trx) => (await held(trx, job).update({ heldUntil: inSeconds(trx, seconds), isPaused: true })) === 1,
  );

/** Whoever has let the time run out does not get it back. */
export const renewReport = (db: Db, job: ReportJob): Promise<boolean> =>
  inContext(
    db,
    { organizationId: job.organizationId },
    async (trx) =>
      (await held(trx, job)
        .whereRaw('held_until > clock_timestamp()')
        .update({ heldUntil: inSeconds(trx, leaseSeconds) })) === 1,
  );

export interface ReportSize {
  readonly total?: number;
  readonly counts?: ReportCounts;
}

/** What the facts say of the work ahead. False where another holds the job by now. */
export const sizeReport = (db: Db, job: ReportJob, { total = 1, counts }: ReportSize): Promise<boolean> =>
  inContext(
    db,
    { organizationId: job.organizationId },
    async (trx) =>
      (await held(trx, job).update({ done: 0, total, counts: counts ? JSON.stringify(counts) : null })) === 1,
  );

/** The last piece is done with the file. */
export const noteProgress = (db: Db, job: ReportJob, done: number): Promise<void> =>
  inContext(
    db,
    { organizationId: job.organizationId },
    async (trx) => void (await held(trx, job).update({ done: trx.raw('least(?::integer, total - 1)', [done]) })),
  );

export const failReport = (db: Db, job: ReportJob, failureCode: ReportFailure, now: Date): Promise<boolean> =>
  inContext(
    db,
    { organizationId: job.organizationId },
    async (trx) =>
      (await held(trx, job).update({ state: 'failed', failureCode, finishedAt: now, heldUntil: null })) === 1,
  );

export interface FinishedReport {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
  readonly studentIds: readonly number[];
  readonly expiresAt: Date;
}

/**
 * Stores the file and ends the job. `forgotten`: somebody whom it names was erased since its facts were read, so it must not
 * be kept. `lost`: another holds the job by now.
 */
export function saveReport(
  db: Db,
  job: ReportJob,
  file: FinishedReport,
  clock: () => Date,
): Promise<'saved' | 'forgotten' | 'lost'> {
  const { organizationId, id } = job;
  const { studentIds, bytes, contentType, fileName, expiresAt } = file;
  return inContext(db, { organizationId }, async (trx) => {
    if (!(await allLive(trx, organizationId, studentIds))) return 'forgotten';
    const ended = { state: 'done', done: trx.ref('total'), finishedAt: clock(), expiresAt, heldUntil: null };
    if ((await held(trx, job).update(ended)) !== 1) return 'lost';
    await trx('report_file').insert({
      organizationId,
      jobId: id,
      bytes: Buffer.from(bytes),
      contentType,
      fileName,
      expiresAt,
    });
    const rows = studentIds.map((studentId) => ({ organizationId, jobId: id, studentId }));
    if (rows.length > 0) await trx('report_file_student').insert(rows);
    return 'saved';
  });
}

/** An erasure that comes later finds the file; one that came before is seen here. */
async function allLive(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<boolean> {
  const living = trx('app_user')
    .where({ organizationId })
    .whereIn('id', [...studentIds])
    .whereNot({ status: 'deleted' });
  const rows: object[] = await lockRows('account', 'exist', living.orderBy('id')).select('id');
  return rows.length === new Set(studentIds).size;
}
