// The catalogue of lesson blueprints: active blueprints without their items, ordered by bundle, step and code.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { presentBlueprintEntry } from '../present.ts';
import { type BlueprintContentRow, contentHead, headColumns } from '../rows/blueprints.ts';
import type { CatalogQuery } from './schemas.ts';

type Query = Static<typeof CatalogQuery>;

/** Throws VALIDATION_ERROR for a bundle or a role that the catalogue in force does not have: a typing error is no empty list. */
export async function requireKnownWords(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  { bundle_id, sessionRole }: Query,
  now: Date,
): Promise<void> {
  if (bundle_id === undefined && sessionRole === undefined) return;
  const { bundles, byId } = interventionRules((await rules.at(trx, now)).rules).recommendation.catalogue;
  if (bundle_id !== undefined && !byId.has(bundle_id)) throw invalid('bundle_id', 'unknown_bundle');
  const isRole = bundles.some(({ steps }) => steps.some((step) => step.sessionRole === sessionRole));
  if (sessionRole !== undefined && !isRole) throw invalid('sessionRole', 'unknown_role');
}

type EntryRow = Omit<BlueprintContentRow, 'items'>;

export async function catalogPage(
  trx: Trx,
  { limit = defaultLimit, cursor, grade, bundle_id, sessionRole, deliveryMode }: Query,
): Promise<Page<ReturnType<typeof presentBlueprintEntry>>> {
  const [bundle = null, step = null, code = null] = keyInCursor(cursor, ['string', 'count', 'string']) ?? [];
  const rows = await rowsOf<EntryRow>(
    trx,
    `select ${headColumns}, state, segments from session_blueprint where state = 'active'
       and (:bundleId::text is null or bundle_id = :bundleId) and (:grade::int is null or grade = :grade)
       and (:sessionRole::text is null or session_role = :sessionRole)
       and (:deliveryMode::text is null or :deliveryMode = any (delivery_modes))
       and (:bundle::text is null or (bundle_id, step_no, blueprint_code) > (:bundle, :step::int, :code::text))
     order by bundle_id, step_no, blueprint_code limit :rows`,
    {
      bundleId: bundle_id ?? null,
      grade: grade ?? null,
      sessionRole: sessionRole ?? null,
      deliveryMode: deliveryMode ?? null,
      bundle,
      step,
      code,
      rows: limit + 1,
    },
  );
  const entries = rows.map((row) => ({ ...row, ...contentHead(row) }));
  return pageOf(
    entries,
    limit,
    ({ bundle_id: bundleId, stepNo, blueprintCode }) => [bundleId, stepNo, blueprintCode],
    presentBlueprintEntry,
  );
}
