// The audit trail of a lesson, newest first.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { LessonAction } from '../enums.ts';
import type { LessonRow } from '../rows/store.ts';
import type { LessonAuditList, LessonAuditQuery } from './schemas.ts';

type Entry = Static<typeof LessonAuditList>['items'][number];

interface LessonAct {
  readonly id: number;
  readonly at: string;
  readonly actorUserId: number | null;
  readonly action: LessonAction;
  readonly changedFields: string[];
}

export async function lessonAudit(
  trx: Trx,
  { organizationId, id: sessionId }: LessonRow,
  { limit = defaultLimit, cursor }: Static<typeof LessonAuditQuery>,
): Promise<Page<Entry>> {
  const [before = null] = keyInCursor(cursor, ['number']) ?? [];
  const rows = await rowsOf<LessonAct>(
    trx,
    `select id, at, actor_user_id, action, changed_fields from session_audit
     where organization_id = :organizationId and session_id = :sessionId and (:before::bigint is null or id < :before)
     order by id desc limit :most`,
    { organizationId, sessionId, before, most: limit + 1 },
  );
  return pageOf(rows, limit, ({ id }) => [id], presentAct);
}

const presentAct = ({ at, actorUserId, action, changedFields }: LessonAct): Entry => ({
  at,
  actorUserId,
  action,
  changedFields,
});
