// Which prepared session fits what students of a class are at: plans in progress, grouped by what a session has to fit.
import { compare } from '#core/platform/pure/lists/compare.ts';
import type { DeliveryMode, InterventionBundle, ScaffoldTier } from '#support/interventions/engine/index.ts';

export interface PlanInProgress {
  readonly studentId: number;
  readonly state: string;
  readonly bundle_id: string;
  readonly currentStepNo: number | null;
  readonly deliveryMode: DeliveryMode;
  readonly scaffoldTier: ScaffoldTier;
  readonly anchorSkillGroup: string | null;
  /** Halted, or to be looked at alone: no session is recommended for them. */
  readonly left: boolean;
}

export interface PublishedHead {
  readonly blueprintId: string;
  readonly state: string;
  readonly bundle_id: string;
  readonly stepNo: number;
  readonly grade: number;
  readonly deliveryModes: readonly string[];
  /** Null: for whatever support a student needs. */
  readonly scaffoldTier: string | null;
  readonly anchorSkillGroup: string;
  /** Instant; a later one is newer. */
  readonly publishedAt: string | number;
}

export interface RecommendedSession {
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

export interface SessionsQuestion {
  /** Of the class. */
  readonly grade: number;
  readonly assignments: readonly PlanInProgress[];
  readonly blueprints: readonly PublishedHead[];
  /** The catalogue in force. */
  readonly bundles: ReadonlyMap<string, Pick<InterventionBundle, 'roles' | 'objectType' | 'steps'>>;
}

type Group = Pick<PlanInProgress, 'bundle_id' | 'deliveryMode' | 'scaffoldTier' | 'anchorSkillGroup'> & {
  readonly stepNo: number;
  readonly studentIds: readonly number[];
};

/** By bundle, step, delivery mode, support, blueprint. */
export function recommendSessions({ grade, assignments, blueprints, bundles }: SessionsQuestion): RecommendedSession[] {
  const rows = groupsOf(assignments).flatMap((group): RecommendedSession[] => {
    const bundle = bundles.get(group.bundle_id);
    // What was given for any skill is taught by what was written for that skill.
    const isForAny = bundle?.objectType === 'LIGHT_SUPPORT_ACTION' && bundle.roles.length === 0;
    const [best] = blueprints
      .filter((one) => one.state === 'active' && one.grade === grade && fits(one, group))
      .filter((one) => !isForAny || one.anchorSkillGroup === group.anchorSkillGroup)
      .toSorted((one, other) => preferred(one, other, group));
    if (!best) return [];
    const step = bundle?.steps.find(({ stepNo }) => stepNo === group.stepNo);
    return [rowOf(best, group, step?.sessionRole ?? null)];
  });
  return rows.toSorted(inOrder);
}

function groupsOf(assignments: readonly PlanInProgress[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { state, left, currentStepNo: stepNo, studentId, ...plan } of assignments) {
    if (state !== 'active' || left || stepNo === null) continue;
    const { bundle_id, deliveryMode, scaffoldTier, anchorSkillGroup } = plan;
    const key = [bundle_id, stepNo, deliveryMode, scaffoldTier, anchorSkillGroup].join('|');
    const studentIds = [...(groups.get(key)?.studentIds ?? []), studentId];
    groups.set(key, { bundle_id, stepNo, deliveryMode, scaffoldTier, anchorSkillGroup, studentIds });
  }
  return [...groups.values()];
}

const fits = (one: PublishedHead, { bundle_id, stepNo, deliveryMode, scaffoldTier }: Group): boolean =>
  one.bundle_id === bundle_id &&
  one.stepNo === stepNo &&
  one.deliveryModes.includes(deliveryMode) &&
  (one.scaffoldTier === null || one.scaffoldTier === scaffoldTier);

/** Same support, same skill group, newest, then by id. */
function preferred(one: PublishedHead, other: PublishedHead, group: Group): number {
  const no = (fitting: boolean): number => (fitting ? 0 : 1);
  const byTier = no(one.scaffoldTier === group.scaffoldTier) - no(other.scaffoldTier === group.scaffoldTier);
  const isGroup = ({ anchorSkillGroup }: PublishedHead) => anchorSkillGroup === group.anchorSkillGroup;
  const byGroup = no(isGroup(one)) - no(isGroup(other));
  return (
    byTier || byGroup || compare(other.publishedAt, one.publishedAt) || compare(one.blueprintId, other.blueprintId)
  );
}

const rowOf = (one: PublishedHead, group: Group, sessionRole: string | null): RecommendedSession => ({
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

const inOrder = (one: RecommendedSession, other: RecommendedSession): number =>
  compare(one.bundle_id, other.bundle_id) ||
  one.stepNo - other.stepNo ||
  compare(one.deliveryMode, other.deliveryMode) ||
  compare(one.scaffoldTier, other.scaffoldTier) ||
  compare(one.blueprintId, other.blueprintId) ||
  compare(one.anchor_skill_group ?? '', other.anchor_skill_group ?? '');
