// The catalogue of lesson blueprints: active blueprints without their items, ordered by bundle, step and code.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { presentBlueprintEntry } from '../present.ts';
import { type BlueprintContentRow, contentHead, headColumns } from '../rows/blueprints.ts';
import type { CatalogQuery } from './schemas.ts';

type EntryRow = Omit<BlueprintContentRow, 'items'>;

export async function catalogPage(
  trx: Trx,
  { limit = defaultLimit, cursor, grade, bundle_id, sessionRole, deliveryMode }: Static<typeof CatalogQuery>,
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
