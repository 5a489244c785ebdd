// Periods and counts of tiers, alerts and packets, read from `rti/decision-packet`.

import type { RuleBundle, ValueDocument } from '#rules/rulesets/engine/index.ts';
import { numbersOf } from '../../interventions/engine/index.ts';
import type { RtiAlertKind } from './vocabulary.ts';

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

/** Constants of versions that know due days, from version 2 on. */
const dueIds = {
  acute_regression_review: 'ALT-DUE-01',
  Intensive_Review: 'ALT-DUE-02',
  Student_Alert: 'ALT-DUE-03',
  tier_review_due: 'ALT-DUE-04',
  Skill_Alert: 'ALT-DUE-05',
  packet: 'PKT-DUE-01',
  mostOverdueADay: 'ALT-CAP-01',
} as const satisfies Readonly<Record<RtiAlertKind | 'packet' | 'mostOverdueADay', string>>;

/** School days until alerts and packets are due, and the most messages a day that something is overdue. */
export type DueSettings = Readonly<Record<keyof typeof dueIds, number>>;

export interface RtiSettings extends Readonly<Record<keyof typeof constantIds, number>> {
  /** Null for a version that knows no due days. */
  readonly due: DueSettings | null;
}

const name = 'rti/decision-packet';

/** Throws BundleError when the document is missing, RangeError when a constant is missing or two contradict each other. */
export function rtiSettings(bundle: RuleBundle): RtiSettings {
  const settings = numbersOf(bundle, name, constantIds);
  if (settings.expiryNoticeDays >= settings.dismissalDays) {
    throw new RangeError(`${name}: ALT-TEL-01 must be less than ALT-DIS-01`);
  }
  const { constants = {} } = bundle.values<ValueDocument>(name);
  const knowsDueDays = Object.values(dueIds).some((id) => constants[id] !== undefined);
  return { ...settings, due: knowsDueDays ? numbersOf(bundle, name, dueIds) : null };
}
