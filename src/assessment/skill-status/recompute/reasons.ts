// Reasons of a recompute. One request represents all triggers while it is open, and its run has one reason; whether new
// rules triggered it is stored separately.
import type { TriggerKind } from '../results/enums.ts';

export interface RecomputeTrigger {
  readonly organizationId: string;
  readonly studentId: number;
  readonly trigger: TriggerKind;
  /** Reference of the trigger, for example a session's id. */
  readonly triggerRef: string | null;
  /** ISO 8601: when it happened. */
  readonly at: string;
}

/**
 * Priority of reasons, by which families are informed: work of the child first, then new information about the child.
 */
const ranks: Readonly<Record<TriggerKind, number>> = {
  diagnostic_finished: 2,
  practice_completed: 2,
  orf_scored: 2,
  context_flag_changed: 1,
  evidence_corrected: 0,
  grade_changed: 0,
  rule_activation: 0,
  admin: 0,
};

/** SQL condition: the reason of open request `q` has priority over the new one. Requires `reasonBindings`. */
export const staysReason = `q.requested_seq > q.processed_seq
  and (:ranks::jsonb -> q.trigger)::integer > (:ranks::jsonb -> excluded.trigger)::integer`;
export const reasonBindings = { ranks: JSON.stringify(ranks) };

export interface AskedStudent extends RecomputeTrigger {
  /** Whether one of the reasons is a change of rules. */
  readonly newRules: boolean;
}

/** Merges triggers per student as if they had been requested in sequence: of reasons with equal priority the last. */
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
