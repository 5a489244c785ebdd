// The response of a student to support since the tier began, by the role in focus.

import { isWeak, type SkillStatus } from '#assessment/skill-status/engine/index.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';
import { concernOrder, measureOf, type RoleCode } from '../../../interventions/engine/index.ts';
import type { RtiSettings } from '../settings.ts';
import type { Response } from '../vocabulary.ts';

/** The status of the role in a run that added a measurement to it. */
export interface RoleMeasurement {
  readonly status: SkillStatus;
  /** Local date of the session. */
  readonly on: string;
}

export interface ProgressQuestion {
  /** Null without a role in focus. */
  readonly role: RoleCode | null;
  /** Local date; without a movement that of the first enrollment. */
  readonly tierSince: string;
  /** The trend of the repeated measure; null without one. */
  readonly trendType: string | null;
  /** Monitoring points dated on or after `tierSince`. */
  readonly pointsSinceTier: number;
  /** In the order of dates. */
  readonly history: readonly RoleMeasurement[];
}

export function skillProgress(question: ProgressQuestion, settings: RtiSettings): Response {
  const { role, tierSince, trendType, pointsSinceTier, history } = question;
  if (role === null) return 'unknown';
  if (measureOf(role) === null) return responseOfStatuses(tierSince, history, settings);
  return pointsSinceTier < settings.progressPoints ? 'unknown' : (responseOfTrend[trendType ?? ''] ?? 'unknown');
}

const responseOfTrend: Readonly<Record<string, Response>> = {
  trend_below_goal: 'below',
  trend_mixed: 'mixed',
  trend_above_goal: 'above',
};

/** Compares the newest status with the one in force when the tier began, else with the first after it. */
export function responseOfStatuses(
  tierSince: string,
  history: readonly RoleMeasurement[],
  { progressDays }: Pick<RtiSettings, 'progressDays'>,
): Response {
  const newest = history.at(-1);
  const start = history.findLast(({ on }) => on <= tierSince) ?? history.find(({ on }) => on > tierSince);
  if (!newest || !start || newest === start || newest.on < daysAfter(tierSince, progressDays)) return 'unknown';
  if (newest.status === 'adequate') return 'above';
  const isNoBetter = concernOrder.indexOf(newest.status) <= concernOrder.indexOf(start.status);
  return isWeak(newest.status) && isNoBetter ? 'below' : 'mixed';
}

/** An assignment with a fidelity gate. */
export interface FocusAssignment {
  readonly assignmentId: string;
  /** In the order of the bundle. */
  readonly roles: readonly RoleCode[];
  readonly startOn: string;
  /** ISO 8601. */
  readonly activatedAt: string;
  /** Local date; null while open. */
  readonly endedOn: string | null;
}

/**
 * The first role of the newest assignment that was active on some day since the tier began, else the profile's anchor role.
 */
export function focusRole(
  assignments: readonly FocusAssignment[],
  anchorRole: RoleCode | null,
  tierSince: string,
  today: string,
): RoleCode | null {
  const eligible = assignments.filter(({ roles, startOn, endedOn }) => {
    return roles.length > 0 && startOn <= today && (endedOn === null || endedOn >= tierSince);
  });
  return eligible.toSorted(newestFirst)[0]?.roles[0] ?? anchorRole;
}

const newestFirst = (a: FocusAssignment, b: FocusAssignment): number =>
  compare(b.startOn, a.startOn) || compare(b.activatedAt, a.activatedAt) || compare(b.assignmentId, a.assignmentId);
