// A stored set is read in many transactions. What was read is handed on only where the set was the same all the time: another
// may be uploaded meanwhile, and one that has had its time is deleted in batches.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { LmsConnection } from '../connections/rows.ts';

/** How long a set is kept after it, or a change of it, was uploaded. */
export const setKeptDays = 30;
const setKeptMs = setKeptDays * dayMs;
const mostReadings = 5;

/** Sets that were stored at this moment or before are as good as deleted. */
export const setsEndedAt = (now: Date): Date => new Date(now.getTime() - setKeptMs);

export interface StoredSet {
  readonly services: Pick<Services, 'db' | 'clock'>;
  readonly connection: Pick<LmsConnection, 'organizationId' | 'id'>;
}

interface Seen {
  readonly setNo: number;
  /** False: none was uploaded, or it has had its time. */
  readonly isThere: boolean;
}

/** All rows of a set were stored at the same moment. */
async function seen({ services: { db, clock }, connection: { organizationId, id } }: StoredSet): Promise<Seen> {
  const [found] = await inReadOnlyContext(db, { organizationId }, (trx) =>
    rowsOf<Seen>(
      trx,
      `select c.set_no, coalesce((select s.stored_at from lms_source_row s
         where s.organization_id = :organizationId and s.connection_id = :id limit 1) > :endedAt, false) as is_there
       from lms_connection c where c.organization_id = :organizationId and c.id = :id`,
      { organizationId, id, endedAt: setsEndedAt(clock.now()).toISOString() },
    ),
  );
  return found ?? { setNo: 0, isThere: false };
}

/** Reads again where the set has become another one. `read` is told whether there is one. */
export async function readWhole<Read>(set: StoredSet, read: (isThere: boolean) => Promise<Read>): Promise<Read> {
  let before = await seen(set);
  for (let readings = 1; readings <= mostReadings; readings++) {
    const found = await read(before.isThere);
    const after = await seen(set);
    if (after.setNo === before.setNo && after.isThere === before.isThere) return found;
    before = after;
  }
  throw new Error(`a set was replaced ${mostReadings} times while it was read`);
}
