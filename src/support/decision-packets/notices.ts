// Notifications about packets, to the people of the moment (contract 53 §1).
import {
  activeAccounts,
  firstPresent,
  notice,
  notify,
  type StaffOfStudent,
  staffOfStudents,
} from '#messaging/notifications/index.ts';
import { recipientsOfStage, studentAlert } from '../rti/index.ts';
import { packetStageCame } from './events.ts';
import { specialist } from './packets/check-approver.ts';

interface AboutPacket {
  readonly stage: 'packet_waiting' | 'packet_decided' | 'packet_due_again' | 'overdue';
  readonly to?: keyof typeof recipientsOfStage;
  readonly needsSpecialist: boolean;
  readonly openedBy: number;
  readonly by: number | null;
}

const idsOf = (admins: StaffOfStudent['admins']): number[] => admins.map(({ id }) => id);

/** `isActive`: whether the opener may sign in. */
function recipientsOf(packet: AboutPacket, staff: StaffOfStudent, isActive: boolean): readonly number[] {
  const { stage, to = 'principals', openedBy, by } = packet;
  const { teachers, principals } = staff;
  const opener = isActive ? [openedBy] : [];
  const others = (...groups: readonly (readonly number[])[]) => [...new Set(groups.flat())].filter((id) => id !== by);
  if (stage === 'overdue') return recipientsOfStage[to](staff);
  if (stage === 'packet_waiting') return approversOf(packet, staff);
  if (stage === 'packet_decided')
    return firstPresent(others(opener, teachers, principals), others(idsOf(staff.admins)));
  return firstPresent(others(opener, teachers), principals, idsOf(staff.admins));
}

/** Those who may approve; a principal may not, but can ask for it. */
function approversOf({ needsSpecialist, openedBy, by }: AboutPacket, staff: StaffOfStudent): readonly number[] {
  const { teachers, principals, admins } = staff;
  const all = idsOf(admins);
  if (!needsSpecialist) {
    return firstPresent(
      [...teachers, ...all].filter((id) => id !== by),
      principals,
      all,
    );
  }
  const seated = admins.filter(({ id, seats }) => seats.includes(specialist) && id !== openedBy);
  return firstPresent(
    idsOf(seated),
    all.filter((id) => id !== openedBy),
    all,
  );
}

const stages = notify({
  name: 'notify-packet-stage',
  to: [packetStageCame],
  async notices(trx, organizationId, events) {
    const staffOf = await staffOfStudents(
      trx,
      organizationId,
      events.map(({ payload }) => payload.studentId),
    );
    const openers = await activeAccounts(
      trx,
      organizationId,
      events.map(({ payload }) => payload.openedBy),
    );
    return new Map(
      events.map(({ id, payload }) => {
        const { studentId, packetId, reviewType, stage, decision, openedBy } = payload;
        const recipients = recipientsOf(payload, staffOf(studentId), openers.has(openedBy));
        const said = { studentId, stage, packetId, reviewType, ...(decision !== null && { decision }) };
        return [id, [notice(studentAlert, said, { recipients, source: { type: 'decision_packet', id: packetId } })]];
      }),
    );
  },
});

export const packetNotices = [stages];
