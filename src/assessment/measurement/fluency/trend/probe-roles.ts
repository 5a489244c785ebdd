// The role of each probe in its series when it was recorded or last corrected, from the trend evaluated then.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { cbmRules } from '../engine/cbm-rules.ts';
import type { ProbeRole } from '../engine/series.ts';
import { seriesTrend } from '../engine/trend.ts';
import type { CbmTrend } from '../store.ts';

/**
 * Returns roles by probe id, under the rules of that day; a voided probe is not comparable. Throws ENGINE_UNAVAILABLE when a stamped document cannot be
 * read.
 */
export async function probeRolesOf(
  trx: Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  organizationId: string,
  probeIds: readonly number[],
): Promise<ReadonlyMap<number, ProbeRole>> {
  if (probeIds.length === 0) return new Map();
  const rows = await rowsOf<Pick<CbmTrend, 'probeId' | 'input' | 'ruleVersions'>>(
    trx,
    `select p.id as probe_id, t.input, t.rule_versions from cbm_probe p
     cross join lateral (select t.input, t.rule_versions from cbm_trend t
       where t.organization_id = p.organization_id and (t.probe_id = p.id and not t.by_correction
         or t.by_correction and t.student_id = p.student_id and t.measure_code = p.measure_code
           and t.form_family = p.form_family and t.school_year = p.school_year and t.evaluated_at >= p.recorded_at)
       order by t.id desc limit 1) t
     where p.organization_id = :organizationId and p.id = any(:probeIds::bigint[])`,
    { organizationId, probeIds },
  );
  const roles = new Map<number, ProbeRole>();
  for (const { probeId, input, ruleVersions } of rows) {
    const trend = seriesTrend(input, cbmRules(await rules.pinned(trx, ruleVersions)));
    roles.set(probeId, trend.roles.get(probeId) ?? 'not_comparable');
  }
  return roles;
}
