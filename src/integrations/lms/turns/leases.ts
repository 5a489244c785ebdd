// In all processes together, one job of a queue is worked on for each organization. The worker holds a lease of the
// organization and renews it. The lease of a dead process expires.

import { type Db, inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { isFree, leaseEnd, longLeaseSeconds } from '#core/platform/leases.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { OpenJob, QueueName } from './open-jobs.ts';

const lease = leaseEnd(longLeaseSeconds);

export interface QueueTurn {
  readonly organizationId: string;
  readonly queue: QueueName;
  readonly holder: string;
}

const claiming = `
  insert into lms_turn (organization_id, queue, served_at, people_served, held_until, holder)
  values (:organizationId, :queue, clock_timestamp(),
    jsonb_build_object(:person::text, extract(epoch from clock_timestamp())), ${lease}, :holder)
  on conflict (organization_id, queue) do update set served_at = excluded.served_at,
    people_served = lms_turn.people_served || excluded.people_served, held_until = excluded.held_until,
    holder = excluded.holder
  where ${isFree('lms_turn')}
  returning holder`;

/** Returns undefined when another worker serves the organization. */
export async function claimTurn(
  db: Db,
  queue: QueueName,
  { organizationId, personId }: Pick<OpenJob, 'organizationId' | 'personId'>,
): Promise<QueueTurn | undefined> {
  const turn = { organizationId, queue, holder: newId() };
  const rows = await inContext(db, { organizationId }, (trx) =>
    rowsOf(trx, claiming, { ...turn, person: String(personId) }),
  );
  return rows.length > 0 ? turn : undefined;
}

const LmsTurn = modelOf<QueueTurn & { readonly heldUntil: string | null }>('lms_turn', {
  id: ['organizationId', 'queue'],
});

export const renewTurn = (db: Db, { organizationId, queue, holder }: QueueTurn): Promise<unknown> =>
  inContext(db, { organizationId }, (trx) =>
    LmsTurn.query(trx)
      .where({ organizationId, queue, holder })
      .update({ heldUntil: trx.raw(lease) })
      .execute(),
  );

export const releaseTurn = (db: Db, { organizationId, queue, holder }: QueueTurn): Promise<unknown> =>
  inContext(db, { organizationId }, (trx) =>
    LmsTurn.query(trx).where({ organizationId, queue, holder }).update({ heldUntil: null }).execute(),
  );
