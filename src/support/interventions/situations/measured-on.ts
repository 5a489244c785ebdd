// Dates of the newest measurements of anchor sub-skills, by which the results of ended assignments are evaluated.
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';

export interface AnchorSkill {
  readonly studentId: number;
  readonly subSkillCode: string;
  readonly timeZone: string;
}

/** Undefined for an anchor without a measurement. */
type OfAnchor<Known> = (anchor: Pick<AnchorSkill, 'studentId' | 'subSkillCode'>) => Known | undefined;

function ofAnchor<Row extends { readonly studentId: number; readonly subSkillCode: string }, Known>(
  rows: readonly Row[],
  known: (row: Row) => Known,
): OfAnchor<Known> {
  const keyOf = ({ studentId, subSkillCode }: Pick<AnchorSkill, 'studentId' | 'subSkillCode'>) =>
    `${studentId} ${subSkillCode}`;
  const byAnchor = new Map(rows.map((row) => [keyOf(row), known(row)]));
  return (anchor) => byAnchor.get(keyOf(anchor));
}

/** Local date of the newest session with a counted answer, of each anchor that has one. */
export async function measuredOn(
  trx: Trx,
  organizationId: string,
  anchors: readonly AnchorSkill[],
): Promise<OfAnchor<string>> {
  if (anchors.length === 0) return () => undefined;
  const rows = await rowsOf<{ studentId: number; subSkillCode: string; measuredOn: string }>(
    trx,
    `select t.student_id, t.sub_skill_code,
       to_char((e.session ->> 'endedAt')::timestamptz at time zone t.time_zone, 'YYYY-MM-DD') as measured_on
     from unnest(:studentIds::bigint[], :subSkills::text[], :timeZones::text[]) as t (student_id, sub_skill_code, time_zone)
     cross join lateral (select s.run_id, s.school_year, s.newest_unit_ref from sse_skill_snapshot s
       where s.organization_id = ${anyOrganization} and s.student_id = t.student_id
         and s.sub_skill_code = t.sub_skill_code and s.newest_unit_ref is not null
       order by s.id desc limit 1) s
     join sse_run r on r.organization_id = ${anyOrganization} and r.id = s.run_id and r.school_year = s.school_year
     cross join lateral json_array_elements(r.input -> 'sessions') as e (session)
     where e.session ->> 'sessionId' = split_part(s.newest_unit_ref, '/', 1)`,
    valuesOf(organizationId, anchors),
  );
  return ofAnchor(rows, (row) => row.measuredOn);
}

/**
 * Local dates of the two newest measurements of each anchor (contract 51 §4.1: sessions that were the newest of a decided
 * status), newest first; undefined without any.
 */
export async function measurementDays(
  trx: Trx,
  organizationId: string,
  anchors: readonly AnchorSkill[],
): Promise<OfAnchor<readonly string[]>> {
  if (anchors.length === 0) return () => undefined;
  const rows = await rowsOf<{ studentId: number; subSkillCode: string; days: readonly string[] }>(
    trx,
    `select t.student_id, t.sub_skill_code,
       array_agg(to_char(m.ended_at at time zone t.time_zone, 'YYYY-MM-DD') order by m.ended_at desc) as days
     from unnest(:studentIds::bigint[], :subSkills::text[], :timeZones::text[]) as t (student_id, sub_skill_code, time_zone)
     cross join lateral (select s.run_id from sse_skill_snapshot s
       where s.organization_id = ${anyOrganization} and s.student_id = t.student_id
         and s.sub_skill_code = t.sub_skill_code and s.newest_unit_ref is not null
       order by s.id desc limit 1) s
     join sse_run r on r.organization_id = ${anyOrganization} and r.id = s.run_id
     cross join lateral (select (e.session ->> 'endedAt')::timestamptz as ended_at
       from json_array_elements(r.input -> 'sessions') as e (session)
       where exists (select from sse_skill_snapshot d
         where d.organization_id = ${anyOrganization} and d.student_id = t.student_id
           and d.school_year = r.school_year and d.sub_skill_code = t.sub_skill_code and d.outcome = 'decided'
           and split_part(d.newest_unit_ref, '/', 1) = e.session ->> 'sessionId')
       order by ended_at desc limit 2) m
     group by t.student_id, t.sub_skill_code`,
    valuesOf(organizationId, anchors),
  );
  return ofAnchor(rows, ({ days }) => days);
}

const valuesOf = (organizationId: string, anchors: readonly AnchorSkill[]) => ({
  organizationId,
  studentIds: anchors.map(({ studentId }) => studentId),
  subSkills: anchors.map(({ subSkillCode }) => subSkillCode),
  timeZones: anchors.map(({ timeZone }) => timeZone),
});
