// Writes of a long job's row under its lease.
import type { Services } from '../module/services.ts';
import { onPlatform, type Trx } from '../platform/db.ts';
import { canonicalHash } from '../platform/pure/canonical-json.ts';
import type { JobKind } from './enums.ts';
import { leasedRows } from './leased-job.ts';
import type { JobRow } from './store.ts';

/** The jobs of these kinds. A process leaves jobs of kinds that it does not know to other processes. */
export const jobRows = (kinds: readonly JobKind[]) =>
  leasedRows<JobRow>({
    name: 'rule_job',
    kinds,
    // A step may write an alert of the platform beside the rows of its organization.
    within: (db, { organizationId }, work) =>
      onPlatform(db, organizationId === null ? 'SUPER' : { organizationId }, work),
    toRow: (stored) => stored as JobRow,
    written: (updatedAt) => ({ updatedAt }),
  });

/** The writes of the lease holder. Each returns false if the job was cancelled or another process holds the lease. */
export function holderOf(services: Pick<Services, 'db' | 'clock'>, job: JobRow) {
  const rows = jobRows([job.kind]);
  const write = (values: object, keep?: (trx: Trx) => Promise<void>) => rows.write(services, job, values, keep);
  return {
    size: (total: number) => write({ total }),
    /** `keep` writes the results of the step in the transaction of its position, so that a step counts once. */
    advance: (done: number, position: unknown, keep?: (trx: Trx) => Promise<void>) =>
      write({ done, position: JSON.stringify(position), attempts: 0, ...rows.renewed(services.db) }, keep),
    finish: (report: unknown, keep?: (trx: Trx) => Promise<void>) =>
      write(
        {
          state: 'done',
          report: JSON.stringify(report),
          reportHash: canonicalHash(report),
          position: null,
          heldUntil: null,
        },
        keep,
      ),
    fail: (issue: string) => write({ state: 'failed', issue, heldUntil: null }),
    release: () => rows.release(services, job),
  };
}
