// The sub-skills by which goals of an assignment are evaluated, from the version of the catalogue with which it was made.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { BundleAssignment } from '../assignment-rows/store.ts';
import type { InterventionBundle } from '../engine/bundles/catalogue.ts';
import { targetSubSkills } from '../engine/bundles/targets.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import { deliveriesAtStep } from './store.ts';

/** By version of the catalogue and id. */
type Bundles = ReadonlyMap<number, ReadonlyMap<string, InterventionBundle>>;

/** One query for each version other than the one in force. */
export async function bundlesOf(
  trx: Trx,
  { rules }: Services,
  rows: readonly BundleAssignment[],
  { recommendation: { catalogue } }: Pick<InterventionRules, 'recommendation'>,
): Promise<Bundles> {
  const found = new Map([[catalogue.version, catalogue.byId]]);
  for (const version of new Set(rows.map(({ catalogueVersion }) => catalogueVersion))) {
    if (found.has(version)) continue;
    const pinned = await rules.pinned(trx, { 'bundle/catalogue': version });
    const { bundles } = pinned.values<{ readonly bundles: readonly InterventionBundle[] }>('bundle/catalogue');
    found.set(version, new Map(bundles.map((bundle) => [bundle.bundle_id, bundle])));
  }
  return found;
}

export function targetSkillsOf(
  { bundleId, catalogueVersion, anchorRole }: BundleAssignment,
  grade: number | null,
  bundles: Bundles,
  { profiles }: Pick<InterventionRules, 'profiles'>,
): ReadonlySet<string> {
  const bundle = bundles.get(catalogueVersion)?.get(bundleId);
  if (!bundle || grade === null) throw new RangeError(`${bundleId} of version ${catalogueVersion} is in no catalogue`);
  return new Set(targetSubSkills(bundle, grade, anchorRole, profiles).map(({ code }) => code));
}

/**
 * For assignments that have no targets of their own, which could be made before such a bundle was refused: the targets of
 * the sessions that were counted for the current step, and of this one.
 */
export async function sessionTargetsOf(
  trx: Trx,
  { capabilities }: Pick<Services, 'capabilities'>,
  session: { readonly organizationId: string; readonly source: { readonly id: string } },
  rows: readonly BundleAssignment[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  if (rows.length === 0) return found;
  const { organizationId, source } = session;
  const counted = await deliveriesAtStep(trx, organizationId, rows);
  const sessionIds = [...new Set([source.id, ...counted.map(({ sourceId }) => sourceId)])];
  const targets = new Map<string, readonly string[]>();
  for (const read of capabilities.flatMap(({ sessionTargets }) => sessionTargets ?? [])) {
    for (const [id, codes] of await read(trx, organizationId, sessionIds)) targets.set(id, codes);
  }
  for (const { id } of rows) {
    const own = counted.filter(({ assignmentId }) => assignmentId === id).map(({ sourceId }) => sourceId);
    found.set(id, new Set([source.id, ...own].flatMap((sessionId) => targets.get(sessionId) ?? [])));
  }
  return found;
}
