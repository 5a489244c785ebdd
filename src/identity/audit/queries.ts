// Reads of the record of administrative writes.

import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import { StoredAuditEntry } from '#core/module/audit-writer.ts';
import type { Trx } from '#core/platform/db.ts';
import { type AuditEntry, presentAuditEntry } from './present.ts';

export interface AuditFilter extends PageQuery {
  readonly organizationId?: string;
  /** The kind of entity, such as `class`. */
  readonly entity?: string;
  readonly entityId?: string;
  /** User id of the person who made the change. */
  readonly actor?: number;
  /** ISO 8601; inclusive. */
  readonly from?: string;
  /** ISO 8601; exclusive. */
  readonly to?: string;
}

/** Returns all entries about one entity, oldest first. It has no pages: call it for entities that change rarely. */
export const changesOf = (
  trx: Trx,
  of: { readonly organizationId: string; readonly entity: string; readonly entityId: string },
): Promise<Pick<AuditEntry, 'at' | 'actorUserId' | 'action' | 'changedFields'>[]> =>
  StoredAuditEntry.query(trx).where(of).orderBy('id').select('at', 'actorUserId', 'action', 'changedFields').execute();

const tableOf = (entity: string) => (entity === 'user' ? 'app_user' : entity);

/** Returns the entries that the transaction's context may see, newest first: one organization's, or those of all. */
export async function listAudit(trx: Trx, filter: AuditFilter): Promise<Page<ReturnType<typeof presentAuditEntry>>> {
  const { organizationId, entity, entityId, actor, from, to, limit = defaultLimit, cursor } = filter;
  const query = StoredAuditEntry.query(trx)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  const before = keyInCursor(cursor, ['number'])?.[0];
  if (before !== undefined) query.where('id', '<', before);
  if (organizationId !== undefined) query.where({ organizationId });
  if (entity !== undefined) query.where('entity', tableOf(entity));
  if (entityId !== undefined) query.where({ entityId });
  if (actor !== undefined) query.where({ actorUserId: actor });
  if (from !== undefined) query.where('at', '>=', from);
  if (to !== undefined) query.where('at', '<', to);
  const rows: AuditEntry[] = await query.select('*');
  return pageOf(rows, limit, ({ id }) => [id], presentAuditEntry);
}
