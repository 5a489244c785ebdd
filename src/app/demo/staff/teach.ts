// Lessons of the demo's teachers, as recommended for the group of the class: those of the last weeks were delivered,
// one is ready for today and distributed where children have devices, one is a draft for tomorrow.
import type { Trx } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { LessonRow, lessonCommands } from '#teaching/lessons/index.ts';
import { asTeacher, type Classroom, callOf, today } from './classroom.ts';

/** Delivers a session to all its recipients on each day, unless one exists. */
export async function deliverSessionsOn(
  classroom: Classroom,
  bundleId: string,
  days: readonly string[],
): Promise<void> {
  for (const deliveredOn of days) {
    await asTeacher(classroom, async (trx) => {
      if (await hasLesson(classroom, trx, { deliveredOn })) return;
      const recommended = await recommendedFor(classroom, trx, bundleId);
      if (!recommended) return;
      const presentStudentIds = [...recommended.recipientStudentIds];
      const lesson = await begin(classroom, trx, recommended, deliveredOn, presentStudentIds);
      await lessonCommands.accept(lessonCall(classroom, trx, lesson, {}));
      const body = { delivery: { deliveredOn, presentStudentIds } };
      await lessonCommands.editLesson(lessonCall(classroom, trx, lesson, body));
    });
  }
}

/** Prepares today's and tomorrow's sessions; absent children are excluded with the reason. */
export async function prepareNextSessions(
  classroom: Classroom,
  bundleId: string,
  group: readonly number[],
): Promise<void> {
  const now = today(classroom);
  const tomorrow = daysAfter(now, 1);
  await asTeacher(classroom, async (trx) => {
    if (await hasLesson(classroom, trx, { scheduledOn: tomorrow })) return;
    const recommended = await recommendedFor(classroom, trx, bundleId);
    if (!recommended) return;
    const lesson = await begin(classroom, trx, recommended, now, group);
    const accepted = await lessonCommands.accept(lessonCall(classroom, trx, lesson, {}));
    if (lessonCommands.isOnline(accepted)) await lessonCommands.distribute(lessonCall(classroom, trx, accepted, {}));
    await begin(classroom, trx, recommended, tomorrow, recommended.recipientStudentIds);
  });
}

async function hasLesson({ organizationId, classRow }: Classroom, trx: Trx, on: object): Promise<boolean> {
  const row = await LessonRow.query(trx)
    .where({ organizationId, classId: classRow.id, ...on })
    .select('id')
    .first();
  return row !== undefined;
}

type Recommended = Awaited<ReturnType<typeof lessonCommands.recommendedFor>>[number];

/** Returns the recommended session with most recipients for the bundle; undefined once its assignments have ended. */
async function recommendedFor(classroom: Classroom, trx: Trx, bundleId: string): Promise<Recommended | undefined> {
  const { services, classRow, now } = classroom;
  const rows = await lessonCommands.recommendedFor({ services, trx, now }, classRow);
  return rows
    .filter((row) => row.bundle_id === bundleId)
    .toSorted((one, other) => other.recipientStudentIds.length - one.recipientStudentIds.length)[0];
}

function begin(
  classroom: Classroom,
  trx: Trx,
  { blueprintId, deliveryMode }: Recommended,
  scheduledOn: string,
  recipientStudentIds: readonly number[],
) {
  const classId = classroom.classRow.id;
  const body = { blueprintId, classId, recipientStudentIds: [...recipientStudentIds], deliveryMode, scheduledOn };
  return lessonCommands.createLesson(callOf(classroom, trx, body));
}

type Lesson = Awaited<ReturnType<typeof lessonCommands.createLesson>>;

const lessonCall = <Body>(classroom: Classroom, trx: Trx, lesson: Lesson, body: Body) => ({
  ...callOf(classroom, trx, body),
  scope: { lesson, classRow: classroom.classRow },
});
