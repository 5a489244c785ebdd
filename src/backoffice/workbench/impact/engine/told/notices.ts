// What a draft of a kind of notification would change: what would have become of each request of the last days.
import { notificationSimulation } from '#messaging/notifications/index.ts';
import { addHits, type HitCount, type ImpactPosition, tallyOf } from '../position.ts';
import { addPairs } from '../tally.ts';
import { simulatedDays } from '../vocabulary.ts';

const { simulatedOutcomes } = notificationSimulation;
const named = (what: string): string => `notification ${what}`;

/** Adds one request to the position, and answers whether it ends otherwise. One that is about no student is only counted. */
export function countRequest(
  position: ImpactPosition,
  organizationId: string,
  { eventId, studentId, notificationId, before, after }: notificationSimulation.SimulatedRow,
): boolean {
  addHits(position, 'before', named(before), 1);
  addHits(position, 'after', named(after), 1);
  if (studentId === null) return before !== after;
  const who = { organizationId, studentId, ref: notificationId ?? '' };
  return addPairs(tallyOf(position, 'NOTIFICATION'), who, [{ subject: String(eventId), from: before, to: after }]);
}

/** Rows that a shorter retention would take at once. */
export const countRemoved = (position: ImpactPosition, rows: number): void =>
  addHits(position, 'after', named('removed'), rows);

export type NoticesReport = ReturnType<typeof noticesReport>;

export function noticesReport({ hits }: ImpactPosition, kind: notificationSimulation.SimulatedKind) {
  const of = (what: string): HitCount => hits[named(what)] ?? { before: 0, after: 0 };
  const outcomes = simulatedOutcomes.map((outcome) => ({ outcome, ...of(outcome) }));
  return {
    ...{ windowDays: simulatedDays, kind: kind.kind },
    requests: outcomes.reduce((sum, { before }) => sum + before, 0),
    outcomes: outcomes.filter(({ before, after }) => before + after > 0),
    retention: { daysBefore: kind.daysBefore, daysAfter: kind.daysAfter, removedAtOnce: of('removed').after },
  };
}
