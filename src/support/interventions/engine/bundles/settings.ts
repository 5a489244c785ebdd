// Limits and periods of bundles, groups and assignments, read from `bundle/settings`.
import type { RuleBundle, ValueDocument } from '#rules/rulesets/engine/index.ts';

/** Ids of the constants by name in code. */
const constantIds = {
  openAssignments: 'ASG-OPEN-01',
  startPastDays: 'ASG-PAST-01',
  startAheadDays: 'ASG-AHEAD-01',
  intensiveSessionsPerWeek: 'ASG-T3W-01',
  extensionWeeks: 'ASG-EXT-01',
  mostExtensions: 'ASG-EXT-02',
  lastResultDays: 'ASG-LAST-01',
  monitoringDays: 'ASG-MON-01',
  intensiveMonitoringDays: 'ASG-MON-02',
  aimLineWeeks: 'ASG-AIM-01',
  instructionalMinutesPerWeek: 'ASG-MIN-01',
  sessionMinutes: 'ASG-SES-01',
  goalScored: 'STP-SCO-01',
  goalRate: 'STP-RAT-01',
  stepUpRate: 'STP-UP-01',
  stepDownRate: 'STP-DOWN-01',
  longStepFactor: 'STP-LONG-01',
  clusterMinimum: 'CLU-MIN-01',
  generationDays: 'CLU-LIFE-01',
  independenceDays: 'IND-WIN-01',
  smallGroup: 'GRP-SMALL-01',
  microGroup: 'GRP-MICRO-01',
  classwideShare: 'GRP-CLASS-01',
  classwideMembers: 'GRP-CLASS-02',
  instructionalWeekDays: 'WKS-DAY-01',
} as const;

const endWeeksId = 'ASG-END-01';

export interface BundleSettings extends Readonly<Record<keyof typeof constantIds, number>> {
  /**
   * Complete instructional weeks for which a plan may be open after its end; null for versions under which nothing follows
   * from the end of a plan.
   */
  readonly endWeeks: number | null;
}

const name = 'bundle/settings';

/** Throws BundleError when the document is missing, RangeError when it lacks a constant. */
export function bundleSettings(bundle: RuleBundle): BundleSettings {
  const numbers = numbersOf(bundle, name, constantIds);
  const { constants = {} } = bundle.values<ValueDocument>(name);
  const { endWeeks } = constants[endWeeksId]
    ? numbersOf(bundle, name, { endWeeks: endWeeksId })
    : ({ endWeeks: null } as const);
  return { ...numbers, endWeeks };
}

/** The constants of a value document by their names in code. */
export function numbersOf<K extends string>(
  bundle: RuleBundle,
  name: `${string}/${string}`,
  ids: Readonly<Record<K, string>>,
): Readonly<Record<K, number>> {
  const { constants = {} } = bundle.values<ValueDocument>(name);
  const entries = Object.entries<string>(ids).map(([key, id]) => {
    const value = constants[id]?.value;
    if (typeof value !== 'number') throw new RangeError(`${name} lacks ${id}`);
    return [key, value] as const;
  });
  return Object.fromEntries(entries) as Record<K, number>;
}
