// Events as responses: for the list of staff, for polls of staff, and for polls of students.
import type { Static } from 'typebox';
import { studentEventTypes } from '../enums.ts';
import type { LiveEventRow } from '../rows/events.ts';
import type { LiveEventView, PolledEvent } from './schemas.ts';

export const presentForStaff = ({ seq, type, at, data }: LiveEventRow): Static<typeof LiveEventView> => ({
  seq,
  type,
  at,
  data: { ...data },
});

type Polled = Static<typeof PolledEvent>;

/** Leaves out the correctness of answers, which only the list and the summary contain. */
export function presentPolled({ seq, type, at, data }: LiveEventRow): Polled {
  const { correct: _correct, subSkillCode: _subSkillCode, source: _source, ...visible } = data;
  return { seq, type, at, data: visible };
}

/** Leaves out the data of the event. */
export const presentForStudent = ({ seq, type, at }: LiveEventRow): Polled => ({ seq, type, at, data: {} });

const studentTypes: ReadonlySet<string> = new Set(studentEventTypes);

/** Returns true for student events that concern all students or this one. */
export const isVisibleTo = (userId: number, { type, studentId }: LiveEventRow): boolean =>
  studentTypes.has(type) && (studentId === null || studentId === userId);
