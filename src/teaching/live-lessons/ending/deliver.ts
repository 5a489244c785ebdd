// What a live session that taught a prepared one has delivered: one delivery for each plan of those who were present, with what
// they had answered in the prepared one before, and the prepared session is given.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { support } from '#support/interventions/index.ts';
import { analysableAnswers, countedItems, deliverFromLive, type LiveSource } from '../../lessons/index.ts';
import type { LiveSessionRow } from '../rows/session.ts';
import { type Attendant, attendanceOf } from '../summary/attendance.ts';

interface Ended {
  /** User id; null: the service ended it. */
  readonly actorUserId: number | null;
  readonly now: Date;
}

/**
 * One that was given by hand meanwhile is delivered already; one that was cancelled meanwhile was taught all the same. Throws
 * ENGINE_UNAVAILABLE.
 */
export async function deliverLive(
  trx: Trx,
  services: Services,
  row: LiveSessionRow,
  source: LiveSource,
  { actorUserId, now }: Ended,
): Promise<void> {
  const { organizationId, id, timeZone } = row;
  const deliveredOn = localDate(now, timeZone);
  const { present, absent } = await presentAndAbsent(trx, row, source.includedStudentIds);
  const presentStudentIds = present.map(({ studentId }) => studentId);
  const given = { organizationId, sessionId: source.row.id, deliveredOn, presentStudentIds, actorUserId, now };
  const before = await deliverFromLive(trx, given);
  if (before === 'delivered') return;
  const laidOut = await analysableAnswers(trx, services, source.row, now);
  const isCounted = await countedItems(services, now);
  await support.recordDeliveries(trx, services, {
    ...{ organizationId, source: { type: 'live', id }, bundle_id: source.row.bundleId, deliveredOn, now },
    present: present.map(({ studentId, answers }) => ({
      studentId,
      responses: [
        ...(laidOut.get(studentId) ?? []),
        ...answers.filter(({ itemRef }) => isCounted(itemRef)).map(responseOf),
      ],
    })),
    absent: absent.map(({ studentId }) => studentId),
  });
}

async function presentAndAbsent(trx: Trx, row: LiveSessionRow, includedStudentIds: readonly number[]) {
  const { attendants } = await attendanceOf(trx, row, includedStudentIds);
  const included = attendants.filter(({ studentId }) => includedStudentIds.includes(studentId));
  return {
    present: included.filter(({ present }) => present),
    absent: included.filter(({ present }) => !present),
  };
}

const responseOf = ({ itemRef, subSkillCode, correct }: Attendant['answers'][number]) => ({
  ...{ itemId: itemRef, subSkillCode, correct },
});
