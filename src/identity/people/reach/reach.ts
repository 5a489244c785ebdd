// Reach inside an organization: which classes, schools and students a caller may see. A stranger's row never gets here.
import type { Knex } from 'knex';
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { denied } from '#core/platform/errors.ts';

/** The personas that a reach is narrowed to; ADMIN stands for the organization's ADMIN and for SUPER. */
export type ReachPersona = 'TEACHER' | 'PRINCIPAL' | 'ADMIN' | 'MANAGER';

export const staff: readonly ReachPersona[] = ['TEACHER', 'PRINCIPAL', 'ADMIN'];
export const teachersAndAdmins: readonly ReachPersona[] = ['TEACHER', 'ADMIN'];

/** Whether the caller works with a class, or with a school, as a column beside it: no question of its own. */
export function reachColumn(trx: Trx, { persona, userId }: Actor, of: 'class' | 'school'): Knex.Raw {
  if (persona === 'ADMIN' || persona === 'MANAGER') return trx.raw('true');
  if (persona === 'TEACHER') return trx.raw(taught[of], [userId]);
  return persona === 'PRINCIPAL' ? trx.raw(led[of], [userId]) : trx.raw('false');
}

/** `c` is the class, `s` the school. */
const taught = {
  class: `exists (select from class_teacher t where t.organization_id = c.organization_id and t.class_id = c.id
    and t.teacher_user_id = ?)`,
  school: `exists (select from class_teacher t
    join class k on k.organization_id = t.organization_id and k.id = t.class_id
    where t.organization_id = s.organization_id and k.school_id = s.id and t.teacher_user_id = ?)`,
};
const ledSchool = (place: string, id: string) =>
  `exists (select from principal_school p where p.organization_id = ${place}.organization_id
    and p.school_id = ${place}.${id} and p.principal_user_id = ?)`;
const led = { class: ledSchool('c', 'school_id'), school: ledSchool('s', 'id') };

/** Throws PERMISSION_DENIED unless the caller is one of `allowed` and works with what was found. */
export function requireReach(actor: Actor, isReached: boolean, allowed: readonly ReachPersona[]): void {
  if (!allowed.some((persona) => persona === actor.persona)) throw denied();
  if (!isReached) throw denied('This is outside the classes and schools that you work with.');
}
