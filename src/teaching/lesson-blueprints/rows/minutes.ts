// The duration of lessons per bundle, for the weekly schedule of a class.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

/** Returns whole minutes per bundle: the mean over its active blueprints at the grade. Bundles without any are left out. */
export async function blueprintMinutes(
  trx: Trx,
  bundleIds: readonly string[],
  grade: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf<{ readonly bundleId: string; readonly minutes: number }>(
    trx,
    `select bundle_id, round(avg(duration_minutes))::int as minutes from session_blueprint
     where state = 'active' and bundle_id = any (:bundleIds) and grade = :grade group by bundle_id`,
    { bundleIds, grade },
  );
  return new Map(rows.map(({ bundleId, minutes }) => [bundleId, minutes]));
}
