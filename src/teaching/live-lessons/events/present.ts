// Events as staff reads them, as staff polls them, and as students are told of them.
import type { Static } from 'typebox';
import { studentEventTypes } from '../enums.ts';
import type { LiveEventRow } from '../rows/events.ts';
import type { LiveEventView, PolledEvent } from './schemas.ts';

export const presentForStaff = ({ seq, type, at, data }: LiveEventRow): Static<typeof LiveEventView> => ({
  ...{ seq, type, at },
  data: { ...data },
});

type Polled = Static<typeof PolledEvent>;

/** What an answer was worth is left for the list and the summary. */
export function presentPolled({ seq, type, at, data }: LiveEventRow): Polled {
  const { correct: _correct, subSkillCode: _subSkillCode, source: _source, ...shown } = data;
  return { seq, type, at, data: shown };
}

/** Nothing of whom it concerns or what it says. */
export const presentForStudent = ({ seq, type, at }: LiveEventRow): Polled => ({ seq, type, at, data: {} });

const told: ReadonlySet<string> = new Set(studentEventTypes);

/** What everybody is told, and what is the student's own. */
export const isToldTo = (userId: number, { type, studentId }: LiveEventRow): boolean =>
  told.has(type) && (studentId === null || studentId === userId);
