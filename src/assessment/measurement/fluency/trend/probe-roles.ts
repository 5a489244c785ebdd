// The role of each probe in its series when it was recorded, from the trend evaluated then.
import type { Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { cbmRules } from '../engine/cbm-rules.ts';
import type { ProbeRole } from '../engine/series.ts';
import { seriesTrend } from '../engine/trend.ts';
import { CbmTrend } from '../store.ts';

/**
 * Returns roles by probe id, under the rules of that day. Throws ENGINE_UNAVAILABLE when a stamped document cannot be
 * read.
 */
export async function probeRolesOf(
  trx: Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  organizationId: string,
  probeIds: readonly number[],
): Promise<ReadonlyMap<number, ProbeRole>> {
  if (probeIds.length === 0) return new Map();
  const rows = await CbmTrend.query(trx)
    .where({ organizationId })
    .whereIn('probeId', [...probeIds])
    .select('probeId', 'input', 'ruleVersions');
  const roles = new Map<number, ProbeRole>();
  for (const { probeId, input, ruleVersions } of rows) {
    const trend = seriesTrend(input, cbmRules(await rules.pinned(trx, ruleVersions)));
    roles.set(probeId, trend.roles.get(probeId) ?? 'not_comparable');
  }
  return roles;
}
