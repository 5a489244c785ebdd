// How the id of a blueprint session becomes a row that this caller may see: through the class that it is for.
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { type ClassInScope, findClassInReach, staff, teachersAndAdmins } from '#identity/people/index.ts';
import { SessionRow } from '../rows/store.ts';

export interface ReachedSession {
  readonly session: SessionRow;
  readonly classRow: ClassInScope;
}

type Reaching = Parameters<typeof findClassInReach>[2];

const sessionFor = (reach: string, allowed: Reaching): AppScope<ReachedSession> => ({
  reach,
  resolve: async ({ trx, actor, params: { id = '' } }) => {
    const ofClass = trx('teaching_session').where({ id }).select('classId');
    const [session, { row: classRow, organization }] = await Promise.all([
      SessionRow.query(trx).findOne({ id }),
      findClassInReach({ trx, actor }, ofClass, allowed),
    ]);
    if (!session) throw notFound();
    return { row: { session, classRow }, ...(organization && { organization }) };
  },
});

export const sessionInReach = sessionFor('C', staff);
export const sessionToChange = sessionFor('C (ClassTeacher, admin)', teachersAndAdmins);
/** A device in a classroom is its teacher's. */
export const sessionOfTeacher = sessionFor('T', ['TEACHER']);
