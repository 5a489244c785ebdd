// Reads the catalogue of bundles in force.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { perBundle } from '#rules/rulesets/index.ts';
import { type BundleCatalogue, compileBundles, type InterventionBundle } from '../engine/bundles/catalogue.ts';
import type { BundleQuery, BundleView } from './schemas.ts';

type View = Static<typeof BundleView>;

const catalogueOf = perBundle(compileBundles, 'The catalogue of bundles is missing.');

/** Throws ENGINE_UNAVAILABLE when no catalogue is in force. */
async function activeCatalogue({ rules }: Pick<Services, 'rules'>, trx: Trx, now: Date): Promise<BundleCatalogue> {
  return catalogueOf((await rules.at(trx, now)).rules);
}

/** By bundle_id. */
export async function bundlePage(
  services: Services,
  trx: Trx,
  { limit = defaultLimit, cursor, grade, objectType, state }: Static<typeof BundleQuery>,
  now: Date,
): Promise<Page<View>> {
  const [after = ''] = keyInCursor(cursor, ['string']) ?? [];
  const { bundles, version } = await activeCatalogue(services, trx, now);
  const wanted = bundles
    .filter((one) => one.bundle_id > String(after))
    .filter((one) => grade === undefined || one.grades.includes(grade))
    .filter((one) => objectType === undefined || one.objectType === objectType)
    .filter((one) => state === undefined || one.state === state)
    .toSorted((a, b) => (a.bundle_id < b.bundle_id ? -1 : 1));
  return pageOf(
    wanted,
    limit,
    ({ bundle_id }) => [bundle_id],
    (one) => presentBundle(one, version),
  );
}

export async function bundleById(services: Services, trx: Trx, bundleId: string, now: Date): Promise<View> {
  const { byId, version } = await activeCatalogue(services, trx, now);
  const found = byId.get(bundleId);
  if (!found) throw notFound();
  return presentBundle(found, version);
}

const presentBundle = (one: InterventionBundle, catalogueVersion: number): View => ({
  bundle_id: one.bundle_id,
  catalogueVersion,
  objectType: one.objectType,
  state: one.state,
  nameAr: one.nameAr,
  roles: [...one.roles],
  grades: [...one.grades],
  steps: one.steps.map(({ stepNo, sessionRole, plannedSessions, goal }) => ({
    ...{ stepNo, sessionRole, plannedSessions },
    goal: goal && { minScored: goal.minScored, minRate: goal.minRate },
  })),
  sessionsPerWeek: one.sessionsPerWeek,
  plannedWeeks: one.plannedWeeks,
  deliveryModes: [...one.deliveryModes],
});
