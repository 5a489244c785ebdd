// The periods and counts of tiers, alerts and packets, read from `rti/decision-packet`.

import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { numbersOf } from '../../interventions/engine/index.ts';

/** What each constant is called in code. */
const constantIds = {
  /** Days until a deferred packet is a draft again. */
  deferralDays: 'PKT-DEF-01',
  /** Days of evidence that a packet looks back on at most. */
  evidenceDays: 'PKT-EVD-01',
  dismissalDays: 'ALT-DIS-01',
  /** Days before the end of a dismissal at which it is told. */
  expiryNoticeDays: 'ALT-TEL-01',
  acknowledgeHours: 'ALT-ACK-01',
  /** Days for which a decision keeps a kind of alert quiet. */
  quietDays: 'ALT-QUI-01',
  /** Days between two measurements of an acute drop at most. */
  acuteDropDays: 'ACU-GAP-01',
  /** Monitoring points since the tier began. */
  progressPoints: 'PRG-PTS-01',
  /** Days after the beginning of the tier at which a status begins to speak of it. */
  progressDays: 'PRG-AGE-01',
  /** Days that a decision may be dated back. */
  decisionPastDays: 'DEC-PAST-01',
} as const;

export type RtiSettings = Readonly<Record<keyof typeof constantIds, number>>;

/** Throws BundleError when the document is missing, RangeError when it lacks a constant or two do not go together. */
export function rtiSettings(bundle: RuleBundle): RtiSettings {
  const settings = numbersOf(bundle, 'rti/decision-packet', constantIds);
  if (settings.expiryNoticeDays >= settings.dismissalDays) {
    throw new RangeError('rti/decision-packet: ALT-TEL-01 must be less than ALT-DIS-01');
  }
  return settings;
}
