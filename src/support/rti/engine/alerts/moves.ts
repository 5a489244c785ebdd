// Moves of an alert by people and decisions: acknowledge, dismiss, and which decision closes which kind.
import type { AlertStateWord, ReviewType, RtiAlertKind, TierDecision } from '../vocabulary.ts';

type AlertStatus = { readonly kind: RtiAlertKind; readonly state: AlertStateWord };

const dismissable: ReadonlySet<RtiAlertKind> = new Set(['Skill_Alert', 'Student_Alert', 'tier_review_due']);

/** ALT-06, ALT-14: undefined when it may be acknowledged. */
export const acknowledgeFault = ({ state }: AlertStatus): 'invalid_transition' | undefined =>
  state === 'open' ? undefined : 'invalid_transition';

/** ALT-07, ALT-14 before ALT-08. */
export const dismissFault = (alert: AlertStatus): 'invalid_transition' | 'not_dismissible' | undefined =>
  acknowledgeFault(alert) ?? (dismissable.has(alert.kind) ? undefined : 'not_dismissible');

export interface ClosingDecision {
  readonly decision: TierDecision;
  /** Type of the approved packet; null for a commit without one. */
  readonly packet: ReviewType | null;
  /** Whether the tier changes. */
  readonly moved: boolean;
}

/** ALT-12: whether the decision closes an open alert of the kind. A deferred packet stays about its alert. */
export function isClosedBy(kind: RtiAlertKind, { decision, packet, moved }: ClosingDecision): boolean {
  if (moved) return true;
  if (packet !== null && decision === 'defer') return false;
  if (kind === 'acute_regression_review') return packet === 'acute_regression';
  return kind !== 'Intensive_Review' || packet !== null;
}
