// What was done with a blueprint session and by whom, newest first.
import type { Static } from 'typebox';
import { defaultLimit, keyOf, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { SessionAction } from '../enums.ts';
import type { SessionRow } from '../rows/store.ts';
import type { AuditQuery, SessionAuditList } from './schemas.ts';

type Entry = Static<typeof SessionAuditList>['items'][number];

interface Act {
  readonly id: number;
  readonly at: string;
  readonly actorUserId: number | null;
  readonly action: SessionAction;
  readonly changedFields: string[];
}

export async function sessionAudit(
  trx: Trx,
  { organizationId, id: sessionId }: SessionRow,
  { limit = defaultLimit, cursor }: Static<typeof AuditQuery>,
): Promise<Page<Entry>> {
  const [before = null] = keyOf(cursor, ['number']) ?? [];
  const rows = await rowsOf<Act>(
    trx,
    `select id, at, actor_user_id, action, changed_fields from session_audit
     where organization_id = :organizationId and session_id = :sessionId and (:before::bigint is null or id < :before)
     order by id desc limit :most`,
    { organizationId, sessionId, before, most: limit + 1 },
  );
  return pageOf(rows, limit, ({ id }) => [id], presentAct);
}

const presentAct = ({ at, actorUserId, action, changedFields }: Act): Entry => ({
  ...{ at, actorUserId, action, changedFields },
});
