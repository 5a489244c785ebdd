// The writes of lease holders on the rows of report jobs.
import { leasedRows } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { leaseEnd } from '#core/platform/leases.ts';
import { lockRows } from '#core/platform/locks.ts';
import { User } from '#identity/people/index.ts';
import { ReportFileStudent, ReportJob, StoredReportFile } from './store.ts';
import { mayBegin } from './turns.ts';

type Holding = Pick<Services, 'db' | 'clock'>;

/** A claim is refused while the organization's share is used up, and during a pause. */
export const reportRows = leasedRows<ReportJob>({
  name: ReportJob.tableName,
  within: inContext,
  toRow: (stored) => ReportJob.fromJson(stored, { skipValidation: true }),
  claimed: (trx) => ({ begunAt: trx.raw('clock_timestamp()'), isPaused: false }),
  mayBegin: (trx, { organizationId }) => mayBegin(trx, organizationId),
});

/** Releases the job until its next attempt. Returns false if another process holds it. */
export const pauseReport = (services: Holding, job: ReportJob, seconds: number): Promise<boolean> =>
  reportRows.write(services, job, { heldUntil: services.db.raw(leaseEnd(seconds)), isPaused: true });

export interface FinishedReport {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
  readonly studentIds: readonly number[];
  readonly expiresAt: Date;
}

/**
 * Stores the file and ends the job. Throws LostLease, and Error if a person whom the file names was erased after its facts
 * were read, because the file must not be kept.
 */
export function saveReport({ db, clock }: Holding, job: ReportJob, file: FinishedReport): Promise<void> {
  const { organizationId, id: jobId } = job;
  const { studentIds, bytes, contentType, fileName, expiresAt } = file;
  return inContext(db, { organizationId }, async (trx) => {
    await requireLiving(trx, organizationId, studentIds);
    const ended = { state: 'done', done: trx.ref('total'), finishedAt: clock.now(), expiresAt, heldUntil: null };
    await reportRows.writeIn(trx, job, ended);
    const stored = { bytes: Buffer.from(bytes), contentType, fileName };
    await StoredReportFile.query(trx).insert({ organizationId, jobId, ...stored, expiresAt: expiresAt.toISOString() });
    const rows = studentIds.map((studentId) => ({ organizationId, jobId, studentId }));
    if (rows.length > 0) await ReportFileStudent.query(trx).insert(rows);
  });
}

/** Detects an earlier erasure; a later one finds the file and removes it. */
async function requireLiving(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const living = User.query(trx)
    .where({ organizationId })
    .whereIn('id', [...studentIds])
    .whereNot({ status: 'deleted' });
  const rows: object[] = await lockRows('account', 'exist', living.orderBy('id')).select('id');
  if (rows.length !== new Set(studentIds).size) {
    throw new Error('a person in the document was erased while it was rendered');
  }
}
