// The summary of a live lesson, during it or after it: attendance, answers, observations and deliveries.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { deliveriesOf } from '#support/interventions/index.ts';
import { lessonForLive } from '../../lessons/index.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { liveItems } from '../rows/playlist.ts';
import { type Attendant, attendanceOf } from './attendance.ts';
import type { LiveSummary } from './schemas.ts';

type Summary = Static<typeof LiveSummary>;

export async function liveSummary(trx: Trx, row: LiveLessonRow): Promise<Summary> {
  const { organizationId, id, state, sessionId } = row;
  const prepared = sessionId === null ? undefined : await lessonForLive(trx, organizationId, sessionId);
  const { participants, attendants } = await attendanceOf(trx, row, prepared?.includedStudentIds ?? []);
  const items = await liveItems(trx, row);
  const studentIds = attendants.map(({ studentId }) => studentId);
  const deliveries = await deliveriesOf(trx, organizationId, { type: 'live', id }, studentIds);
  return {
    liveSessionId: id,
    state,
    participants: participants.map(({ studentId, joinedAt, lastSeenAt }) => ({ studentId, joinedAt, lastSeenAt })),
    perStudent: attendants.map(presentAttendant),
    perItem: items.map(({ itemRef }) => ({ itemRef, ...countsOf(attendants, itemRef) })),
    deliveries: deliveries.map(({ studentId, assignmentId }) => ({ studentId, assignmentId })),
  };
}

const presentAttendant = ({ studentId, present, answers, observations }: Attendant): Summary['perStudent'][number] => ({
  studentId,
  present,
  answered: answers.length,
  correct: answers.filter(({ correct }) => correct).length,
  observations: observations.map(({ observationCode, count }) => ({ observationCode, count })),
});

function countsOf(attendants: readonly Attendant[], itemRef: string) {
  const answers = attendants.flatMap(({ answers }) => answers.filter((answer) => answer.itemRef === itemRef));
  return { answered: answers.length, correct: answers.filter(({ correct }) => correct).length };
}
