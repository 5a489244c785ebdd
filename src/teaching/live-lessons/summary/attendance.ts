// Attendance, answers and observations of a live lesson, for the summary and for the end.
import type { Trx } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { isPresent } from '../engine/presence.ts';
import { type ObservedCount, observedCounts } from '../observations/store.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { type LiveParticipant, participantsOf } from '../rows/participants.ts';
import { liveAnswersOf, type StoredLiveAnswer } from '../rows/responses.ts';

export interface Attendant {
  readonly studentId: number;
  readonly present: boolean;
  /** Answers in order. */
  readonly answers: readonly StoredLiveAnswer[];
  readonly observations: readonly ObservedCount[];
}

export interface Attendance {
  readonly participants: readonly LiveParticipant[];
  /** All recipients and all who took part, ordered by id. */
  readonly attendants: readonly Attendant[];
}

/** The number of statements is constant. */
export async function attendanceOf(
  trx: Trx,
  row: LiveLessonRow,
  includedStudentIds: readonly number[],
): Promise<Attendance> {
  const participants = await participantsOf(trx, row);
  const joined = new Set(participants.map(({ studentId }) => studentId));
  const answers = grouped(await liveAnswersOf(trx, row), studentOf);
  const observations = grouped(await observedCounts(trx, row), studentOf);
  const ids = new Set([...includedStudentIds, ...joined, ...answers.keys(), ...observations.keys()]);
  const attendants = [...ids]
    .sort((one, other) => one - other)
    .map((studentId) => {
      const own = { answers: answers.get(studentId) ?? [], observations: observations.get(studentId) ?? [] };
      return { studentId, present: wasPresent(studentId, joined.has(studentId), own), ...own };
    });
  return { participants, attendants };
}

const wasPresent = (
  studentId: number,
  joined: boolean,
  { answers, observations }: Pick<Attendant, 'answers' | 'observations'>,
): boolean =>
  isPresent({
    studentId,
    joined,
    answered: answers.some(({ source }) => source !== 'projector'),
    projected: answers.some(({ source }) => source === 'projector'),
    observationCodes: observations.map(({ observationCode }) => observationCode),
  });

const studentOf = ({ studentId }: { readonly studentId: number }): number => studentId;
