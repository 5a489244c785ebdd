// Recommended blueprints for the active assignments of the students of a class.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type ClassInScope, Enrollment } from '#identity/people/index.ts';
import { BundleAssignment, interventionRules, supportCommands } from '#support/interventions/index.ts';
import {
  type ActiveAssignment,
  activeBlueprintHeads,
  type RecommendedLesson,
  recommendLessons,
} from '../../lesson-blueprints/index.ts';
import type { RecommendedList, RecommendedQuery } from './schemas.ts';

type Row = Static<typeof RecommendedList>['items'][number];

interface ReadContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

/**
 * Returns a page ordered by bundle, step, delivery mode, scaffold tier and blueprint. The number of statements does not depend
 * on the number of students.
 */
export async function recommendedLessons(
  context: ReadContext,
  classRow: ClassInScope,
  { limit = defaultLimit, cursor }: Static<typeof RecommendedQuery>,
): Promise<Page<Row>> {
  const after = keyInCursor(cursor, ['string', 'number', 'string', 'string', 'string', 'string']);
  const rows = await recommendedFor(context, classRow);
  const left = after ? rows.filter((row) => isAfter(keyOfRow(row), after)) : rows;
  return pageOf(left.slice(0, limit + 1), limit, keyOfRow, presentRecommended);
}

/** Returns all recommendations for a class. */
export async function recommendedFor(
  { services, trx, now }: ReadContext,
  classRow: ClassInScope,
): Promise<RecommendedLesson[]> {
  const { organizationId, id: classId, grade } = classRow;
  const plans = await activeAssignmentsOf(trx, organizationId, classId);
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  const studentIds = [...new Set(plans.map(({ studentId }) => studentId))];
  const { situations } = await supportCommands.situationsOf(trx, services, { organizationId, studentIds, now });
  const bundles = rules.recommendation.catalogue.byId;
  const heads = await activeBlueprintHeads(trx, { bundleIds: [...new Set(plans.map((plan) => plan.bundleId))], grade });
  return recommendLessons({
    grade,
    assignments: plans.map((plan): ActiveAssignment => {
      const { studentId, state, bundleId, currentStepNo, deliveryMode, scaffoldTier, anchorSubSkillCode } = plan;
      const situation = situations.get(studentId);
      const step = plan.steps.find(({ stepNo }) => stepNo === currentStepNo);
      return {
        studentId,
        state,
        bundle_id: bundleId,
        currentStepNo,
        deliveredSessions: step?.deliveredSessions ?? 0,
        deliveryMode,
        scaffoldTier,
        anchorSkillGroup: rules.profiles.roles.groupOf.get(anchorSubSkillCode ?? '') ?? null,
        left: situation === undefined || situation.halted || situation.acuteOpen,
      };
    }),
    blueprints: heads.map((head) => ({ ...head, state: 'active' })),
    bundles,
  });
}

/** Returns the active assignments of the students who are enrolled in the class. */
const activeAssignmentsOf = async (trx: Trx, organizationId: string, classId: number): Promise<BundleAssignment[]> =>
  BundleAssignment.query(trx)
    .where({ organizationId, state: 'active' })
    .whereIn(
      'studentId',
      Enrollment.query(trx).where({ organizationId, classId }).whereNull('enrolledTo').select('studentId'),
    )
    .orderBy(['studentId', 'id']);

type Key = readonly (string | number)[];

const keyOfRow = (row: RecommendedLesson): Key => [
  row.bundle_id,
  row.stepNo,
  row.deliveryMode,
  row.scaffoldTier,
  row.blueprintId,
  row.anchor_skill_group ?? '',
];

function isAfter(key: Key, other: Key): boolean {
  const at = key.findIndex((part, index) => part !== other[index]);
  return at >= 0 && (key[at] ?? '') > (other[at] ?? '');
}

const presentRecommended = (row: RecommendedLesson): Row => row as Row;
