// Slots of streams: three for each person across all processes. A row is one stream; each process renews its lease every few
// seconds, and the slots of a process without a valid lease are free.

import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { leaseEnd, leaseSeconds } from '#core/platform/leases.ts';
import { acquireNamedLock, lockRows } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';

/** Streams of one person at once. */
const mostOfUser = 3;
const lease = leaseEnd(leaseSeconds);
/** A slot whose stream was not opened within this time is freed. */
const openWithinSeconds = 30;

/** A process that serves streams. */
const StreamProcess = modelOf<{ readonly id: string; readonly heldUntil: string }>('stream_process');

const StreamSlot = modelOf<{ readonly id: string; readonly processId: string; readonly userId: number }>(
  'stream_place',
);

export interface StreamSlots {
  /** Returns the id of the slot. Throws RATE_LIMITED when the person has all slots in use. */
  take(userId: number): Promise<string>;
  leave(ids: readonly string[]): Promise<void>;
  /** Renews the lease of this process for its open slots. Returns the slots that it still has. */
  renew(open: readonly string[]): Promise<ReadonlySet<string>>;
  leaveAll(): Promise<void>;
}

export function streamSlots(db: Db): StreamSlots {
  const processId = newId();
  return {
    take: (userId) => inContext(db, 'SUPER', (trx) => takeSlot(trx, processId, userId)),
    leave: (ids) =>
      inContext(db, 'SUPER', async (trx) => {
        await StreamSlot.query(trx)
          .where({ processId })
          .whereIn('id', [...ids])
          .delete();
      }),
    renew: (open) => inContext(db, 'SUPER', (trx) => renewed(trx, processId, open)),
    leaveAll: () =>
      inContext(db, 'SUPER', async (trx) => {
        await StreamProcess.query(trx).where({ id: processId }).delete();
      }),
  };
}

/** Adds the row of the process again when its lease has expired. */
async function takeSlot(trx: Trx, processId: string, userId: number): Promise<string> {
  await acquireNamedLock(trx, 'streams', userId);
  const [slot] = await rowsOf<{ id: string }>(
    trx,
    `with process as (
       insert into stream_process as p (id, held_until) values (:processId, ${lease})
       on conflict (id) do update set held_until = excluded.held_until where p.held_until <= clock_timestamp()),
     held as (
       select count(*) from stream_place t join stream_process p on p.id = t.process_id
       where t.user_id = :userId and p.held_until > clock_timestamp())
     insert into stream_place (process_id, id, user_id, taken_at)
     select :processId, :id, :userId, clock_timestamp() from held where held.count < :most
     returning id`,
    { processId, id: newId(), userId, most: mostOfUser },
  );
  if (slot) return slot.id;
  throw new AppError('RATE_LIMITED', 'You have three streams open. Close one first.', { retryAfter: 5 });
}

async function renewed(trx: Trx, processId: string, open: readonly string[]): Promise<ReadonlySet<string>> {
  await trx.raw(
    `insert into stream_process (id, held_until) values (?, ${lease})
     on conflict (id) do update set held_until = excluded.held_until`,
    [processId],
  );
  await trx.raw(
    `delete from stream_place where process_id = ? and id <> all(?::text[])
       and taken_at < clock_timestamp() - interval '${openWithinSeconds} seconds'`,
    [processId, [...open]],
  );
  const dead = StreamProcess.query(trx).whereRaw('held_until <= clock_timestamp()').orderBy('id');
  await StreamProcess.query(trx)
    .whereIn('id', lockRows('streamProcess', 'remove', dead).skipLocked().select('id'))
    .delete();
  const own: { id: string }[] = await StreamSlot.query(trx).where({ processId }).select('id');
  return new Set(own.map(({ id }) => id));
}
