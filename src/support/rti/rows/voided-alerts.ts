// ALT-15: open acute alerts whose snapshot or signal rests on evidence that was voided after they opened.

import { sessionVoidIn } from '#assessment/measurement/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { RtiAlert } from './alerts.ts';

/**
 * A snapshot rests on its newest session and on the measurement before it, from which the student fell; a signal on the
 * probe that opened it, and on all probes of its trend when a correction has closed it. Returns the ids of the alerts.
 */
export async function alertsOnVoided(
  trx: Trx,
  organizationId: string,
  alerts: readonly RtiAlert[],
): Promise<ReadonlySet<string>> {
  const open = alerts.filter(({ state, kind }) => state === 'open' && kind === 'acute_regression_review');
  if (open.length === 0) return new Set();
  const rows = await rowsOf<{ id: string }>(trx, voidedAlerts, { organizationId, ids: open.map(({ id }) => id) });
  return new Set(rows.map(({ id }) => id));
}

const of = { organizationId: ':organizationId' };
const voidedSince = (refId: string, opened: string): string =>
  `exists (select from evidence_void z where z.organization_id = :organizationId
     and z.id = ${sessionVoidIn({ ...of, refId })} and z.at >= ${opened})`;

const newest = `split_part(s.newest_unit_ref, '/', 1)`;

const voidedAlerts = `
  select a.id from rti_alert a
  left join lateral (select s.newest_unit_ref, s.sub_skill_code from sse_skill_snapshot s
    where s.organization_id = :organizationId and s.id = a.acute_snapshot_id limit 1) s on true
  left join lateral (select b.session_id from skill_measurement m join skill_measurement b
      on b.organization_id = :organizationId and b.student_id = m.student_id and b.sub_skill_code = m.sub_skill_code
        and (b.ended_at, b.session_id) < (m.ended_at, m.session_id)
    where m.organization_id = :organizationId and m.student_id = a.student_id
      and m.sub_skill_code = s.sub_skill_code and m.session_id = ${newest}
    order by b.ended_at desc, b.session_id desc limit 1) b on true
  left join cbm_alert g on g.organization_id = :organizationId and g.id = a.acute_signal_id
  left join cbm_trend o on o.organization_id = :organizationId and o.id = g.opened_by_trend_id
    and o.school_year = g.school_year
  left join cbm_trend c on c.organization_id = :organizationId and c.id = g.closed_by_trend_id
    and c.school_year = g.closed_in_school_year
  where a.organization_id = :organizationId and a.id = any(:ids::text[]) and (
    ${voidedSince(newest, 'a.opened_at')} or ${voidedSince('b.session_id', 'a.opened_at')}
    or exists (select from jsonb_array_elements(o.input -> 'probes') as p (probe)
      join evidence_void v on v.organization_id = :organizationId and v.restored_at is null and v.at >= a.opened_at
        and (v.kind = 'cbm' and v.ref_id = p.probe ->> 'probeId' or v.kind = 'orf' and v.ref_id = p.probe ->> 'readingId')
      where p.probe ->> 'probeId' = o.probe_id::text or c.by_correction))`;
