// Who carries out a plan (contract 53 §1). A provider who has left the school, or whose class the student has left, is replaced by
// a teacher of the student's class; while no active teacher teaches it, the plan waits.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { openStates } from '../engine/vocabulary.ts';
import { lockSupport } from '../support/lock.ts';
import { changeAssignment } from './change.ts';
import { suggestion } from './events.ts';
import { isLeftBehind, isTaughtByProvider } from './left-behind.ts';

/** SQL: whether the user is active staff of the school; administrators are staff of every school of their organization. */
export const isActiveStaff = (user: string, schoolId: string): string =>
  `${user}.status = 'active'
   and (${user}.primary_persona = 'ADMIN'
     or ${user}.primary_persona = 'PRINCIPAL' and exists (select from principal_school p
       where p.organization_id = ${user}.organization_id and p.principal_user_id = ${user}.id
         and p.school_id = ${schoolId})
     or ${user}.primary_persona = 'TEACHER' and exists (select from class_teacher t
       join class tc on tc.organization_id = t.organization_id and tc.id = t.class_id
       where t.organization_id = ${user}.organization_id and t.teacher_user_id = ${user}.id
         and tc.school_id = ${schoolId}))`;

export interface WithProviders {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
}

/** Those whose plans get another provider, or no longer wait for one. Takes no lock and writes nothing. */
export async function studentsWithOtherProviders(trx: Trx, of: Omit<WithProviders, 'now'>): Promise<number[]> {
  const found = await successors(trx, of);
  return [...new Set(found.map(({ studentId }) => studentId))];
}

/** Locks the support of the students whose plans change. */
export async function replaceProviders(trx: Trx, of: WithProviders): Promise<void> {
  const { organizationId, now } = of;
  const studentIds = await studentsWithOtherProviders(trx, of);
  if (studentIds.length === 0) return;
  await lockSupport(trx, organizationId, studentIds);
  const found = new Map((await successors(trx, { organizationId, studentIds })).map((one) => [one.id, one]));
  const rows = await BundleAssignment.query(trx)
    .where({ organizationId })
    .whereIn('id', [...found.keys()])
    .orderBy(['studentId', 'activatedAt', 'id']);
  for (const row of rows) {
    const providerUserId = found.get(row.id)?.providerUserId ?? row.providerUserId;
    const events = providerUserId === row.providerUserId ? [] : [suggestion(row, 'provider_left')];
    await changeAssignment(trx, row, { providerUserId, awaitsProvider: false }, now, events);
  }
}

interface Successor {
  readonly id: string;
  readonly studentId: number;
  /** The present provider where the plan no longer waits for another one. */
  readonly providerUserId: number;
}

/** Open plans whose provider is to be another one, where the class has an active teacher: the PRIMARY teacher, else the first by id. */
const successors = (trx: Trx, { organizationId, studentIds }: Omit<WithProviders, 'now'>): Promise<Successor[]> =>
  rowsOf(
    trx,
    `select a.id, a.student_id,
       case when ${isTaughtByProvider('a', 'a.class_id')} and u.status = 'active' then a.provider_user_id
         else s.user_id end as provider_user_id
     from bundle_assignment a
     join class c on c.organization_id = a.organization_id and c.id = a.class_id
     join app_user u on u.organization_id = a.organization_id and u.id = a.provider_user_id
     cross join lateral (
       select t.teacher_user_id as user_id from class_teacher t
       join app_user n on n.organization_id = t.organization_id and n.id = t.teacher_user_id and n.status = 'active'
       where t.organization_id = a.organization_id and t.class_id = a.class_id
       order by t.role <> 'PRIMARY', t.teacher_user_id limit 1) s
     where a.organization_id = :organizationId and a.student_id = any(:studentIds::bigint[]) and a.state = any(:open::text[])
       and (a.awaits_provider or not (${isActiveStaff('u', 'c.school_id')}))`,
    { organizationId, studentIds: [...studentIds], open: [...openStates] },
  );

/** Ids of those rows, of one organization, that leave their provider behind when they follow their students. */
export async function leavingProviders(
  trx: Trx,
  rows: readonly Pick<BundleAssignment, 'organizationId' | 'id'>[],
): Promise<ReadonlySet<string>> {
  const [first] = rows;
  if (!first) return new Set();
  const found = await rowsOf<{ id: string }>(
    trx,
    `select a.id from bundle_assignment a
     join enrollment e on e.organization_id = a.organization_id and e.student_id = a.student_id and e.enrolled_to is null
     where a.organization_id = :organizationId and a.id = any(:ids::text[]) and ${isLeftBehind('a', 'e.class_id')}`,
    { organizationId: first.organizationId, ids: rows.map(({ id }) => id) },
  );
  return new Set(found.map(({ id }) => id));
}
