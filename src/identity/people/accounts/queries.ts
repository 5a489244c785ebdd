// Paged lists of people for screens.
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { ClassTeacher, Enrollment, PrincipalSchool, SchoolClass } from '../records/organizations.ts';
import { User } from '../records/users.ts';
import { presentPerson } from './present.ts';
import type { UserFilter } from './schemas.ts';
import { peopleFound, searchWords } from './search.ts';

/** Returns people in the order of their folded names. */
export async function listUsers(trx: Trx, input: UserFilter): Promise<Page<ReturnType<typeof presentPerson>>> {
  const { limit = defaultLimit, q } = input;
  const rows = q === undefined ? await peopleMatching(trx, input) : await searchedPeople(trx, { ...input, q });
  return pageOf(rows, limit, ({ nameFolded, id }) => [nameFolded, id], presentPerson);
}

async function searchedPeople(trx: Trx, input: UserFilter & { readonly q: string }): Promise<User[]> {
  const words = await searchWords(trx, input.q);
  if (words.length === 0) return [];
  const found = await peopleFound(trx, words, input.organizationId);
  const pages = await Promise.all(found.map((areFound) => peopleMatching(trx, input).modify(areFound)));
  const byId = new Map(pages.flat().map((user) => [user.id, user]));
  return [...byId.values()].toSorted(byFoldedName);
}

/** As the database compares in the collation C: by bytes of UTF-8. */
const byFoldedName = (one: User, other: User): number =>
  Buffer.compare(Buffer.from(one.nameFolded), Buffer.from(other.nameFolded)) || one.id - other.id;

function peopleMatching(trx: Trx, input: UserFilter): QueryBuilder<User, User[]> {
  const { limit = defaultLimit, cursor, organizationId, persona, status } = input;
  const query = User.query(trx)
    .orderBy('nameFolded')
    .orderBy('id')
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['string', 'number']);
  if (after) query.whereRaw('(name_folded, id) > (?, ?)', [...after]);
  if (organizationId !== undefined) query.where({ organizationId });
  if (persona !== undefined) query.where({ primaryPersona: persona });
  if (status !== undefined) query.where({ status });
  else query.whereNot({ status: 'merged' });
  if (input.classId !== undefined)
    query.whereIn('id', peopleOfClasses(trx, trx.raw('select ?::bigint', [input.classId])));
  if (input.schoolId !== undefined) query.whereIn('id', peopleOfSchool(trx, input.schoolId));
  return query;
}

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
