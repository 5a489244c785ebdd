// What the demo's teachers teach: prepared sessions, as they are recommended for the group of the class. Those of the last weeks
// were given; one waits for today, laid out where children have devices, and one is thought of for tomorrow.
import type { Trx } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { lessonCommands } from '#teaching/lessons/index.ts';
import { asTeacher, type Classroom, callOf, today } from './classroom.ts';

/** On each of these days everybody whom the recommended session was for was there. A day that was taught is found and left. */
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

/** For the whole group: who is away is kept as excluded, with the reason. */
export async function planNext(classroom: Classroom, bundleId: string, group: readonly number[]): Promise<void> {
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
  const row = await trx('teachingSession')
    .where({ organizationId, classId: classRow.id, ...on })
    .first('id');
  return row !== undefined;
}

type Recommended = Awaited<ReturnType<typeof lessonCommands.recommendedFor>>[number];

/** For most children of those that fit the bundle; undefined once its plans have come to their end. */
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
