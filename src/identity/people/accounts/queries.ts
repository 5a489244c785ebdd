// Paged lists of people for screens.
import type { Knex } from 'knex';

import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { ClassTeacher, Enrollment, PrincipalSchool, SchoolClass } from '../records/organizations.ts';
import { User } from '../records/users.ts';
import { presentPerson } from './present.ts';
import type { UserFilter } from './schemas.ts';

export async function listUsers(trx: Trx, input: UserFilter): Promise<Page<ReturnType<typeof presentPerson>>> {
  const { limit = defaultLimit, cursor, organizationId, persona, status, q } = input;
  const query = User.query(trx)
    .orderBy('id')
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['number']);
  if (after) query.where('id', '>', after[0] ?? 0);
  if (organizationId !== undefined) query.where({ organizationId });
  if (persona !== undefined) query.where({ primaryPersona: persona });
  if (status !== undefined) query.where({ status });
  if (q !== undefined)
    query.where((either) => either.whereILike('email', containing(q)).orWhereILike('fullNameAr', containing(q)));
  if (input.classId !== undefined)
    query.whereIn('id', peopleOfClasses(trx, trx.raw('select ?::bigint', [input.classId])));
  if (input.schoolId !== undefined) query.whereIn('id', peopleOfSchool(trx, input.schoolId));
  return pageOf(await query, limit, ({ id }) => [id], presentPerson);
}

const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** The ids of the teachers and enrolled students of classes. */
function peopleOfClasses(trx: Trx, classIds: Knex.Raw | Knex.QueryBuilder): Knex.QueryBuilder {
  return ClassTeacher.query(trx)
    .select('teacherUserId')
    .whereRaw('class_id in (?)', [classIds])
    .toKnexQuery()
    .union(
      Enrollment.query(trx)
        .select('studentId')
        .whereNull('enrolledTo')
        .whereRaw('class_id in (?)', [classIds])
        .toKnexQuery(),
    );
}

/** The ids of the teachers and enrolled students of a school's classes, and of its principals. */
function peopleOfSchool(trx: Trx, schoolId: string): Knex.QueryBuilder {
  const classes = SchoolClass.query(trx).select('id').where({ schoolId: schoolId }).toKnexQuery();
  return peopleOfClasses(trx, classes).union(
    PrincipalSchool.query(trx).select('principalUserId').where({ schoolId: schoolId }).toKnexQuery(),
  );
}
