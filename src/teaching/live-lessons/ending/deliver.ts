// The delivery of the lesson that a live lesson taught: the lesson is closed as delivered, and one delivery is recorded for
// each assignment of the present students, including their earlier answers in the lesson.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { supportCommands } from '#support/interventions/index.ts';
import { analysableAnswers, countedItems, deliverFromLive, type LiveSource } from '../../lessons/index.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { type Attendant, attendanceOf } from '../summary/attendance.ts';

interface LessonEnd {
  /** User id; null when the service ended the lesson. */
  readonly actorUserId: number | null;
  readonly now: Date;
}

/**
 * Records nothing when the lesson was already delivered by a person. A lesson that was cancelled in the meantime was taught, so
 * its deliveries are recorded. Throws ENGINE_UNAVAILABLE.
 */
export async function deliverLive(
  trx: Trx,
  services: Services,
  row: LiveLessonRow,
  source: LiveSource,
  { actorUserId, now }: LessonEnd,
): Promise<void> {
  const { organizationId, id, timeZone } = row;
  const deliveredOn = localDate(now, timeZone);
  const { present, absent } = await splitByPresence(trx, row, source.includedStudentIds);
  const presentStudentIds = present.map(({ studentId }) => studentId);
  const delivery = { organizationId, sessionId: source.row.id, deliveredOn, presentStudentIds, actorUserId, now };
  const stateBefore = await deliverFromLive(trx, delivery);
  if (stateBefore === 'delivered') return;
  const earlierAnswers = await analysableAnswers(trx, services, source.row, now);
  const isCounted = await countedItems(services, now);
  await supportCommands.recordDeliveries(trx, services, {
    organizationId,
    source: { type: 'live', id },
    bundle_id: source.row.bundleId,
    deliveredOn,
    now,
    present: present.map(({ studentId, answers }) => ({
      studentId,
      responses: [
        ...(earlierAnswers.get(studentId) ?? []),
        ...answers.filter(({ itemRef }) => isCounted(itemRef)).map(responseOf),
      ],
    })),
    absent: absent.map(({ studentId }) => studentId),
  });
}

async function splitByPresence(trx: Trx, row: LiveLessonRow, includedStudentIds: readonly number[]) {
  const { attendants } = await attendanceOf(trx, row, includedStudentIds);
  const included = attendants.filter(({ studentId }) => includedStudentIds.includes(studentId));
  return {
    present: included.filter(({ present }) => present),
    absent: included.filter(({ present }) => !present),
  };
}

const responseOf = ({ itemRef, subSkillCode, correct }: Attendant['answers'][number]) => ({
  itemId: itemRef,
  subSkillCode,
  correct,
});
