// Pages of a student's mastery events, each page with the rows booked under its events.

import type { Static } from 'typebox';
import { instantOf } from '#core/http/instants.ts';
import { defaultLimit, keyInCursor, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { findStudent } from '#identity/people/index.ts';
import { MasteryEvent, StudentBadge, StudentBadgeRescind, XpTransaction } from '../ledger/models.ts';
import type { BadgeRow, MasteryEventRow, RescindRow, XpRow } from '../ledger/rows.ts';
import { voidedSessions } from './evidence.ts';
import { presentBadge, presentEvent, presentRescind, presentXp } from './present.ts';
import type { RewardAuditQuery, RewardAuditView } from './schemas.ts';

type Query = Static<typeof RewardAuditQuery>;

/** Throws NOT_FOUND for a student out of reach, VALIDATION_ERROR for a span that ends before it begins. */
export async function auditOf(trx: Trx, query: Query): Promise<Static<typeof RewardAuditView>> {
  const { limit = defaultLimit, cursor } = query;
  const span = spanAsked(query);
  const after = keyInCursor(cursor, ['number'])?.[0];
  const { row: student } = await findStudent(trx, query.studentId);
  const own = { organizationId: student.organizationId, studentId: student.id };
  const events = MasteryEvent.query(trx)
    .where(own)
    .orderBy('id')
    .limit(limit + 1);
  if (after !== undefined) events.where('id', '>', after);
  if (span.from !== null) events.where('occurredAt', '>=', span.from);
  if (span.to !== null) events.where('occurredAt', '<', span.to);
  const rows: MasteryEventRow[] = await events;
  const page = pageOf(
    rows,
    limit,
    ({ id }) => [id],
    (row) => row,
  );
  const voided = await voidedSessions(
    trx,
    own,
    page.items.map(({ sessionKey }) => sessionKey),
  );
  const items = page.items.map((row) => presentEvent(row, voided.has(row.sessionKey)));
  const { nextCursor } = page;
  const booked = await bookedUnder(
    trx,
    own,
    items.map(({ id }) => id),
  );
  return { studentId: student.id, ...span, masteryEvents: items, ...booked, nextCursor };
}

function spanAsked({ from, to }: Query): { readonly from: string | null; readonly to: string | null } {
  const span = {
    from: from === undefined ? null : instantOf(from, 'from'),
    to: to === undefined ? null : instantOf(to, 'to'),
  };
  if (span.from !== null && span.to !== null && span.from > span.to) throw invalid('from', 'must not be after to');
  return span;
}

type Own = Pick<MasteryEventRow, 'organizationId' | 'studentId'>;

async function bookedUnder(trx: Trx, own: Own, eventIds: readonly number[]) {
  const xp: XpRow[] = await XpTransaction.query(trx)
    .where(own)
    .whereIn('masteryEventId', [...eventIds])
    .orderBy('id');
  const badges: BadgeRow[] = await StudentBadge.query(trx)
    .where(own)
    .whereIn('triggeringMasteryEventId', [...eventIds])
    .orderBy('id');
  const rescinds: RescindRow[] = await StudentBadgeRescind.query(trx)
    .where(own)
    .whereIn(
      'studentBadgeId',
      badges.map(({ id }) => id),
    )
    .orderBy('id');
  return {
    xpTransactions: xp.map(presentXp),
    badges: badges.map(presentBadge),
    rescinds: rescinds.map(presentRescind),
  };
}
