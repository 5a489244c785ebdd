// Which prepared sessions fit what the students of a class are at: their plans in progress, put to the published blueprints.
import type { Static } from 'typebox';
import { defaultLimit, keyOf, type Page, pageOf } from '#core/http/pages.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ClassInScope } from '#identity/people/index.ts';
import { BundleAssignment, interventionRules, support } from '#support/interventions/index.ts';
import {
  activeBlueprintHeads,
  type PlanInProgress,
  type RecommendedSession,
  recommendSessions,
} from '../../lesson-blueprints/index.ts';
import type { RecommendedList, RecommendedQuery } from './schemas.ts';

type Row = Static<typeof RecommendedList>['items'][number];

interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

/** By bundle, step, delivery mode, support, blueprint. The number of statements does not grow with the students. */
export async function recommendedSessions(
  asked: Asked,
  classRow: ClassInScope,
  { limit = defaultLimit, cursor }: Static<typeof RecommendedQuery>,
): Promise<Page<Row>> {
  const after = keyOf(cursor, ['string', 'number', 'string', 'string', 'string', 'string']);
  const rows = await recommendedFor(asked, classRow);
  const left = after ? rows.filter((row) => isAfter(keyOfRow(row), after)) : rows;
  return pageOf(left.slice(0, limit + 1), limit, keyOfRow, presentRecommended);
}

/** All of them, in their order. */
export async function recommendedFor(
  { services, trx, now }: Asked,
  classRow: ClassInScope,
): Promise<RecommendedSession[]> {
  const { organizationId, id: classId, grade } = classRow;
  const plans = await activePlans(trx, organizationId, classId);
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  const studentIds = [...new Set(plans.map(({ studentId }) => studentId))];
  const { situations } = await support.situationsOf(trx, services, { organizationId, studentIds, now });
  const bundles = rules.recommendation.catalogue.byId;
  const heads = await activeBlueprintHeads(trx, { bundleIds: [...new Set(plans.map((plan) => plan.bundleId))], grade });
  return recommendSessions({
    grade,
    assignments: plans.map((plan): PlanInProgress => {
      const { studentId, state, bundleId, currentStepNo, deliveryMode, scaffoldTier, anchorSubSkillCode } = plan;
      const situation = situations.get(studentId);
      return {
        ...{ studentId, state, bundle_id: bundleId, currentStepNo, deliveryMode, scaffoldTier },
        anchorSkillGroup: rules.profiles.roles.groupOf.get(anchorSubSkillCode ?? '') ?? null,
        left: situation === undefined || situation.halted || situation.acuteOpen,
      };
    }),
    blueprints: heads.map((head) => ({ ...head, state: 'active' })),
    bundles,
  });
}

/** Of students who are in the class now. */
const activePlans = async (trx: Trx, organizationId: string, classId: number): Promise<BundleAssignment[]> =>
  BundleAssignment.query(trx)
    .where({ organizationId, state: 'active' })
    .whereIn(
      'studentId',
      trx('enrollment').where({ organizationId, classId }).whereNull('enrolledTo').select('studentId'),
    )
    .orderBy(['studentId', 'id']);

type Key = readonly (string | number)[];

const keyOfRow = (row: RecommendedSession): Key => [
  ...[row.bundle_id, row.stepNo, row.deliveryMode, row.scaffoldTier, row.blueprintId, row.anchor_skill_group ?? ''],
];

function isAfter(key: Key, other: Key): boolean {
  const at = key.findIndex((part, place) => part !== other[place]);
  return at >= 0 && (key[at] ?? '') > (other[at] ?? '');
}

const presentRecommended = (row: RecommendedSession): Row => row as Row;
