// Open assignments that cover a student's need, and the results of past ones.
import { daysBetween } from '#core/platform/pure/dates/days.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';
import type { EngineProfile } from '../profiles/resolve.ts';
import {
  type AssignmentState,
  type DeliveryMode,
  isStrongNeed,
  mostIntensiveTier,
  type RoleCode,
  type ScaffoldTier,
  type SupportTier,
  strengthOf,
} from '../vocabulary.ts';
import { type BundleCatalogue, coversRole } from './catalogue.ts';

interface AssignmentBase {
  readonly assignmentId: string;
  readonly bundle_id: string;
  /** Frozen at activation. */
  readonly anchorRole: RoleCode | null;
  /** ISO 8601. */
  readonly activatedAt: string;
}

/** Scheduled, active or paused. */
export interface OpenAssignment extends AssignmentBase {
  readonly scaffoldTier: ScaffoldTier;
  /** Left out in inputs that were stored before tables asked for it; so is the number of sessions. */
  readonly deliveryMode?: DeliveryMode;
  readonly sessionsPerWeek?: number;
}

/** The newest movement between tiers of support. */
export interface NewestTierMove {
  readonly fromTier: SupportTier;
  readonly toTier: SupportTier;
  /** ISO 8601. */
  readonly committedAt: string;
}

/**
 * Whether the most intensive tier was decided after the plan began, and the plan does not give the support of that tier
 * yet.
 */
export function tierRoseSince(
  { activatedAt, scaffoldTier, deliveryMode, sessionsPerWeek }: OpenAssignment,
  move: NewestTierMove | null,
  intensiveSessionsPerWeek: number,
): boolean {
  if (move?.toTier !== mostIntensiveTier || move.fromTier >= move.toTier) return false;
  const isIntensive =
    scaffoldTier === 'Level_3' &&
    deliveryMode === 'teacher_led_micro_group' &&
    sessionsPerWeek === intensiveSessionsPerWeek;
  return move.committedAt > activatedAt && !isIntensive;
}

export interface PastAssignment extends AssignmentBase {
  readonly state: AssignmentState;
  /** Local date; null while open. */
  readonly endedOn: string | null;
  readonly completionResult: 'goals_met' | 'goals_not_met' | null;
}

type Need = Pick<EngineProfile, 'profileCode' | 'anchorRole'>;

/** The least strength that suffices; undefined when the profile needs no assignment. */
function neededStrength({ profileCode }: Need): number | undefined {
  if (isStrongNeed(profileCode)) return strengthOf.INTERVENTION_BUNDLE;
  if (profileCode === 'ISOLATED_GAP') return strengthOf.SUPPORT_MODULE;
  return profileCode === 'MONITOR_WATCH' ? strengthOf.LIGHT_SUPPORT_ACTION : undefined;
}

/** Newest first, then by id. */
const newestFirst = <T extends AssignmentBase>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => compare(b.activatedAt, a.activatedAt) || compare(a.assignmentId, b.assignmentId));

/** `below` is the bundle that a new recommendation would name. */
export function coveringAssignment(
  open: readonly OpenAssignment[],
  need: Need,
  below: string | null,
  catalogue: BundleCatalogue,
): OpenAssignment | null {
  const needed = neededStrength(need);
  const isEnough = ({ bundle_id, anchorRole }: OpenAssignment) => {
    const bundle = catalogue.byId.get(bundle_id);
    if (!bundle || needed === undefined || !coversRole(bundle, need.anchorRole, anchorRole)) return false;
    return (strengthOf[bundle.objectType] ?? 0) >= needed;
  };
  const newest = newestFirst(open);
  return newest.find(isEnough) ?? newest.find(({ bundle_id }) => bundle_id === below) ?? null;
}

export interface PastFacts {
  readonly awaitingMeasure: boolean;
  readonly lastResult: 'none' | 'goals_met' | 'goals_not_met';
}

export interface PastQuestion {
  readonly assignments: readonly PastAssignment[];
  readonly need: Need;
  /** Local date of the anchor sub-skill's newest evidence; null without any. */
  readonly measuredOn: string | null;
  /**
   * Local dates of the anchor sub-skill's two newest measurements, where met goals count for a single one; left out where
   * they count for any number.
   */
  readonly measurements?: readonly string[] | undefined;
  /** Local date. */
  readonly asOf: string;
  /** After this many days a past result no longer counts. */
  readonly lastResultDays: number;
}

export function pastFacts(question: PastQuestion, below: string | null, catalogue: BundleCatalogue): PastFacts {
  const { assignments, need, measuredOn, measurements, asOf, lastResultDays } = question;
  const covers = ({ bundle_id, anchorRole }: PastAssignment) => {
    const bundle = catalogue.byId.get(bundle_id);
    return bundle !== undefined && coversRole(bundle, need.anchorRole, anchorRole);
  };
  const [newest] = newestFirst(assignments.filter((one) => covers(one) || one.bundle_id === below));
  const [last] = newestFirst(assignments.filter((one) => covers(one) && one.state === 'completed'));
  const isRecent = (endedOn: string) => daysBetween(endedOn, asOf) <= lastResultDays;
  const since = (endedOn: string) => measuredOn !== null && measuredOn > endedOn;
  const counts = ({ completionResult }: PastAssignment, endedOn: string) =>
    completionResult !== 'goals_met' || measurements === undefined || isMeasuredOnce(measurements, endedOn);
  return {
    awaitingMeasure: newest?.state === 'completed' && newest.endedOn !== null && !since(newest.endedOn),
    lastResult:
      last?.endedOn && isRecent(last.endedOn) && since(last.endedOn) && counts(last, last.endedOn)
        ? (last.completionResult ?? 'none')
        : 'none',
  };
}

const isMeasuredOnce = (measurements: readonly string[], endedOn: string): boolean =>
  measurements.filter((day) => day > endedOn).length === 1;
