// Reach inside an organization: which classes, schools and students a caller may see. Rows of other organizations are
// excluded before, by row-level security.

import type { Knex } from 'knex';
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { denied } from '#core/platform/errors.ts';
import { PrincipalSchool } from '../records/organizations.ts';

/** The personas that a reach is narrowed to; ADMIN stands for the organization's ADMIN and for SUPER. */
export type ReachPersona = 'TEACHER' | 'PRINCIPAL' | 'ADMIN' | 'MANAGER';

export const staff: readonly ReachPersona[] = ['TEACHER', 'PRINCIPAL', 'ADMIN'];
export const teachersAndAdmins: readonly ReachPersona[] = ['TEACHER', 'ADMIN'];

/** Returns a boolean column for a query of classes or schools: whether the caller works with the row. */
export function reachColumn(trx: Trx, { persona, userId }: Actor, of: 'class' | 'school'): Knex.Raw {
  if (persona === 'ADMIN' || persona === 'MANAGER') return trx.raw('true');
  if (persona === 'TEACHER') return trx.raw(teaches[of], [userId]);
  return persona === 'PRINCIPAL' ? trx.raw(isPrincipal[of], [userId]) : trx.raw('false');
}

/** In these conditions `c` is the alias of the class and `s` that of the school. */
const teaches = {
  class: `exists (select from class_teacher t where t.organization_id = c.organization_id and t.class_id = c.id
    and t.teacher_user_id = ?)`,
  school: `exists (select from class_teacher t
    join class k on k.organization_id = t.organization_id and k.id = t.class_id
    where t.organization_id = s.organization_id and k.school_id = s.id and t.teacher_user_id = ?)`,
};
const principalOf = (alias: string, schoolColumn: string) =>
  `exists (select from principal_school p where p.organization_id = ${alias}.organization_id
    and p.school_id = ${alias}.${schoolColumn} and p.principal_user_id = ?)`;
const isPrincipal = { class: principalOf('c', 'school_id'), school: principalOf('s', 'id') };

/** Throws PERMISSION_DENIED unless the caller has one of the `allowed` personas and the row is in reach. */
export function requireReach(actor: Actor, isReached: boolean, allowed: readonly ReachPersona[]): void {
  if (!allowed.some((persona) => persona === actor.persona)) throw denied();
  if (!isReached) throw denied('This is outside the classes and schools that you work with.');
}

/** Returns the ids of the schools that the caller works in; undefined for a persona that is not bound to schools. */
export function schoolsInReach(trx: Trx, { persona, userId }: Actor): Knex.QueryBuilder | undefined {
  if (persona === 'PRINCIPAL') {
    return PrincipalSchool.query(trx).select('schoolId').where({ principalUserId: userId }).toKnexQuery();
  }
  if (persona !== 'TEACHER') return undefined;
  return trx('class_teacher as t')
    .join('class as c', 'c.id', 't.classId')
    .select('c.schoolId')
    .where('t.teacherUserId', userId);
}
