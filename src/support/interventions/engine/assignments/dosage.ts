// How often a plan is given and watched, and how much of a class's week all plans together take.
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { InterventionBundle } from '../bundles/catalogue.ts';
import type { BundleSettings } from '../bundles/settings.ts';
import { type DeliveryMode, mostIntensiveTier, type RoleCode, type SupportTier } from '../vocabulary.ts';

/** Frozen at activation; null for a bundle without sessions. */
export function sessionsPerWeekOf(
  { sessionsPerWeek }: Pick<InterventionBundle, 'sessionsPerWeek'>,
  tier: SupportTier,
  { intensiveSessionsPerWeek }: Pick<BundleSettings, 'intensiveSessionsPerWeek'>,
): number | null {
  if (sessionsPerWeek === null) return null;
  return tier === mostIntensiveTier ? intensiveSessionsPerWeek : sessionsPerWeek;
}

/** Oral reading is the one repeated measure; it speaks of these roles. */
export const measureOf = (role: RoleCode | null): 'ORF_WCPM' | null =>
  role === 'DECODE' || role === 'FLUENCY' ? 'ORF_WCPM' : null;

export interface Monitoring {
  readonly measureCode: 'ORF_WCPM';
  readonly everyDays: number;
  /** Local date. */
  readonly nextDueOn: string;
  readonly overdue: boolean;
}

export interface MonitoringQuestion {
  readonly role: RoleCode | null;
  readonly tier: SupportTier;
  readonly startOn: string;
  /** Local date of the newest probe; null without one. */
  readonly probedOn: string | null;
  readonly asOf: string;
}

/** Counted from the newest probe since the plan began, else from its beginning; null where nothing is measured. */
export function monitoringOf(question: MonitoringQuestion, settings: BundleSettings): Monitoring | null {
  const { role, tier, startOn, probedOn, asOf } = question;
  const measureCode = measureOf(role);
  if (measureCode === null) return null;
  const everyDays = tier === mostIntensiveTier ? settings.intensiveMonitoringDays : settings.monitoringDays;
  const nextDueOn = daysAfter(probedOn !== null && probedOn > startOn ? probedOn : startOn, everyDays);
  return { measureCode, everyDays, nextDueOn, overdue: asOf > nextDueOn };
}

export interface PlannedSupport {
  readonly bundle_id: string;
  readonly deliveryMode: DeliveryMode;
  readonly sessionsPerWeek: number;
  /** Of the bundle's blueprints; null while there are none. */
  readonly sessionMinutes: number | null;
}

export interface Workload {
  readonly instructionalMinutesPerWeek: number;
  readonly plannedMinutesPerWeek: number;
  readonly groups: readonly {
    readonly bundle_id: string;
    readonly deliveryMode: DeliveryMode;
    readonly students: number;
    readonly minutesPerWeek: number;
  }[];
  readonly overBy: number;
}

/** Of the open assignments of a class; who works on the same bundle in the same way is one group, counted once. */
export function workloadOf(plans: readonly PlannedSupport[], settings: BundleSettings): Workload {
  const byGroup = new Map<string, PlannedSupport[]>();
  for (const plan of plans) {
    const key = `${plan.bundle_id}|${plan.deliveryMode}`;
    byGroup.set(key, [...(byGroup.get(key) ?? []), plan]);
  }
  const groups = [...byGroup.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, members]) => groupOf(members, settings));
  const plannedMinutesPerWeek = groups.reduce((total, { minutesPerWeek }) => total + minutesPerWeek, 0);
  const { instructionalMinutesPerWeek } = settings;
  return {
    instructionalMinutesPerWeek,
    plannedMinutesPerWeek,
    groups,
    overBy: Math.max(0, plannedMinutesPerWeek - instructionalMinutesPerWeek),
  };
}

function groupOf(members: readonly PlannedSupport[], settings: BundleSettings) {
  const [first] = members;
  if (!first) return [];
  const { bundle_id, deliveryMode } = first;
  const minutes = members.map((one) => one.sessionsPerWeek * (one.sessionMinutes ?? settings.sessionMinutes));
  return [{ bundle_id, deliveryMode, students: members.length, minutesPerWeek: Math.max(...minutes) }];
}
