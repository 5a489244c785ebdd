// Why a student is judged again. One request stands for all that was asked while it was open, and its run is told by one
// reason; that new rules were asked for is kept beside it.
import type { Trigger } from '../results/enums.ts';

export interface RecomputeTrigger {
  readonly organizationId: string;
  readonly studentId: number;
  readonly trigger: Trigger;
  /** What triggered it, for example a session's id. */
  readonly triggerRef: string | null;
  /** ISO 8601: when it happened. */
  readonly at: string;
}

/** Work of the child says most, then what became known of the child: families are told of runs by it. */
const ranks: Readonly<Record<Trigger, number>> = {
  ...{ diagnostic_finished: 2, practice_completed: 2, orf_scored: 2 },
  context_flag_changed: 1,
  ...{ grade_changed: 0, rule_activation: 0, admin: 0 },
};

/** Of an open request `q` that is asked again: its reason says more than the new one. With `reasonBindings`. */
export const staysReason = `q.requested_seq > q.processed_seq
  and (:ranks::jsonb -> q.trigger)::integer > (:ranks::jsonb -> excluded.trigger)::integer`;
export const reasonBindings = { ranks: JSON.stringify(ranks) };

export interface AskedStudent extends RecomputeTrigger {
  /** One of the reasons is that rules have changed. */
  readonly newRules: boolean;
}

/** As if they had been asked one after the other: of reasons that say as much the last. */
export function onePerStudent(list: readonly RecomputeTrigger[]): AskedStudent[] {
  const asked = new Map<string, AskedStudent>();
  for (const one of list) {
    const key = `${one.organizationId} ${one.studentId}`;
    const before = asked.get(key);
    const newRules = one.trigger === 'rule_activation' || before?.newRules === true;
    const { trigger, triggerRef } = before && ranks[before.trigger] > ranks[one.trigger] ? before : one;
    asked.set(key, { ...one, trigger, triggerRef, newRules });
  }
  return [...asked.values()];
}
