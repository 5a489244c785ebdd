// Scopes of live lessons: staff reach a lesson through its class, students after joining.
import type { Scoped } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { findClassInReach, organizationOf, staff } from '#identity/people/index.ts';
import { LiveLessonRow } from './rows/live-lesson.ts';

type Request = Parameters<AppScope<LiveLessonRow>['resolve']>[0];
type Allowed = Parameters<typeof findClassInReach>[2];

async function throughClass({ trx, actor, params }: Request, allowed: Allowed): Promise<Scoped<LiveLessonRow>> {
  const { id = '' } = params;
  const [row, { organization }] = await Promise.all([
    LiveLessonRow.query(trx).findOne({ id }),
    findClassInReach({ trx, actor }, LiveLessonRow.query(trx).where({ id }).select('classId').toKnexQuery(), allowed),
  ]);
  if (!row) throw notFound();
  return { row, ...(organization && { organization }) };
}

async function asStudent({ trx, actor, params }: Request): Promise<Scoped<LiveLessonRow>> {
  const row = await LiveLessonRow.query(trx).findOne({ id: params.id ?? '' });
  if (!row) throw notFound();
  const { organizationId, classId, id } = row;
  const [membership, organization] = await Promise.all([
    rowsOf<{ joined: boolean }>(trx, joinedStatement, { organizationId, classId, id, studentId: actor.userId }),
    organizationOf({ trx, actor }, organizationId),
  ]);
  if (actor.persona !== 'STUDENT' || !membership[0]?.joined) throw denied('You have not joined this lesson.');
  return { row, organization };
}

const joinedStatement = `select exists (select from live_participant p join enrollment e
    on e.organization_id = p.organization_id and e.student_id = p.student_id and e.enrolled_to is null
  where p.organization_id = :organizationId and p.live_session_id = :id and p.student_id = :studentId
    and e.class_id = :classId) as joined`;

/** All teachers of the class, not only the creator. */
export const liveTaught: AppScope<LiveLessonRow> = {
  reach: 'T',
  resolve: (request) => throughClass(request, ['TEACHER']),
};

export const liveInReach: AppScope<LiveLessonRow> = {
  reach: 'C',
  resolve: (request) => throughClass(request, staff),
};

/** The teachers of the class and the students who have joined. */
export const liveShared: AppScope<LiveLessonRow> = {
  reach: 'T or joined',
  resolve: (request) => (request.actor.persona === 'STUDENT' ? asStudent(request) : throughClass(request, ['TEACHER'])),
};

/** The students who have joined. */
export const liveJoined: AppScope<LiveLessonRow> = { reach: 'joined', resolve: asStudent };
