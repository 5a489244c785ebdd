// The caller's own account.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { ClassTeacher, Enrollment, PrincipalSchool } from '../records/organizations.ts';
import { User } from '../records/users.ts';

const columns = ['id', 'email', 'fullNameAr', 'primaryPersona', 'organizationId', 'seats'] as const;

export interface OwnAccount {
  readonly user: Pick<User, (typeof columns)[number]>;
  readonly classIds: readonly number[];
}

export async function ownAccount(trx: Trx, actor: Actor): Promise<OwnAccount> {
  const [user, classIds] = await Promise.all([
    User.query(trx)
      .where({ id: actor.userId })
      .select(...columns)
      .toKnexQuery<User>()
      .options(keptPlan)
      .first(),
    classIdsOf(trx, actor),
  ]);
  if (!user) throw new AppError('SESSION_REVOKED', 'This session has ended; sign in again.');
  return { user, classIds };
}

/** Returns a teacher's classes, a student's class, or the classes of a principal's schools; none for other personas. */
async function classIdsOf(trx: Trx, actor: Actor): Promise<number[]> {
  const rows: { id: number }[] = await classQuery(trx, actor);
  return rows.map(({ id }) => id);
}

function classQuery(trx: Trx, { persona, userId, organizationId }: Actor) {
  const classes = trx('class as c').whereNull('c.archivedAt').orderBy('c.id').options(keptPlan).select('c.id');
  if (persona === 'TEACHER') {
    return classes.whereIn(
      'c.id',
      ClassTeacher.query(trx).select('classId').where({ organizationId, teacherUserId: userId }).toKnexQuery(),
    );
  }
  if (persona === 'STUDENT') {
    return classes.whereIn(
      'c.id',
      Enrollment.query(trx)
        .select('classId')
        .where({ organizationId, studentId: userId })
        .whereNull('enrolledTo')
        .toKnexQuery(),
    );
  }
  if (persona === 'PRINCIPAL') {
    return classes.whereIn(
      'c.schoolId',
      PrincipalSchool.query(trx).select('schoolId').where({ organizationId, principalUserId: userId }).toKnexQuery(),
    );
  }
  return classes.whereRaw('false');
}
