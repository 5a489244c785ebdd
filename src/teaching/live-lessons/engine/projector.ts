// A projector run: seats with an item each, and what the teacher marks of them.
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

/** In the order of their numbers; a seat for which no item is left is left out. */
export const seatsOf = (
  inputs: readonly SeatInput[],
  playlist: readonly string[],
  answeredBy: (studentId: number) => ReadonlySet<string>,
): Seat[] =>
  inputs
    .flatMap(({ seatNo, studentId, itemRef = firstLeft(playlist, answeredBy(studentId)) }) =>
      itemRef === undefined ? [] : [{ seatNo, studentId, itemRef }],
    )
    .toSorted((one, other) => one.seatNo - other.seatNo);

const firstLeft = (playlist: readonly string[], answered: ReadonlySet<string>): string | undefined =>
  playlist.find((ref) => !answered.has(ref));

/** Place of the first value that stood there before. */
export function firstRepeat(values: readonly number[]): number | undefined {
  const at = values.findIndex((value, place) => values.indexOf(value) < place);
  return at === -1 ? undefined : at;
}

export interface MarkInput {
  readonly seatNo: number;
  readonly mark: ProjectorMark;
  readonly selectedOptionIndex?: number;
}

/** What a mark and the option that it names say of one answer must be the same. */
export function markContradiction(
  { mark, selectedOptionIndex: chosen }: MarkInput,
  { options, correctOptionIndex }: KeyedItem,
): 'out_of_range' | 'contradicts_mark' | undefined {
  if (chosen === undefined) return undefined;
  if (chosen >= options.length) return 'out_of_range';
  const agrees = mark !== 'no_answer' && (mark === 'correct') === (chosen === correctOptionIndex);
  return agrees ? undefined : 'contradicts_mark';
}

/** Whether it becomes a response. */
export const isAnswer = (mark: ProjectorMark | null): mark is 'correct' | 'not_correct' =>
  mark === 'correct' || mark === 'not_correct';
