// Decisions about a student, those of packets included, newest first.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { RtiDecision } from '../rows/decisions.ts';
import { presentDecision } from './present.ts';
import type { DecisionQuery, TierDecisionView } from './schemas.ts';

export async function listDecisions(
  trx: Trx,
  { organizationId, id: studentId }: { readonly organizationId: string; readonly id: number },
  { limit = defaultLimit, cursor }: Static<typeof DecisionQuery>,
): Promise<Page<Static<typeof TierDecisionView>>> {
  const query = RtiDecision.query(trx)
    .where({ organizationId, studentId })
    .orderBy([
      { column: 'committedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(committed_at, id) < (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  return pageOf(await query, limit, ({ committedAt, id }) => [committedAt, id], presentDecision);
}
