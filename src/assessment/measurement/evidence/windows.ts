// Windows of students: rows that were read together for many windows are divided by window.
import { grouped } from '#core/platform/pure/lists/grouped.ts';

/** A window with inclusive ends, ISO 8601 instants. */
export interface StudentWindow {
  readonly studentId: number;
  readonly from: string;
  readonly to: string;
}

/**
 * Returns one window per student, from the earliest start to the latest end, so that rows in several windows are read
 * once. For rows that are equal at the end of each window.
 */
export function joinedWindows(windows: readonly StudentWindow[]): StudentWindow[] {
  const joined = new Map<number, StudentWindow>();
  for (const window of windows) {
    const known = joined.get(window.studentId);
    joined.set(window.studentId, known ? spanOf(known, window) : window);
  }
  return [...joined.values()];
}

const spanOf = ({ studentId, from, to }: StudentWindow, other: StudentWindow): StudentWindow => ({
  studentId,
  from: Date.parse(other.from) < Date.parse(from) ? other.from : from,
  to: Date.parse(other.to) > Date.parse(to) ? other.to : to,
});

interface Ended {
  readonly studentId: number;
  /** ISO 8601. */
  readonly endedAt: string;
}

/** Returns, for rows of joined windows, those of a window's student that ended in it, in their order. */
export function endedIn<Row extends Ended>(rows: readonly Row[]): (window: StudentWindow) => readonly Row[] {
  const ofStudent = grouped(rows, ({ studentId }) => studentId);
  return ({ studentId, from, to }) => {
    const [opens, closes] = [Date.parse(from), Date.parse(to)];
    return (ofStudent.get(studentId) ?? []).filter(({ endedAt }) => {
      const ended = Date.parse(endedAt);
      return ended >= opens && ended <= closes;
    });
  };
}

interface Numbered {
  /** Number of its window in the request, from 1. */
  readonly windowNumber: number;
}

/**
 * Returns the rows that were read for a window, in their order. Throws RangeError for a window that was not requested.
 */
export function readFor<Row extends Numbered>(
  windows: readonly StudentWindow[],
  rows: readonly Row[],
): (window: StudentWindow) => readonly Row[] {
  const numbers = new Map(windows.map((window, at) => [keyOf(window), at + 1]));
  const byNumber = grouped(rows, ({ windowNumber }) => windowNumber);
  return (window) => {
    const windowNumber = numbers.get(keyOf(window));
    if (windowNumber === undefined) throw new RangeError('the window is none of those that were read');
    return byNumber.get(windowNumber) ?? [];
  };
}

const keyOf = ({ studentId, from, to }: StudentWindow): string => `${studentId} ${from} ${to}`;
