// The distributed lessons of the calling student, newest first.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { lessonItemView } from '../../lesson-blueprints/index.ts';
import { contentsOf, type LessonContent } from '../content/content.ts';
import type { LessonRow } from '../rows/store.ts';
import type { AssignedList, AssignedQuery } from './schemas.ts';

type Assigned = Static<typeof AssignedList>['items'][number];
type AssignedRow = Pick<LessonRow, 'id' | 'blueprintId' | 'removedItemRefs' | 'segmentOrder'> & {
  readonly distributedAt: string;
  readonly answered: number;
};

/** The number of statements does not depend on the number of lessons. */
export async function assignedLessons(
  { trx, actor }: { readonly trx: Trx; readonly actor: Actor },
  { limit = defaultLimit, cursor }: Static<typeof AssignedQuery>,
): Promise<Page<Assigned>> {
  if (actor.organizationId === null) throw notFound();
  const [at = null, id = null] = keyInCursor(cursor, ['instant', 'string']) ?? [];
  const rows = await rowsOf<AssignedRow>(
    trx,
    `select s.id, s.blueprint_id, s.removed_item_refs, s.segment_order, s.distributed_at,
       (select count(*)::integer from session_response a where a.organization_id = s.organization_id
         and a.session_id = s.id and a.school_year = s.school_year and a.student_id = r.student_id) as answered
     from session_recipient r
     join teaching_session s on s.organization_id = r.organization_id and s.id = r.session_id
     where r.organization_id = :organizationId and r.student_id = :studentId and r.state = 'included'
       and s.state = 'distributed' and (:at::timestamptz is null or (s.distributed_at, s.id) < (:at::timestamptz, :id))
     order by s.distributed_at desc, s.id desc limit :most`,
    { organizationId: actor.organizationId, studentId: actor.userId, at, id, most: limit + 1 },
  );
  const contents = await contentsOf(trx, rows);
  return pageOf(
    rows,
    limit,
    (row) => [row.distributedAt, row.id],
    (row) => presentAssigned(row, contents.get(row.id)),
  );
}

const presentAssigned = ({ id, answered }: AssignedRow, content: LessonContent | undefined): Assigned => ({
  sessionId: id,
  titleAr: content?.titleAr ?? '',
  items: (content?.items ?? []).map(lessonItemView),
  answered,
});
