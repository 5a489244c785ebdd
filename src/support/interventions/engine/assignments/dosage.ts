// The dosage of an assignment, its monitoring, and the weekly workload of a class.
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

/** Oral reading is the only repeated measure, for these roles. */
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
  /** Local date of the newest reading; null without one. */
  readonly probedOn: string | null;
  readonly asOf: string;
}

/** Counted from the newest reading since the start, else from the start; null for a role without a measure. */
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
  /** Average whole minutes of the bundle's blueprints; null without any. */
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

/**
 * For the open assignments of a class; students with the same bundle and delivery mode form one group, which counts once.
 */
export function workloadOf(assignments: readonly PlannedSupport[], settings: BundleSettings): Workload {
  const byGroup = new Map<string, PlannedSupport[]>();
  for (const assignment of assignments) {
    const key = `${assignment.bundle_id}|${assignment.deliveryMode}`;
    byGroup.set(key, [...(byGroup.get(key) ?? []), assignment]);
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
