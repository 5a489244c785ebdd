// What one caller is told of a live session: the present state, and what has happened since the cursor.
import type { Static } from 'typebox';
import { invalid } from '#core/platform/errors.ts';
import { isToldTo, presentForStudent, presentPolled } from '../events/present.ts';
import type { LiveEventRow } from '../rows/events.ts';
import type { LivePoll } from './schemas.ts';
import type { LiveSnapshot } from './snapshot.ts';

/** Of one answer. */
export const mostEventsTold = 100;
const nextPollAfterMs = 2_000;

/** The number of the event after which the caller asks. Throws VALIDATION_ERROR for a cursor that none was given. */
export function seqOf(cursor: string | undefined, newest: number): number {
  if (cursor === undefined) return newest;
  const seq = /^(0|[1-9][0-9]{0,9})$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
  if (seq > newest) throw invalid('cursor', 'is not one of ours');
  return seq;
}

/**
 * `student`: who asks; undefined: staff. `events`: all after the cursor, or at least those that make more than a full answer.
 */
export function pollView(
  snapshot: LiveSnapshot,
  student: number | undefined,
  events: readonly LiveEventRow[],
): Static<typeof LivePoll> {
  const isStudent = student !== undefined;
  const visible = isStudent ? events.filter((event) => isToldTo(student, event)) : events;
  const shown = visible.slice(0, mostEventsTold);
  const last = visible.length > mostEventsTold ? shown.at(-1) : undefined;
  return {
    cursor: String(last?.seq ?? snapshot.version.seq),
    state: snapshot.state,
    controlVersion: snapshot.version.controlVersion,
    currentItem: snapshot.currentItem,
    responsesLocked: snapshot.responsesLocked,
    group: (isStudent && snapshot.groups.get(student)) || null,
    ismItem: (isStudent && snapshot.ismItems.get(student)) || null,
    events: shown.map(isStudent ? presentForStudent : presentPolled),
    nextPollAfterMs,
  };
}
