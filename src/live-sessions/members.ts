// The students whom a teacher's body names: of the organization, within the caller's reach, and in the class of the session.
import type { Actor } from '../http/route.ts';
import type { Trx } from '../platform/db.ts';
import { denied, invalid, notFound } from '../platform/errors.ts';
import { rowsOf } from '../platform/sql.ts';
import type { LiveSessionRow } from './rows/session.ts';

export interface NamedStudent {
  readonly studentId: number;
  /** Where the body names it, as `seats.3.studentId`. */
  readonly field: string;
}

interface Found {
  readonly isKnown: boolean;
  readonly isReached: boolean;
  readonly isMember: boolean;
}

/** One statement. NOT_FOUND goes before PERMISSION_DENIED, and that before VALIDATION_ERROR `not_in_class`. */
export async function requireMembers(
  { trx, actor }: { readonly trx: Trx; readonly actor: Actor },
  { organizationId, classId }: Pick<LiveSessionRow, 'organizationId' | 'classId'>,
  named: readonly NamedStudent[],
): Promise<void> {
  const found = await rowsOf<Found>(
    trx,
    `select u.id is not null as is_known, t.class_id is not null as is_reached, e.class_id = :classId as is_member
     from unnest(:studentIds::bigint[]) with ordinality as n (student_id, place)
     left join app_user u on u.organization_id = :organizationId and u.id = n.student_id
       and u.primary_persona = 'STUDENT' and u.status <> 'deleted'
     left join enrollment e on e.organization_id = :organizationId and e.student_id = u.id and e.enrolled_to is null
     left join class_teacher t on t.organization_id = :organizationId and t.class_id = e.class_id
       and t.teacher_user_id = :userId
     order by n.place`,
    { organizationId, classId, userId: actor.userId, studentIds: named.map(({ studentId }) => studentId) },
  );
  if (found.some(({ isKnown }) => !isKnown)) throw notFound();
  if (found.some(({ isReached }) => !isReached)) throw denied('This is outside the classes that you teach.');
  const stranger = found.findIndex(({ isMember }) => !isMember);
  if (stranger !== -1) throw invalid(named[stranger]?.field ?? '', 'not_in_class');
}
