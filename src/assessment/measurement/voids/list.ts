// Presents voids, and lists those of a student with the ones of merged accounts, newest first.
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { loadCorrections } from '../evidence/corrections/load.ts';
import { present } from '../evidence/engine/corrections.ts';
import { EvidenceVoid } from './store.ts';

export const presentVoid = (row: EvidenceVoid) => ({
  voidId: row.id,
  studentId: row.studentId,
  kind: row.kind,
  refId: row.refId,
  reasonCode: row.reasonCode,
  at: row.at,
  byUserId: row.byUserId,
  restoredAt: row.restoredAt,
  restoredByUserId: row.restoredByUserId,
});

export async function listVoids(
  trx: Trx,
  { organizationId, id }: StudentInScope,
  { limit = defaultLimit, cursor }: PageQuery,
): Promise<Page<ReturnType<typeof presentVoid>>> {
  const after = keyInCursor(cursor, ['number'])?.[0];
  const { accountsAt } = await loadCorrections(trx, organizationId, [id]);
  const query = EvidenceVoid.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...accountsAt(id, present)])
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after !== undefined) query.where('id', '<', after);
  return pageOf(await query, limit, (row) => [row.id], presentVoid);
}
