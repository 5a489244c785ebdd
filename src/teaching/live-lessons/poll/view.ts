// The response of a poll: the current state and the events after the cursor.
import type { Static } from 'typebox';
import { invalid } from '#core/platform/errors.ts';
import { isVisibleTo, presentForStudent, presentPolled } from '../events/present.ts';
import type { LiveEventRow } from '../rows/events.ts';
import type { LivePoll } from './schemas.ts';
import type { LiveSnapshot } from './snapshot.ts';

/** Maximum number of events in one response. */
export const maxEventsPerPoll = 100;
const nextPollAfterMs = 2_000;

/** Returns the event number of the cursor. Throws VALIDATION_ERROR for a cursor that the service did not issue. */
export function seqOf(cursor: string | undefined, newest: number): number {
  if (cursor === undefined) return newest;
  const seq = /^(0|[1-9][0-9]{0,9})$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
  if (seq > newest) throw invalid('cursor', 'is not one of ours');
  return seq;
}

/**
 * `student` is the id of a student, undefined for staff. `events` are those after the cursor: all of them, or more than fit
 * into one response.
 */
export function pollView(
  snapshot: LiveSnapshot,
  student: number | undefined,
  events: readonly LiveEventRow[],
): Static<typeof LivePoll> {
  const isStudent = student !== undefined;
  const visible = isStudent ? events.filter((event) => isVisibleTo(student, event)) : events;
  const sent = visible.slice(0, maxEventsPerPoll);
  const last = visible.length > maxEventsPerPoll ? sent.at(-1) : undefined;
  return {
    cursor: String(last?.seq ?? snapshot.version.seq),
    state: snapshot.state,
    controlVersion: snapshot.version.controlVersion,
    currentItem: snapshot.currentItem,
    responsesLocked: snapshot.responsesLocked,
    group: (isStudent && snapshot.groups.get(student)) || null,
    ismItem: (isStudent && snapshot.ismItems.get(student)) || null,
    events: sent.map(isStudent ? presentForStudent : presentPolled),
    nextPollAfterMs,
  };
}
