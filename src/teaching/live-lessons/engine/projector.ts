// Projector runs: seats with one item each, and the teacher's marks.
import type { ProjectorMark } from '../enums.ts';
import type { KeyedItem } from './answers.ts';

export interface SeatInput {
  readonly seatNo: number;
  readonly studentId: number;
  readonly itemRef?: string;
}

export interface Seat {
  readonly seatNo: number;
  readonly studentId: number;
  readonly itemRef: string;
}

/** Assigns items to seats, ordered by number. A seat without a remaining item is left out. */
export const seatsOf = (
  inputs: readonly SeatInput[],
  playlist: readonly string[],
  answeredBy: (studentId: number) => ReadonlySet<string>,
): Seat[] =>
  inputs
    .flatMap(({ seatNo, studentId, itemRef = firstUnanswered(playlist, answeredBy(studentId)) }) =>
      itemRef === undefined ? [] : [{ seatNo, studentId, itemRef }],
    )
    .toSorted((one, other) => one.seatNo - other.seatNo);

const firstUnanswered = (playlist: readonly string[], answered: ReadonlySet<string>): string | undefined =>
  playlist.find((ref) => !answered.has(ref));

/** Returns the index of the first repeated value. */
export function firstRepeat(values: readonly number[]): number | undefined {
  const at = values.findIndex((value, index) => values.indexOf(value) < index);
  return at === -1 ? undefined : at;
}

export interface MarkInput {
  readonly seatNo: number;
  readonly mark: ProjectorMark;
  readonly selectedOptionIndex?: number;
}

/** Checks that the option of a mark exists and agrees with the mark. */
export function markContradiction(
  { mark, selectedOptionIndex: chosen }: MarkInput,
  { options, correctOptionIndex }: KeyedItem,
): 'out_of_range' | 'contradicts_mark' | undefined {
  if (chosen === undefined) return undefined;
  if (chosen >= options.length) return 'out_of_range';
  const isConsistent = mark !== 'no_answer' && (mark === 'correct') === (chosen === correctOptionIndex);
  return isConsistent ? undefined : 'contradicts_mark';
}

/** Returns true for marks that become answers. */
export const isAnswer = (mark: ProjectorMark | null): mark is 'correct' | 'not_correct' =>
  mark === 'correct' || mark === 'not_correct';
