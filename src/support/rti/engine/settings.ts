// Periods and counts of tiers, alerts and packets, read from `rti/decision-packet`.

import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { numbersOf } from '../../interventions/engine/index.ts';

/** Ids of the constants by name in code. */
const constantIds = {
  /** Days until a deferred packet is a draft again. */
  deferralDays: 'PKT-DEF-01',
  /** The most days of evidence in a packet. */
  evidenceDays: 'PKT-EVD-01',
  dismissalDays: 'ALT-DIS-01',
  /** Days before the end of a dismissal at which the end is announced. */
  expiryNoticeDays: 'ALT-TEL-01',
  acknowledgeHours: 'ALT-ACK-01',
  /** Days for which a decision keeps a kind of alert quiet. */
  quietDays: 'ALT-QUI-01',
  /** The most days between the two measurements of an acute drop. */
  acuteDropDays: 'ACU-GAP-01',
  /** Monitoring points since the tier began. */
  progressPoints: 'PRG-PTS-01',
  /** Days after the start of the tier from which a status counts for it. */
  progressDays: 'PRG-AGE-01',
  /** Days by which a decision may be backdated. */
  decisionPastDays: 'DEC-PAST-01',
} as const;

export type RtiSettings = Readonly<Record<keyof typeof constantIds, number>>;

/** Throws BundleError when the document is missing, RangeError when a constant is missing or two contradict each other. */
export function rtiSettings(bundle: RuleBundle): RtiSettings {
  const settings = numbersOf(bundle, 'rti/decision-packet', constantIds);
  if (settings.expiryNoticeDays >= settings.dismissalDays) {
    throw new RangeError('rti/decision-packet: ALT-TEL-01 must be less than ALT-DIS-01');
  }
  return settings;
}
