// Reads the source of a mastery event and the row that it improved on, by kind of source, in one statement each.
import { accountsIn, voidIn } from '#assessment/measurement/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { MasterySourceKind } from '../engine/enums.ts';
import type { MasteryEventRow } from '../ledger/rows.ts';
import type { ExplainedMastery } from './schemas.ts';

export interface Origin {
  /** Stamp of the source; null when it has no explanation of its own. */
  readonly stampId: string | null;
  readonly compared: ExplainedMastery['from']['compared'];
}

type OriginOf = (trx: Trx, event: MasteryEventRow) => Promise<Origin>;

interface Row {
  readonly id: string;
  readonly value: string;
}

/** `prefix` is null for tables whose rows have no explanation. */
const comparedWith =
  (prefix: string | null, statement: string): OriginOf =>
  async (trx, event) => {
    const { organizationId, studentId, schoolYear, sourceId, subSkillCode, domainCode } = event;
    const bindings = { organizationId, studentId, schoolYear, sourceId, subSkillCode, domainCode };
    const used = Object.entries(bindings).filter(([name]) => statement.includes(`:${name}`));
    const [row] = await rowsOf<Row>(trx, statement, Object.fromEntries(used));
    const stampOf = (id: string) => (prefix === null ? null : `${prefix}:${id}`);
    return { stampId: stampOf(sourceId), compared: row ? { ...row, stampId: stampOf(row.id) } : null };
  };

const ofAssignment: OriginOf = async (_trx, { sourceId }) => ({ stampId: `assignment:${sourceId}`, compared: null });

/** The natural key contains the former scaffold tier. */
const ofScaffold: OriginOf = async (_trx, { sourceId, naturalKey }) => {
  const [id = '', from = ''] = naturalKey.split(':');
  return { stampId: `assignment:${sourceId}`, compared: { id, stampId: null, value: from } };
};

const ofSkill = comparedWith(
  'skill',
  `select id::text, status as value from sse_skill_snapshot
   where organization_id = :organizationId and student_id = :studentId and school_year = :schoolYear
     and sub_skill_code = :subSkillCode and status is not null and id < :sourceId::bigint order by id desc limit 1`,
);

const ofDomain = comparedWith(
  'domain',
  `select id::text, status as value from sse_domain_snapshot
   where organization_id = :organizationId and student_id = :studentId and school_year = :schoolYear
     and domain_code = :domainCode and status is not null and id < :sourceId::bigint order by id desc limit 1`,
);

const ofState = comparedWith(
  'skill-state',
  `select id::text, state as value from skill_state
   where organization_id = :organizationId and student_id = :studentId
     and sub_skill_code = :subSkillCode and id < :sourceId::bigint order by id desc limit 1`,
);

const ofReading = comparedWith(
  null,
  `select b.id, b.verdict as value from orf_assessment a
   join orf_assessment b on b.organization_id = a.organization_id and b.student_id = any(${accountsIn({ organizationId: 'a.organization_id', studentId: 'a.student_id', at: 'a.stopped_at' })})
     and b.school_year = a.school_year and b.status = 'SCORED' and b.verdict <> 'not_assessed'
     and (b.stopped_at, b.id) < (a.stopped_at, a.id)
     and ${voidIn({ kind: 'orf', organizationId: 'a.organization_id', refId: 'b.id', at: 'a.stopped_at' })} is null
   where a.organization_id = :organizationId and a.id = :sourceId order by b.stopped_at desc, b.id desc limit 1`,
);

/** Trends are found by the probe that caused them. */
const ofTrend: OriginOf = async (trx, { organizationId, schoolYear, sourceId }) => {
  const [row] = await rowsOf<{ trendId: string; id: string | null; value: string | null }>(
    trx,
    `select t.id::text as trend_id, b.id::text, b.trend_type as value from cbm_trend t
     left join cbm_trend b on b.organization_id = t.organization_id and b.student_id = t.student_id
       and b.measure_code = t.measure_code and b.form_family = t.form_family and b.school_year = t.school_year and b.id < t.id
     where t.organization_id = :organizationId and t.school_year = :schoolYear and t.probe_id = :sourceId::bigint
       and not t.by_correction
     order by b.id desc nulls last limit 1`,
    { organizationId, schoolYear, sourceId },
  );
  if (!row) return { stampId: null, compared: null };
  const { trendId, id, value } = row;
  const compared = id === null || value === null ? null : { id, stampId: `trend:${id}`, value };
  return { stampId: `trend:${trendId}`, compared };
};

const origins: Readonly<Record<MasterySourceKind, OriginOf>> = {
  subskill_state_up: ofState,
  skill_status_transition: ofSkill,
  domain_status_escalation: ofDomain,
  band_progression: ofReading,
  cbm_trend_above_goal: ofTrend,
  bundle_step_goal_met: ofAssignment,
  bundle_completion: ofAssignment,
  scaffold_tier_step_up: ofScaffold,
};

export const originOf: OriginOf = (trx, event) => origins[event.sourceKind](trx, event);
