// Reads a stored set in many transactions, and returns the result only when the set did not change meanwhile: another set may
// be uploaded, and an expired set is deleted in batches.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { LmsConnection } from '../connections/rows.ts';

/** How long a set is kept after the last upload. */
export const setKeptDays = 30;
const setKeptMs = setKeptDays * dayMs;
const mostReadings = 5;

/** Sets that were stored at this time or before have expired. */
export const setsEndedAt = (now: Date): Date => new Date(now.getTime() - setKeptMs);

export interface StoredSet {
  readonly services: Pick<Services, 'db' | 'clock'>;
  readonly connection: Pick<LmsConnection, 'organizationId' | 'id'>;
}

interface Seen {
  readonly setNo: number;
  /** False when no set was uploaded or the set has expired. */
  readonly hasSet: boolean;
}

/** Reads the time of one row, because all rows of a set have the same time. */
async function seen({ services: { db, clock }, connection: { organizationId, id } }: StoredSet): Promise<Seen> {
  const [found] = await inReadOnlyContext(db, { organizationId }, (trx) =>
    rowsOf<Seen>(
      trx,
      `select c.set_no, coalesce((select s.stored_at from lms_source_row s
         where s.organization_id = :organizationId and s.connection_id = :id limit 1) > :endedAt, false) as has_set
       from lms_connection c where c.organization_id = :organizationId and c.id = :id`,
      { organizationId, id, endedAt: setsEndedAt(clock.now()).toISOString() },
    ),
  );
  return found ?? { setNo: 0, hasSet: false };
}

/** Reads again when the set was replaced. `read` is called with whether there is a set. */
export async function readWhole<Read>(set: StoredSet, read: (hasSet: boolean) => Promise<Read>): Promise<Read> {
  let before = await seen(set);
  for (let readings = 1; readings <= mostReadings; readings++) {
    const found = await read(before.hasSet);
    const after = await seen(set);
    if (after.setNo === before.setNo && after.hasSet === before.hasSet) return found;
    before = after;
  }
  throw new Error(`a set was replaced ${mostReadings} times while it was read`);
}
