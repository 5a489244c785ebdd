// The port of impact simulations: what would have become of the requests of the last days under two rules, and what a shorter
// retention would take at once. Nothing here writes.
import type { ReadTransaction, Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { SimulatedRecords } from '#rules/rulesets/index.ts';
import { loadRecipients } from '../dispatch/people.ts';
import type { Payload } from '../engine/compose.ts';
import { type RuleSides, type SimulatedRequest, simulateRequest } from '../engine/simulate.ts';

interface AskedOf extends SimulatedRecords {
  readonly kind: string;
}

interface StoredRequest {
  readonly eventId: number;
  readonly recipientUserId: number;
  readonly studentId: number | null;
  readonly notificationId: string | null;
  readonly kind: string;
  readonly payload: Payload;
}

export type SimulatedRow = SimulatedRequest & Pick<StoredRequest, 'eventId' | 'studentId' | 'notificationId'>;

/** By student, then in the order of asking. Names and recipients are those of today. */
export async function simulatedRequests(
  reading: ReadTransaction,
  sides: RuleSides,
  asked: AskedOf,
): Promise<SimulatedRow[]> {
  const { rows, people } = await reading(async (trx) => {
    const found = await requestsOf(trx, asked);
    return { rows: found, people: await loadRecipients(trx, asked.organizationId, found) };
  });
  return rows.map((row) => {
    const { eventId, studentId, notificationId } = row;
    return {
      ...simulateRequest(sides, row, people.recipient(row.recipientUserId), people),
      ...{ eventId, studentId, notificationId },
    };
  });
}

const requestsOf = (trx: Trx, asked: AskedOf): Promise<StoredRequest[]> =>
  rowsOf(
    trx,
    `select q.event_id, q.recipient_user_id, q.student_id, q.notification_id, q.kind, q.payload
     from notification_request q
     where q.organization_id = :organizationId and q.kind = :kind and q.requested_at > :since and q.requested_at <= :asOf
       and (q.student_id = any(:studentIds::bigint[]) ${orWithoutStudent(asked, 'q')}) order by q.student_id, q.id`,
    bindingsOf(asked),
  );

/** Only where they are wanted: no index leads to them. */
const orWithoutStudent = ({ withoutStudent }: AskedOf, alias: string): string =>
  withoutStudent ? `or ${alias}.student_id is null` : '';

/** Counts rows that would no longer be kept: notifications created after the first instant and by the second. */
export async function countNotified(trx: Trx, asked: AskedOf): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `select count(*)::integer as count from notification n
     where n.organization_id = :organizationId and n.kind = :kind and n.created_at > :since and n.created_at <= :asOf
       and (n.student_id = any(:studentIds::bigint[]) ${orWithoutStudent(asked, 'n')})`,
    bindingsOf(asked),
  );
  return row?.count ?? 0;
}

const bindingsOf = ({ organizationId, studentIds, kind, since, asOf }: AskedOf) => ({
  ...{ organizationId, studentIds: [...studentIds], kind, since, asOf },
});
