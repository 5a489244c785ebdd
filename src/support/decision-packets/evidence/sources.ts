// The SQL source of each type of evidence. `w` are the students of the query, each with a time zone for dates; every source
// selects its rows by organization and student.
import { accountsIn, probeVoidIn, sessionVoidIn } from '#assessment/measurement/index.ts';
import { type EvidenceType, evidenceTypes } from './types.ts';

interface Source {
  /** The table, with alias `t`, and its joins. */
  readonly from: string;
  readonly refId: string;
  readonly occurredAt: string;
  readonly value: string;
  readonly subSkill?: string;
  readonly domain?: string;
  readonly measure?: string;
  readonly ruleVersion?: string;
  /** The void that stands for it. */
  readonly voidId?: string;
}

const rowsOfStudents = (table: string): string =>
  `${table} t on t.organization_id = :organizationId and t.student_id = w.student_id`;

const localMidnight = (date: string): string => `(${date}::timestamp at time zone w.time_zone)`;

/** The deciding document of a row that names several. */
const stampOf = (document: string): string => `'${document}@' || (t.rule_versions ->> '${document}')`;

const stepOfPlan = `${rowsOfStudents('bundle_assignment')}
  cross join lateral jsonb_array_elements(t.steps) as s (step)
  join lateral (select max(b.delivered_on) as delivered_on from bundle_delivery b
    where b.organization_id = t.organization_id and b.assignment_id = t.id
      and b.step_no = (s.step ->> 'stepNo')::integer) d on d.delivered_on is not null
    and s.step ->> 'goalState' in ('met', 'not_met')`;

const sources: Readonly<Record<EvidenceType, Source>> = {
  sse_snapshot: {
    from: rowsOfStudents('sse_skill_snapshot'),
    voidId: sessionVoidIn({ organizationId: 't.organization_id', refId: "split_part(t.newest_unit_ref, '/', 1)" }),
    ...{ refId: 't.id::text', occurredAt: 't.decided_at', value: 'coalesce(t.status, t.outcome)' },
    ...{ subSkill: 't.sub_skill_code', ruleVersion: 't.rule_version' },
  },
  domain_status: {
    from: rowsOfStudents('sse_domain_snapshot'),
    ...{ refId: 't.id::text', occurredAt: 't.decided_at', value: 'coalesce(t.status, t.outcome)' },
    ...{ domain: 't.domain_code', ruleVersion: 't.rule_version' },
  },
  cbm_trend: {
    from: `${rowsOfStudents('cbm_trend')}
      join cbm_probe p on p.organization_id = t.organization_id and p.id = t.probe_id and p.school_year = t.school_year
        and not exists (select from cbm_trend n where n.organization_id = t.organization_id and n.probe_id = t.probe_id
          and n.student_id = t.student_id and n.id > t.id)`,
    voidId: probeVoidIn('p'),
    ...{ refId: 't.probe_id::text', occurredAt: localMidnight('p.administered_on'), value: 't.trend_type' },
    ...{ measure: 't.measure_code', ruleVersion: 't.rule_version' },
  },
  cbm_probe: {
    from: `cbm_probe t on t.organization_id = :organizationId
      and t.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: 'w.student_id' })})`,
    voidId: probeVoidIn('t'),
    // The role of a reading is derived from its series.
    ...{ refId: 't.id::text', occurredAt: localMidnight('t.administered_on'), value: 'null' },
    measure: 't.measure_code',
  },
  fidelity_snapshot: {
    from: rowsOfStudents('fidelity_snapshot'),
    ...{ refId: 't.id::text', occurredAt: 't.computed_at', value: 't.gate', ruleVersion: stampOf('fidelity/gate') },
  },
  assignment: {
    from: rowsOfStudents('bundle_assignment'),
    ...{ refId: 't.id', occurredAt: 't.activated_at', value: 't.state' },
    ...{ subSkill: 't.anchor_sub_skill_code', ruleVersion: stampOf('bundle/recommendation') },
  },
  step_goal: {
    from: stepOfPlan,
    refId: "t.id || ':' || (s.step ->> 'stepNo')",
    ...{ occurredAt: localMidnight('d.delivered_on'), value: "s.step ->> 'goalState'" },
    subSkill: 't.anchor_sub_skill_code',
  },
  alert: {
    from: rowsOfStudents('rti_alert'),
    ...{ refId: 't.id', occurredAt: 't.opened_at', value: 't.kind' },
    ...{ subSkill: 't.sub_skill_code', ruleVersion: stampOf('rti/alerts') },
  },
  tier_movement: {
    from: rowsOfStudents('tier_movement'),
    ...{ refId: 't.id::text', occurredAt: localMidnight('t.effective_on') },
    ...{ value: "t.from_tier || '_' || t.to_tier", ruleVersion: stampOf('rti/tier-recommendation') },
  },
  skill_state: {
    from: rowsOfStudents('skill_state'),
    ...{ refId: 't.id::text', occurredAt: 't.decided_at', value: 't.state' },
    ...{ subSkill: 't.sub_skill_code', ruleVersion: stampOf('rti/skill-state') },
  },
  context_flag: {
    from: rowsOfStudents('context_flag'),
    ...{ refId: 't.id::text', occurredAt: localMidnight('t.effective_from'), value: 't.flag_code' },
    ruleVersion: 't.rule_version',
  },
  observation: {
    from: rowsOfStudents('live_observation'),
    ...{ refId: 't.ledger_no::text', occurredAt: 't.observed_at', value: 't.observation_code' },
    subSkill: 't.sub_skill_code',
  },
};

/** The students as a table of the statement, with the key that rows are returned under. */
export const askedStudents = `w as (
  select * from unnest(:keys::text[], :studentIds::bigint[], :timeZones::text[], :since::date[])
    as w (key, student_id, time_zone, since))`;

const selectOf = (type: EvidenceType, source: Source): string =>
  `select w.key, '${type}' as type, '${type}:' || ${source.refId} as evidence_id,
     ${source.refId} as ref_id, ${source.occurredAt} as occurred_at, ${textOf(source.subSkill)} as sub_skill_code,
     ${textOf(source.domain)} as domain_code, ${textOf(source.measure)} as measure,
     ${textOf(source.value)} as value_code, ${textOf(source.ruleVersion)} as rule_version,
     (${source.voidId ?? 'null'})::bigint as void_id, w.time_zone, w.since
   from w join ${source.from}`;

const textOf = (expression = 'null'): string => `(${expression})::text`;

/** The union of all sources, or one of them. `shape` wraps the select of each, for example with an order and a limit. */
export const fromSources = (shape: (rows: string) => string, wanted?: EvidenceType): string =>
  evidenceTypes
    .filter((type) => wanted === undefined || type === wanted)
    .map((type) => `(${shape(`(${selectOf(type, sources[type])})`)})`)
    .join(' union all ');
