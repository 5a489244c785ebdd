// Reads about people for their own screens and for other capabilities.
import type { Actor } from '../../http/route.ts';
import type { Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { User } from '../records/users.ts';

export interface OwnAccount {
  readonly user: User;
  readonly classIds: readonly number[];
}

export async function ownAccount(trx: Trx, actor: Actor): Promise<OwnAccount> {
  const [user, classIds] = await Promise.all([User.query(trx).findById(actor.userId), classIdsOf(trx, actor)]);
  if (!user) throw new AppError('SESSION_REVOKED', 'This session has ended; sign in again.');
  return { user, classIds };
}

/** A teacher's classes, a student's class, the classes of a principal's schools; nobody else has any. */
async function classIdsOf(trx: Trx, actor: Actor): Promise<number[]> {
  const rows: { id: number }[] = await classQuery(trx, actor);
  return rows.map(({ id }) => id);
}

function classQuery(trx: Trx, { persona, userId }: Actor) {
  const classes = trx('class as c').whereNull('c.archivedAt').orderBy('c.id').select('c.id');
  if (persona === 'TEACHER') {
    return classes.whereIn('c.id', trx('class_teacher').select('classId').where({ teacherUserId: userId }));
  }
  if (persona === 'STUDENT') {
    return classes.whereIn(
      'c.id',
      trx('enrollment').select('classId').where({ studentId: userId }).whereNull('enrolledTo'),
    );
  }
  if (persona === 'PRINCIPAL') {
    return classes.whereIn('c.schoolId', trx('principal_school').select('schoolId').where({ principalUserId: userId }));
  }
  return classes.whereRaw('false');
}
