// Lists a student's celebrations and marks them as seen, once each.

import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { RewardCelebration } from '../ledger/models.ts';
import type { CelebrationRow } from '../ledger/rows.ts';
import type { Celebration, CelebrationQuery } from './schemas.ts';

type Shown = Static<typeof Celebration>;

interface StudentKey {
  readonly organizationId: string;
  readonly id: number;
}

/** Returns a page of celebrations, newest first. */
export async function celebrationsOf(
  trx: Trx,
  { organizationId, id: studentId }: StudentKey,
  { seen, limit = defaultLimit, cursor }: Static<typeof CelebrationQuery>,
): Promise<Page<Shown>> {
  const query = RewardCelebration.query(trx)
    .where({ organizationId, studentId })
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (seen !== undefined) query.whereRaw(seen ? 'seen_at is not null' : 'seen_at is null');
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(created_at, id) < (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  const rows: CelebrationRow[] = await query;
  return pageOf(rows, limit, ({ createdAt, id }) => [createdAt, id], presentCelebration);
}

/** Idempotent: the first `seenAt` stays. With a clock that was set back, `seenAt` is never before `createdAt`. */
export async function markSeen(
  trx: Trx,
  { organizationId, studentId, id }: Pick<CelebrationRow, 'organizationId' | 'studentId' | 'id'>,
  now: Date,
): Promise<Shown> {
  const one = () => RewardCelebration.query(trx).where({ organizationId, studentId, id });
  const seenAt = trx.raw('greatest(created_at, ?::timestamptz)', [now.toISOString()]);
  await one().whereNull('seenAt').update({ seenAt });
  return presentCelebration(await one().first().throwIfNotFound());
}

const presentCelebration = ({ id, kind, value, createdAt, seenAt }: CelebrationRow): Shown => ({
  ...{ id, kind, value, createdAt, seenAt },
});
