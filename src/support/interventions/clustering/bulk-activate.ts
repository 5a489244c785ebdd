// Assigns a bundle to a whole group (contract 50 §3.4): nine checks in their order, then an assignment for each member without
// an open one of the bundle. A failure writes nothing.
import type { Static } from 'typebox';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, invalid } from '#core/platform/errors.ts';
import { activateBundle } from '../assignments/activate.ts';
import { type BulkQuestion, checkBulk } from '../engine/clustering/bulk-check.ts';
import type { Cluster } from '../engine/clustering/generation.ts';
import { parseClusterKey } from '../engine/clustering/key.ts';
import { interventionRules } from '../rules/compiled.ts';
import { lockSupport } from '../support/lock.ts';
import { requireStart, type WorkflowCall } from '../workflow/callers.ts';
import { type ClassGroups, type ClassKey, groupsOfClass } from './class-groups.ts';
import { keepStudents, lockClass } from './lock.ts';
import { reachedClass } from './reached.ts';
import type { BulkBody, BulkView } from './schemas.ts';
import { currentGeneration, type Generation } from './store.ts';

type Body = Static<typeof BulkBody>;
type View = Static<typeof BulkView>;

export async function bulkActivate(call: WorkflowCall<Body>): Promise<View> {
  const { services, trx, body } = call;
  await requireBody(call);
  const key = await reachedClass(call, body);
  await keepStudents(trx, key.organizationId, body.confirmedMemberStudentIds);
  await lockClass(trx, key);
  await lockSupport(trx, key.organizationId, body.confirmedMemberStudentIds);
  const now = services.clock.now();
  const found = await groupsOfClass(trx, services, key, now);
  const stored = await currentGeneration(trx, key.organizationId, key.id, now);
  const { cluster, generation } = requireSame(body, found, stored);
  return {
    classId: key.id,
    generationId: generation.id,
    clusterKey: cluster.clusterKey,
    bundle_id: cluster.bundle_id,
    assignments: await assignAll(call, key, { found, cluster, generation, now }),
  };
}

/** Checks the body alone. */
async function requireBody({ services, trx, actor, body, now }: WorkflowCall<Body>): Promise<void> {
  if (!parseClusterKey(body.clusterKey)) throw invalid('clusterKey', 'invalid');
  if (body.startOn !== undefined) await requireStartOn(services, trx, { actor, startOn: body.startOn, now });
  if ((body.memberAdjustments ?? []).length > 0) throw refusal('MEMBER_ADJUSTMENTS_NOT_SUPPORTED', []);
}

async function requireStartOn(
  services: Services,
  trx: Trx,
  { actor, startOn, now }: Pick<WorkflowCall<Body>, 'actor' | 'now'> & { readonly startOn: string },
): Promise<void> {
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  await requireStart({ trx, actor, now }, startOn, undefined, rules);
}

/** Checks that the group that the teacher saw is the present one and can be assigned its bundle. */
function requireSame(body: Body, found: ClassGroups, generation: Generation | null) {
  const answer = checkBulk(questionOf(body, found, generation));
  if (answer.status !== 201) throw refusal(answer.code, answer.issues);
  const cluster = found.partition.clusters.find(({ clusterKey }) => clusterKey === body.clusterKey);
  if (!cluster || !generation) throw new RangeError('a group that is not there was let through');
  return { cluster, generation };
}

const questionOf = (
  body: Body,
  { partition, ruleVersions, situations, rules }: ClassGroups,
  generation: Generation | null,
): BulkQuestion => ({
  body,
  stored: generation && {
    generationId: generation.id,
    ruleVersions: generation.ruleVersions,
    clusters: generation.groups.clusters,
  },
  fresh: { ...partition, ruleVersions },
  openBundles: Object.fromEntries(
    [...situations].map(([studentId, { open }]) => [studentId, open.map(({ bundle_id }) => bundle_id)]),
  ),
  capacity: rules.settings.openAssignments,
});

interface Given {
  readonly found: ClassGroups;
  readonly cluster: Cluster;
  readonly generation: Generation;
  readonly now: Date;
}

/** Returns the assignments by student. */
async function assignAll(call: WorkflowCall<Body>, key: ClassKey, given: Given): Promise<View['assignments']> {
  const assignments: View['assignments'] = [];
  for (const studentId of given.cluster.memberStudentIds) {
    const open = given.found.situations
      .get(studentId)
      ?.open.find(({ bundle_id }) => bundle_id === given.cluster.bundle_id);
    const assignmentId = open?.assignmentId ?? (await assign(call, key, given, studentId));
    assignments.push({ studentId, assignmentId, created: open === undefined });
  }
  return assignments;
}

/** The tier is the member's own, the delivery mode that of the group. */
async function assign(
  { trx, actor, body }: WorkflowCall<Body>,
  { organizationId }: ClassKey,
  { found, cluster, generation, now }: Given,
  studentId: number,
): Promise<string> {
  const { situations, rules, versions } = found;
  const situation = situations.get(studentId);
  const { compatible_delivery_mode: deliveryMode, bundle_id, clusterKey } = cluster;
  if (situation?.recommendation?.outcome !== 'recommended' || deliveryMode === 'none') {
    throw new RangeError(`student ${studentId} is in a group without a recommendation that can be assigned`);
  }
  const input = {
    ...{ organizationId, bundle_id, deliveryMode, actor },
    scaffoldTier: situation.recommendation.scaffold.scaffoldTier,
    startOn: body.startOn ?? situation.today,
    source: { type: 'cluster', clusterKey, generationId: generation.id },
    overrideCode: null,
  } as const;
  const { id } = await activateBundle(trx, input, { situation, rules, versions }, now);
  return id;
}

const messages = {
  VALIDATION_ERROR: 'The request is not valid; see details.',
  MEMBER_ADJUSTMENTS_NOT_SUPPORTED: 'A group is given its bundle as it is; members are not adjusted.',
  EXCLUDED_MEMBER: 'Too little is known of some students, or they are under review; see details.',
  CLUSTER_STALE: 'The group is not what it was when it was shown; see details.',
  CONFLICT: 'The group cannot be given this bundle now; see details.',
} as const;

const refusal = (code: keyof typeof messages, details: readonly { readonly field: string; readonly issue: string }[]) =>
  new AppError(code, messages[code], { details });
