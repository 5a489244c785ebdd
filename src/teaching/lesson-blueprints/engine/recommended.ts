// Recommends lessons for the students of a class: their active assignments, grouped by what a blueprint has to match.
import { compare } from '#core/platform/pure/lists/compare.ts';
import type { DeliveryMode, InterventionBundle, ScaffoldTier } from '#support/interventions/engine/index.ts';
import type { BlueprintForm } from '../enums.ts';

export interface ActiveAssignment {
  readonly studentId: number;
  readonly state: string;
  readonly bundle_id: string;
  readonly currentStepNo: number | null;
  /** Sessions that were counted for the current step; none when left out. */
  readonly deliveredSessions?: number;
  readonly deliveryMode: DeliveryMode;
  readonly scaffoldTier: ScaffoldTier;
  readonly anchorSkillGroup: string | null;
  /** True for halted students and those with an open acute alert: no lesson is recommended for them. */
  readonly left: boolean;
}

export interface PublishedHead {
  readonly blueprintId: string;
  readonly state: string;
  readonly bundle_id: string;
  readonly stepNo: number;
  readonly grade: number;
  readonly deliveryModes: readonly string[];
  /** Null when the blueprint fits every scaffold tier. */
  readonly scaffoldTier: string | null;
  readonly anchorSkillGroup: string;
  /** Form A when left out. */
  readonly form?: BlueprintForm;
  /** Instant of publication; the newest blueprint is preferred. */
  readonly publishedAt: string | number;
}

export interface RecommendedLesson {
  readonly blueprintId: string;
  readonly bundle_id: string;
  readonly stepNo: number;
  readonly sessionRole: string | null;
  readonly deliveryMode: DeliveryMode;
  readonly scaffoldTier: ScaffoldTier;
  readonly recipientStudentIds: readonly number[];
  readonly reasonCode: 'current_step';
  readonly anchor_skill_group: string | null;
}

export interface BlueprintRecommendationInput {
  /** The grade of the class. */
  readonly grade: number;
  readonly assignments: readonly ActiveAssignment[];
  readonly blueprints: readonly PublishedHead[];
  /** The bundle catalogue in force. */
  readonly bundles: ReadonlyMap<string, Pick<InterventionBundle, 'roles' | 'objectType' | 'steps'>>;
}

type Group = Pick<ActiveAssignment, 'bundle_id' | 'deliveryMode' | 'scaffoldTier' | 'anchorSkillGroup'> & {
  readonly stepNo: number;
  readonly studentIds: readonly number[];
  /** Of the student who was taught the step least. */
  readonly leastDelivered: number;
};

/** Returns recommendations ordered by bundle, step, delivery mode, scaffold tier and blueprint. */
export function recommendLessons({
  grade,
  assignments,
  blueprints,
  bundles,
}: BlueprintRecommendationInput): RecommendedLesson[] {
  const rows = groupsOf(assignments).flatMap((group): RecommendedLesson[] => {
    const bundle = bundles.get(group.bundle_id);
    // A light action applies to any skill, so its blueprint must be written for the skill group of the assignment.
    const isForAny = bundle?.objectType === 'LIGHT_SUPPORT_ACTION' && bundle.roles.length === 0;
    const [best] = blueprints
      .filter((one) => one.state === 'active' && one.grade === grade && matches(one, group))
      .filter((one) => !isForAny || one.anchorSkillGroup === group.anchorSkillGroup)
      .toSorted((one, other) => comparePreference(one, other, group));
    if (!best) return [];
    const step = bundle?.steps.find(({ stepNo }) => stepNo === group.stepNo);
    return [rowOf(best, group, step?.sessionRole ?? null)];
  });
  return rows.toSorted(compareRecommendations);
}

function groupsOf(assignments: readonly ActiveAssignment[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { state, left, currentStepNo: stepNo, studentId, deliveredSessions = 0, ...assignment } of assignments) {
    if (state !== 'active' || left || stepNo === null) continue;
    const { bundle_id, deliveryMode, scaffoldTier, anchorSkillGroup } = assignment;
    const key = [bundle_id, stepNo, deliveryMode, scaffoldTier, anchorSkillGroup].join('|');
    const known = groups.get(key);
    const studentIds = [...(known?.studentIds ?? []), studentId];
    const leastDelivered = Math.min(known?.leastDelivered ?? deliveredSessions, deliveredSessions);
    groups.set(key, { bundle_id, stepNo, deliveryMode, scaffoldTier, anchorSkillGroup, studentIds, leastDelivered });
  }
  return [...groups.values()];
}

const matches = (one: PublishedHead, { bundle_id, stepNo, deliveryMode, scaffoldTier }: Group): boolean =>
  one.bundle_id === bundle_id &&
  one.stepNo === stepNo &&
  one.deliveryModes.includes(deliveryMode) &&
  (one.scaffoldTier === null || one.scaffoldTier === scaffoldTier);

/** The forms take turns from session to session. */
const formOf = ({ leastDelivered }: Group): BlueprintForm => (leastDelivered % 2 === 0 ? 'A' : 'B');

/** Prefers the same scaffold tier, the same skill group, the form whose turn it is, the newest, then the lowest id. */
function comparePreference(one: PublishedHead, other: PublishedHead, group: Group): number {
  const rank = (isMatch: boolean): number => (isMatch ? 0 : 1);
  const byTier = rank(one.scaffoldTier === group.scaffoldTier) - rank(other.scaffoldTier === group.scaffoldTier);
  const isGroup = ({ anchorSkillGroup }: PublishedHead) => anchorSkillGroup === group.anchorSkillGroup;
  const byGroup = rank(isGroup(one)) - rank(isGroup(other));
  const isForm = ({ form = 'A' }: PublishedHead) => form === formOf(group);
  const byForm = rank(isForm(one)) - rank(isForm(other));
  return (
    byTier ||
    byGroup ||
    byForm ||
    compare(other.publishedAt, one.publishedAt) ||
    compare(one.blueprintId, other.blueprintId)
  );
}

const rowOf = (one: PublishedHead, group: Group, sessionRole: string | null): RecommendedLesson => ({
  blueprintId: one.blueprintId,
  bundle_id: group.bundle_id,
  stepNo: group.stepNo,
  sessionRole,
  deliveryMode: group.deliveryMode,
  scaffoldTier: group.scaffoldTier,
  recipientStudentIds: group.studentIds.toSorted((a, b) => a - b),
  reasonCode: 'current_step',
  anchor_skill_group: group.anchorSkillGroup,
});

const compareRecommendations = (one: RecommendedLesson, other: RecommendedLesson): number =>
  compare(one.bundle_id, other.bundle_id) ||
  one.stepNo - other.stepNo ||
  compare(one.deliveryMode, other.deliveryMode) ||
  compare(one.scaffoldTier, other.scaffoldTier) ||
  compare(one.blueprintId, other.blueprintId) ||
  compare(one.anchor_skill_group ?? '', other.anchor_skill_group ?? '');
