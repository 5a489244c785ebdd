// A school year read from the contract (60 §1) a second time: which facts are new, on which local day each lies, and how many
// school days lie between. What each brings is `model.ts`. No code of the service.
import type { MasteryFact } from '#outcomes/rewards/engine/enums.ts';

export interface ModelCalendar {
  /** Monday 1 to Sunday 7. */
  readonly weekend: readonly number[];
  readonly holidays: readonly string[];
}

export interface ModelFact {
  readonly kind: MasteryFact['sourceKind'];
  readonly naturalKey: string;
  readonly sessionKey: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** In force when it arrives. */
  readonly calendar: ModelCalendar;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Riyadh is three hours ahead all year. */
export const riyadhDate = (atMs: number): string => new Date(atMs + 3 * hourMs).toISOString().slice(0, 10);

/** School days strictly between two dates; 0 where the second is not later. */
export function schoolDaysBetween({ weekend, holidays }: ModelCalendar, from: string, to: string): number {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const dates = Array.from({ length: Math.max(0, (last - first) / dayMs - 1) }, (_, at) => first + (at + 1) * dayMs);
  return dates.filter((date) => {
    const weekday = new Date(date).getUTCDay() || 7;
    return !weekend.includes(weekday) && !holidays.includes(new Date(date).toISOString().slice(0, 10));
  }).length;
}

/** The ledger: a fact that was there before is no second event. */
export function modelEvents(facts: readonly ModelFact[]): MasteryFact[] {
  const events: MasteryFact[] = [];
  for (const { kind: sourceKind, naturalKey, sessionKey, atMs, calendar } of facts) {
    if (events.some((one) => one.sourceKind === sourceKind && one.naturalKey === naturalKey)) continue;
    const localDate = riyadhDate(atMs);
    const ticked = events.map((one) => one.localDate).sort();
    const last = ticked.at(-1);
    events.push({
      ...{ id: events.length + 1, sourceKind, naturalKey, sessionKey, localDate },
      occurredAt: new Date(atMs).toISOString(),
      missedSchoolDays: last === undefined ? 0 : schoolDaysBetween(calendar, last, localDate),
      ruleVersion: 'gamification/rewards@1',
    });
  }
  return events;
}
