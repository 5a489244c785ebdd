// Scopes of profiles and leaderboards. Rows out of reach are reported like missing rows (60 §1): a classmate's profile
// and another teacher's class return 404.
import type { Scoped } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import { AppError, denied, notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import {
  findClassInReach,
  findSchoolInReach,
  findStudent,
  findStudentInReach,
  ParentStudent,
  SchoolClass,
  type StudentInScope,
  staff,
  studentOfAccount,
} from '#identity/people/index.ts';

type Request = Parameters<AppScope<unknown>['resolve']>[0];

/** Reports PERMISSION_DENIED as NOT_FOUND. */
async function asNotFound<Row>(found: Promise<Scoped<Row>>): Promise<Scoped<Row>> {
  try {
    return await found;
  } catch (error) {
    throw error instanceof AppError && error.code === 'PERMISSION_DENIED' ? notFound() : error;
  }
}

async function ownChild({ trx, actor }: Request, id: string): Promise<Scoped<StudentInScope>> {
  const { organizationId, userId: parentUserId } = actor;
  const linked = ParentStudent.query(trx)
    .where({ organizationId: organizationId ?? '', parentUserId })
    .where('studentId', studentOfAccount(trx, organizationId, Number(id)))
    .select('studentId')
    .first();
  const [student, link] = await Promise.all([findStudent(trx, id), linked]);
  if (!link) throw denied('You are not linked to this child.');
  return student;
}

async function ownStudent({ trx, actor }: Request, id: string): Promise<Scoped<StudentInScope>> {
  const student = await findStudent(trx, id);
  if (student.row.id !== actor.userId) throw notFound();
  return student;
}

export const profiledStudent: AppScope<StudentInScope> = {
  reach: 'S; linked child; self',
  resolve: (request) => {
    const { actor, params } = request;
    const id = params.id ?? '';
    if (actor.persona === 'PARENT') return ownChild(request, id);
    return actor.persona === 'STUDENT' ? ownStudent(request, id) : asNotFound(findStudentInReach(request, id, staff));
  },
};

/** The students of a leaderboard. */
export interface Board {
  readonly organizationId: string;
  readonly scope: 'class' | 'teacher' | 'school';
  /** Null means all classes of the school. */
  readonly classIds: readonly number[] | null;
  readonly schoolId: string | null;
}

export const classBoard: AppScope<Board> = {
  reach: 'C (other 404)',
  resolve: async (request) => {
    const id = SchoolClass.query(request.trx).where({ id: request.params.classId }).select('id').toKnexQuery();
    const { row, ...found } = await asNotFound(findClassInReach(request, id, staff));
    return {
      ...found,
      row: { organizationId: row.organizationId, scope: 'class', classIds: [row.id], schoolId: null },
    };
  },
};

/** Throws PERMISSION_DENIED for teachers before any lookup. */
export const schoolBoard: AppScope<Board> = {
  reach: 'SC (principal, admin; TEACHER 403)',
  resolve: async (request) => {
    if (request.actor.persona === 'TEACHER') throw denied();
    const { row, ...found } = await asNotFound(
      findSchoolInReach(request, request.params.schoolId, ['PRINCIPAL', 'ADMIN']),
    );
    return { ...found, row: { organizationId: row.organizationId, scope: 'school', classIds: null, schoolId: row.id } };
  },
};

interface TeacherRow {
  readonly organizationId: string;
  readonly isDemo: boolean;
  readonly classIds: readonly number[];
}

export const teacherBoard: AppScope<Board> = {
  reach: 'own; principal, admin in scope (other 404)',
  resolve: async ({ trx, actor, params }) => {
    const [row] = await rowsOf<TeacherRow>(trx, taughtStatement(actor.organizationId !== null), {
      ...{ organizationId: actor.organizationId ?? '', teacherUserId: Number(params.teacherUserId) },
      ...{ isPrincipal: actor.persona === 'PRINCIPAL', callerId: actor.userId },
    });
    const isOther = actor.persona === 'TEACHER' && Number(params.teacherUserId) !== actor.userId;
    if (!row || isOther || (actor.persona === 'PRINCIPAL' && row.classIds.length === 0)) throw notFound();
    const { organizationId, isDemo, classIds } = row;
    return {
      row: { organizationId, scope: 'teacher', classIds, schoolId: null },
      organization: { id: organizationId, isDemo },
    };
  },
};

/** Selects the classes of a teacher; for a principal only those in own schools. */
const taughtStatement = (isOwn: boolean): string => `
  select u.organization_id, o.is_demo,
    coalesce(array_agg(c.id order by c.id) filter (where c.id is not null), '{}') as class_ids
  from app_user u
  join organization o on o.id = u.organization_id
  left join class_teacher t on t.organization_id = u.organization_id and t.teacher_user_id = u.id
  left join class c on c.organization_id = t.organization_id and c.id = t.class_id
    and (not :isPrincipal or exists (select from principal_school p where p.organization_id = c.organization_id
      and p.school_id = c.school_id and p.principal_user_id = :callerId))
  where u.id = :teacherUserId and u.primary_persona = 'TEACHER' and u.status <> 'deleted'
    ${isOwn ? 'and u.organization_id = :organizationId' : ''}
  group by u.organization_id, o.is_demo`;
