// The rows of long jobs as their holders write them.
import type { Services } from '../module/services.ts';
import { onPlatform, type Trx } from '../platform/db.ts';
import { canonicalHash } from '../platform/pure/canonical-json.ts';
import type { JobKind } from './enums.ts';
import { leasedRows } from './leased-job.ts';
import type { JobRow } from './store.ts';

/** Of these kinds: a process leaves those that it does not know to others. */
export const jobRows = (kinds: readonly JobKind[]) =>
  leasedRows<JobRow>({
    name: 'rule_job',
    kinds,
    // What a step keeps may be an alert of the platform beside the rows of its organization.
    within: (db, { organizationId }, work) =>
      onPlatform(db, organizationId === null ? 'SUPER' : { organizationId }, work),
    toRow: (stored) => stored as JobRow,
    written: (updatedAt) => ({ updatedAt }),
  });

/** The writes of a holder. False: the job was cancelled, or another holds it by now. */
export function holderOf(services: Pick<Services, 'db' | 'clock'>, job: JobRow) {
  const rows = jobRows([job.kind]);
  const write = (values: object, keep?: (trx: Trx) => Promise<void>) => rows.write(services, job, values, keep);
  return {
    size: (total: number) => write({ total }),
    /** `keep` writes what the step found, in the same transaction as the position: a step counts once. */
    advance: (done: number, position: unknown, keep?: (trx: Trx) => Promise<void>) =>
      write({ done, position: JSON.stringify(position), attempts: 0, ...rows.renewed(services.db) }, keep),
    finish: (report: unknown, keep?: (trx: Trx) => Promise<void>) =>
      write(
        {
          ...{ state: 'done', report: JSON.stringify(report), reportHash: canonicalHash(report) },
          ...{ position: null, heldUntil: null },
        },
        keep,
      ),
    fail: (issue: string) => write({ state: 'failed', issue, heldUntil: null }),
    release: () => rows.release(services, job),
  };
}
