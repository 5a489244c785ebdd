// The schools that a person works in.
import type { Knex } from 'knex';
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';

/** Their ids; undefined for those who are not bound to schools. */
export function schoolsInReach(trx: Trx, { persona, userId }: Actor): Knex.QueryBuilder | undefined {
  if (persona === 'PRINCIPAL') return trx('principal_school').select('schoolId').where({ principalUserId: userId });
  if (persona !== 'TEACHER') return undefined;
  return trx('class_teacher as t')
    .join('class as c', 'c.id', 't.classId')
    .select('c.schoolId')
    .where('t.teacherUserId', userId);
}
