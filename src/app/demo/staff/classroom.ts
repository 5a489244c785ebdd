// A demo class with its teacher, at the moment at which the organization was created. All actions use the functions
// that requests use.
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { type ClassInScope, type Organization, SchoolClass, User } from '#identity/people/index.ts';
import { classes, teacherKeys } from '../engine/roster.ts';
import { withFixedClock } from '../fixed-clock.ts';
import { timeZone } from '../store-roster.ts';

export interface Classroom {
  readonly services: Services;
  readonly organizationId: string;
  readonly classRow: ClassInScope;
  readonly teacherId: number;
  readonly now: Date;
}

async function classroomOf(
  services: Services,
  trx: Trx,
  organizationId: string,
  classIndex: number,
): Promise<Classroom> {
  const { grade } = classes[classIndex] ?? {};
  const found = await SchoolClass.query(trx)
    .findOne({ organizationId, grade })
    .whereNull('archivedAt')
    .throwIfNotFound();
  const [externalId = ''] = teacherKeys(classIndex);
  const { id: teacherId } = await User.query(trx).findOne({ organizationId, externalId }).throwIfNotFound();
  const classRow = Object.assign(found, { timeZone });
  return { services, organizationId, classRow, teacherId, now: services.clock.now() };
}

export const asTeacher = <T>({ services, organizationId }: Classroom, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inContext(services.db, { organizationId }, work);

export const callOf = <Body>({ services, organizationId, teacherId, now }: Classroom, trx: Trx, body: Body) => ({
  ...{ services, trx, body, now },
  actor: {
    ...{ userId: teacherId, sessionId: '', organizationId, persona: 'TEACHER', isDemo: false },
    permissions: new Set(['VIEW_OWN_CLASSES']),
  },
});

export const today = ({ now }: Classroom): string => localDate(now, timeZone);

/** Runs work for each classroom, one after the other. */
export async function forEachClassroom(
  present: Services,
  { id: organizationId, createdAt }: Pick<Organization, 'id' | 'createdAt'>,
  rulesOf: Date,
  work: (classroom: Classroom) => Promise<void>,
): Promise<void> {
  const services = withFixedClock(present, new Date(createdAt), rulesOf);
  for (const [classIndex] of classes.entries()) {
    await work(
      await inContext(services.db, { organizationId }, (trx) => classroomOf(services, trx, organizationId, classIndex)),
    );
  }
}
