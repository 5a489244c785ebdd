// The current stored groups of a class.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import type { ClassInScope } from '#identity/people/index.ts';
import { assignmentsOf, isOpenAssignment } from '../assignment-rows/queries.ts';
import { interventionRules } from '../rules/compiled.ts';
import { presentGeneration } from './present.ts';
import { currentGeneration } from './store.ts';

/** Throws NOT_FOUND without an unexpired generation. */
export async function currentGroups(
  services: Services,
  trx: Trx,
  { id: classId, organizationId }: ClassInScope,
  now: Date,
) {
  const { rules: bundle } = await services.rules.at(trx, now);
  const { clusters } = interventionRules(bundle);
  const generation = await currentGeneration(trx, organizationId, classId, now);
  if (!generation) throw notFound();
  const members = generation.groups.clusters.flatMap(({ memberStudentIds }) => memberStudentIds);
  const open = (await assignmentsOf(trx, organizationId, members)).filter(isOpenAssignment);
  const openBundles = (studentId: number) =>
    open.filter((one) => one.studentId === studentId).map(({ bundle_id }) => bundle_id);
  return presentGeneration(generation, clusters, openBundles);
}
