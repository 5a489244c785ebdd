// Who took part in a live session, and how: read once, for the summary and for the end.
import type { Trx } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { isPresent } from '../engine/presence.ts';
import { type ObservedCount, observedCounts } from '../observations/store.ts';
import { type LiveParticipant, participantsOf } from '../rows/participants.ts';
import { type GivenAnswer, givenAnswers } from '../rows/responses.ts';
import type { LiveSessionRow } from '../rows/session.ts';

export interface Attendant {
  readonly studentId: number;
  readonly present: boolean;
  /** In the order in which they were given. */
  readonly answers: readonly GivenAnswer[];
  readonly observations: readonly ObservedCount[];
}

export interface Attendance {
  readonly participants: readonly LiveParticipant[];
  /** Whom the session is for and whoever took part, by id. */
  readonly attendants: readonly Attendant[];
}

/** A number of statements that grows with nothing. */
export async function attendanceOf(
  trx: Trx,
  row: LiveSessionRow,
  includedStudentIds: readonly number[],
): Promise<Attendance> {
  const participants = await participantsOf(trx, row);
  const joined = new Set(participants.map(({ studentId }) => studentId));
  const answers = grouped(await givenAnswers(trx, row), studentOf);
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
    ...{ studentId, joined },
    answered: answers.some(({ source }) => source !== 'projector'),
    projected: answers.some(({ source }) => source === 'projector'),
    observationCodes: observations.map(({ observationCode }) => observationCode),
  });

const studentOf = ({ studentId }: { readonly studentId: number }): number => studentId;
