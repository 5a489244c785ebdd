// Windows of students: what is read for many of them together is looked at window by window.
import { grouped } from '#core/platform/pure/lists/grouped.ts';

/** Both instants included, ISO 8601. */
export interface StudentWindow {
  readonly studentId: number;
  readonly from: string;
  readonly to: string;
}

/**
 * One window a student, from the earliest beginning to the latest end: what ended in any of several is read once. For what
 * looks the same at the end of each.
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

/** Rows that were read for joined windows: those of a window's student that ended in it, in their order. */
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

interface Placed {
  /** Of its window in the request, from 1. */
  readonly place: number;
}

/** Rows that were read for each window by itself, in their order. Throws RangeError for a window that was not asked for. */
export function readFor<Row extends Placed>(
  windows: readonly StudentWindow[],
  rows: readonly Row[],
): (window: StudentWindow) => readonly Row[] {
  const places = new Map(windows.map((window, at) => [keyOf(window), at + 1]));
  const ofPlace = grouped(rows, ({ place }) => place);
  return (window) => {
    const place = places.get(keyOf(window));
    if (place === undefined) throw new RangeError('the window is none of those that were read');
    return ofPlace.get(place) ?? [];
  };
}

const keyOf = ({ studentId, from, to }: StudentWindow): string => `${studentId} ${from} ${to}`;
