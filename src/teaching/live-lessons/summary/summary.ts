// What a live session has been so far, or was: who took part, what was answered, and what it delivered.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { deliveriesOf } from '#support/interventions/index.ts';
import { sessionForLive } from '../../lessons/index.ts';
import { liveItems } from '../rows/playlist.ts';
import type { LiveSessionRow } from '../rows/session.ts';
import { type Attendant, attendanceOf } from './attendance.ts';
import type { LiveSummary } from './schemas.ts';

type Summary = Static<typeof LiveSummary>;

export async function liveSummary(trx: Trx, row: LiveSessionRow): Promise<Summary> {
  const { organizationId, id, state, sessionId } = row;
  const prepared = sessionId === null ? undefined : await sessionForLive(trx, organizationId, sessionId);
  const { participants, attendants } = await attendanceOf(trx, row, prepared?.includedStudentIds ?? []);
  const items = await liveItems(trx, row);
  const studentIds = attendants.map(({ studentId }) => studentId);
  const deliveries = await deliveriesOf(trx, organizationId, { type: 'live', id }, studentIds);
  return {
    ...{ liveSessionId: id, state },
    participants: participants.map(({ studentId, joinedAt, lastSeenAt }) => ({ studentId, joinedAt, lastSeenAt })),
    perStudent: attendants.map(presentAttendant),
    perItem: items.map(({ itemRef }) => ({ itemRef, ...countsOf(attendants, itemRef) })),
    deliveries: deliveries.map(({ studentId, assignmentId }) => ({ studentId, assignmentId })),
  };
}

const presentAttendant = ({ studentId, present, answers, observations }: Attendant): Summary['perStudent'][number] => ({
  ...{ studentId, present, answered: answers.length },
  correct: answers.filter(({ correct }) => correct).length,
  observations: observations.map(({ observationCode, count }) => ({ observationCode, count })),
});

function countsOf(attendants: readonly Attendant[], itemRef: string) {
  const given = attendants.flatMap(({ answers }) => answers.filter((answer) => answer.itemRef === itemRef));
  return { answered: given.length, correct: given.filter(({ correct }) => correct).length };
}
