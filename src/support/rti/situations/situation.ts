// Derives from the stored data of one student the input of the rules of tiers and alerts. Pure, and the same for all callers.

import type { NextDataAction, SkillStatus } from '#assessment/skill-status/index.ts';
import {
  completeWeeksBetween,
  type InterventionRules,
  isStrong,
  measureOf,
  type Pooled,
  type RecommendedProfile,
  type RoleCode,
  recommendedProfileOf,
  type SchoolCalendar,
  type SupportTier,
  schoolCalendar,
} from '../../interventions/index.ts';
import type { AlertFacts } from '../engine/alerts/alert.ts';
import type { RtiRules } from '../engine/compiled.ts';
import { focusRole, type RoleMeasurement, skillProgress } from '../engine/skills/progress.ts';
import { skillFacts } from '../engine/skills/skill-facts.ts';
import type { Response } from '../engine/vocabulary.ts';
import { type RtiAlert, spentBy } from '../rows/alerts.ts';
import type { LastDecision } from '../rows/decisions.ts';
import { coveredRoles, focusAssignments } from './focus-assignments.ts';
import type { StudentParts } from './parts.ts';
import type { Skills } from './skills.ts';

export interface RtiSituation {
  readonly studentId: number;
  /** Null between classes. */
  readonly enrollment: { readonly classId: number; readonly schoolId: string; readonly grade: number } | null;
  readonly timeZone: string;
  /** Local date, as are `tierSince` and `reviewFrom`. */
  readonly today: string;
  readonly calendar: SchoolCalendar;
  /** Some sub-skill has too few or conflicting answers (dndy). */
  readonly halted: boolean;
  /** No educational profile. */
  readonly dataIncomplete: boolean;
  /** Whether a flag with the effect `review` holds today. */
  readonly contextReview: boolean;
  /** Null unless one of the first two holds. */
  readonly nextRecommendedDataAction: NextDataAction | null;
  readonly profile: RecommendedProfile;
  /** Null for a student who was not measured in this school year. */
  readonly profileId: number | null;
  /** Name of the school year. */
  readonly schoolYear: string;
  readonly tier: SupportTier;
  /** Without a movement that of the first enrollment. */
  readonly tierSince: string;
  /** Date of the newest movement; null without one. */
  readonly movedOn: string | null;
  readonly weeksInTier: number;
  /** The later of `tierSince` and the day of the newest decision. */
  readonly reviewFrom: string;
  readonly reviewWeeks: number;
  readonly fidelity: Pooled;
  /** The role for the response; null without a role in focus. */
  readonly focusRole: RoleCode | null;
  readonly progress: Response;
  /** For a role without a repeated measure: the number of runs that measured it. */
  readonly roleMeasurements: number;
  /** Monitoring points of the repeated measure dated on or after `tierSince`. */
  readonly pointsSinceTier: number;
  readonly broadCount: number;
  readonly strongCount: number;
  readonly severeTile: boolean;
  readonly anchorStrong: boolean;
  readonly anchorMonitoring: boolean;
  readonly skills: Skills;
  readonly alertFacts: AlertFacts;
  /** Oldest first, closed ones included. */
  readonly alerts: readonly RtiAlert[];
  /** Ids of open alerts that rest on evidence that was voided since. */
  readonly voidedAlerts: ReadonlySet<string>;
  readonly openAlert: RtiAlert | null;
  readonly dismissedAlerts: readonly RtiAlert[];
  readonly lastDecision: LastDecision | null;
}

type Interventions = InterventionRules;

/** Without a movement the first tier since the first enrollment. */
const tierOf = ({ movement, enrollmentContext, today }: StudentParts): Pick<RtiSituation, 'tier' | 'tierSince'> => ({
  tier: movement?.toTier ?? 1,
  tierSince: movement?.effectiveOn ?? enrollmentContext.enrolledSince ?? today,
});

/** The role in focus for the student's response. */
export function focusOf(parts: StudentParts, { recommendation: { catalogue } }: Interventions): RoleCode | null {
  const { assignments, today, known } = parts;
  const { tierSince } = tierOf(parts);
  return focusRole(
    focusAssignments(assignments, { tierSince, today }, catalogue),
    recommendedProfileOf(known).anchorRole,
    tierSince,
    today,
  );
}

/** Whether the role has no repeated measure. */
export const measuredByStatus = (role: RoleCode | null): role is RoleCode => role !== null && measureOf(role) === null;

export function situationOf(
  parts: StudentParts,
  history: readonly RoleMeasurement[],
  rules: RtiRules,
  interventions: Interventions,
): RtiSituation {
  const { enrollmentContext, today, known, lastDecision = null, needs } = parts;
  const profile = recommendedProfileOf(known);
  const calendar = schoolCalendar(enrollmentContext.weekend, enrollmentContext.holidays);
  const { tier, tierSince } = tierOf(parts);
  const weeks = (from: string) =>
    completeWeeksBetween(calendar, from, today, interventions.settings.instructionalWeekDays);
  const reviewFrom = lastDecision && lastDecision.effectiveOn > tierSince ? lastDecision.effectiveOn : tierSince;
  const weeksInTier = weeks(tierSince);
  const reviewWeeks = reviewFrom === tierSince ? weeksInTier : weeks(reviewFrom);
  const counted = { tier, weeksInTier, reviewWeeks, ...needs };
  const response = responseOf(parts, history, rules, interventions);
  const halts = { halted: profile.outcome === 'do_not_decide_yet', dataIncomplete: profile.profileCode === noProfile };
  const alertFacts = alertFactsOf(parts, { ...halts, ...counted, ...response }, rules, interventions);
  return written(parts, { calendar, profile, tierSince, reviewFrom, counted, response, halts, alertFacts });
}

type Counts = Pick<RtiSituation, 'tier' | 'weeksInTier' | 'reviewWeeks'> & StudentParts['needs'];

interface WorkedOut extends Pick<RtiSituation, 'calendar' | 'profile' | 'tierSince' | 'reviewFrom' | 'alertFacts'> {
  readonly counted: Counts;
  readonly response: ReturnType<typeof responseOf>;
  readonly halts: Pick<RtiSituation, 'halted' | 'dataIncomplete'>;
}

/** Lists all members, because spreading several objects takes several times as much memory. */
function written(parts: StudentParts, { counted, response, halts, profile, ...worked }: WorkedOut): RtiSituation {
  const { enrollmentContext, known, alerts } = parts;
  return {
    studentId: enrollmentContext.studentId,
    enrollment: enrollmentOf(parts),
    timeZone: enrollmentContext.timeZone,
    today: parts.today,
    calendar: worked.calendar,
    halted: halts.halted,
    dataIncomplete: halts.dataIncomplete,
    contextReview: parts.contextReview,
    nextRecommendedDataAction: profile.nextRecommendedDataAction,
    profile,
    profileId: known.stored?.profileId ?? null,
    schoolYear: parts.year.name,
    tier: counted.tier,
    tierSince: worked.tierSince,
    movedOn: parts.movement?.effectiveOn ?? null,
    weeksInTier: counted.weeksInTier,
    reviewFrom: worked.reviewFrom,
    reviewWeeks: counted.reviewWeeks,
    fidelity: parts.fidelity,
    focusRole: response.focusRole,
    progress: response.progress,
    roleMeasurements: response.roleMeasurements,
    pointsSinceTier: response.pointsSinceTier,
    broadCount: counted.broadCount,
    strongCount: counted.strongCount,
    severeTile: counted.severeTile,
    anchorStrong: isStrongStatus(profile.anchorStatus),
    anchorMonitoring: parts.skills[profile.anchorSubSkillCode ?? '']?.state === 'monitoring',
    skills: parts.skills,
    alertFacts: worked.alertFacts,
    alerts,
    voidedAlerts: parts.voidedAlerts,
    openAlert: alerts.find(({ state }) => state === 'open') ?? null,
    dismissedAlerts: alerts.filter(({ state }) => state === 'dismissed'),
    lastDecision: parts.lastDecision ?? null,
  };
}

const noProfile = 'DATA_INCOMPLETE';

const isStrongStatus = (status: SkillStatus | 'none'): boolean => status !== 'none' && isStrong(status);

const enrollmentOf = ({ enrollmentContext: { classId, schoolId }, grade }: StudentParts): RtiSituation['enrollment'] =>
  classId === null || schoolId === null || grade === null ? null : { classId, schoolId, grade };

function responseOf(
  parts: StudentParts,
  history: readonly RoleMeasurement[],
  { settings }: RtiRules,
  interventions: Interventions,
): Pick<RtiSituation, 'focusRole' | 'progress' | 'roleMeasurements' | 'pointsSinceTier'> {
  const { tierSince } = tierOf(parts);
  const { series } = parts;
  const role = focusOf(parts, interventions);
  const pointsSinceTier = (series?.monitoredOn ?? []).filter((date) => date >= tierSince).length;
  const question = {
    ...{ role, tierSince, pointsSinceTier, history },
    trendType: series?.trendType ?? null,
  };
  const progress = skillProgress(question, settings);
  return { focusRole: role, progress, roleMeasurements: history.length, pointsSinceTier };
}

type Counted = Pick<
  RtiSituation,
  | 'halted'
  | 'dataIncomplete'
  | 'tier'
  | 'weeksInTier'
  | 'reviewWeeks'
  | 'progress'
  | 'broadCount'
  | 'strongCount'
  | 'severeTile'
>;

function alertFactsOf(
  { alerts, voidedAlerts, acuteSignals, fidelity, skills, assignments }: StudentParts,
  { halted, dataIncomplete, tier, weeksInTier, reviewWeeks, progress, broadCount, strongCount, severeTile }: Counted,
  { settings }: RtiRules,
  { profiles, recommendation }: Interventions,
): AlertFacts {
  const spent = spentBy(alerts, voidedAlerts);
  const covered = coveredRoles(assignments, recommendation.catalogue);
  const { catalogue, roles } = profiles;
  const asked = { skills, used: spent.snapshots, coveredRoles: covered };
  return {
    ...{ dndy: halted, dataIncomplete },
    ...skillFacts(asked, { catalogue, roles, acuteDropDays: settings.acuteDropDays }),
    acuteCbm: acuteSignals.find((id) => !spent.signals.has(id)) ?? null,
    ...{ tier, weeksInTier, reviewWeeks, progress, broadCount, strongCount, severeTile },
    ...{ deliveredWeeks: fidelity.deliveredWeeks, gate: fidelity.gate },
  };
}
