// Statuses of roles in the runs that measured them, for the response of roles without a repeated measure.

import { sessionVoidIn } from '#assessment/measurement/index.ts';
import type { SkillStatus } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { type RoleCode, worstOf } from '../../interventions/index.ts';
import type { RoleMeasurement } from '../engine/skills/progress.ts';

export interface RoleOf {
  readonly studentId: number;
  readonly role: RoleCode;
  readonly domains: readonly string[];
  readonly subSkills: readonly string[];
}

interface DomainRow {
  readonly studentId: number;
  readonly runId: string;
  readonly schoolYear: string;
  readonly domainCode: string;
  /** Null unless decided. */
  readonly status: SkillStatus | null;
}

interface AddedRow {
  readonly studentId: number;
  readonly runId: string;
  /** Local date of the newest session that was added. */
  readonly on: string;
}

/** By student, in the order of sessions; two statements for any number of students. */
export async function roleMeasurements(
  trx: Trx,
  organizationId: string,
  asked: readonly RoleOf[],
): Promise<ReadonlyMap<number, readonly RoleMeasurement[]>> {
  if (asked.length === 0) return new Map();
  const added = new Map((await addedRows(trx, organizationId, asked)).map((row) => [keyOf(row), row.on]));
  const found = new Map<number, RoleMeasurement[]>(asked.map(({ studentId }) => [studentId, []]));
  for (const run of measuredRuns(await domainRows(trx, organizationId, asked))) {
    const on = added.get(keyOf(run));
    if (on !== undefined) found.get(run.studentId)?.push({ status: run.status, on });
  }
  for (const measurements of found.values()) measurements.sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0));
  return found;
}

const keyOf = ({ studentId, runId }: Pick<AddedRow, 'studentId' | 'runId'>): string => `${studentId} ${runId}`;

interface MeasuredRun {
  readonly studentId: number;
  readonly runId: string;
  readonly status: SkillStatus;
}

/** For each run that wrote a domain of the role, the role's status after it: the worst of its decided domains. */
function measuredRuns(rows: readonly DomainRow[]): MeasuredRun[] {
  const runs: MeasuredRun[] = [];
  const standing = new Map<string, Map<string, SkillStatus | null>>();
  for (const [at, { studentId, runId, schoolYear, domainCode, status }] of rows.entries()) {
    const key = `${studentId} ${schoolYear}`;
    const domains = standing.get(key) ?? new Map<string, SkillStatus | null>();
    standing.set(key, domains.set(domainCode, status));
    const next = rows[at + 1];
    if (next?.studentId === studentId && next.runId === runId) continue;
    const worst = worstOf([...domains.values()].flatMap((one) => one ?? []));
    if (worst !== null) runs.push({ studentId, runId, status: worst });
  }
  return runs;
}

const domainRows = (trx: Trx, organizationId: string, asked: readonly RoleOf[]): Promise<DomainRow[]> => {
  const pairs = asked.flatMap(({ studentId, domains }) => domains.map((code) => [studentId, code] as const));
  return rowsOf(
    trx,
    `select d.student_id, d.run_id, d.school_year, d.domain_code, d.status
     from unnest(:studentIds::bigint[], :codes::text[]) as t (student_id, code)
     join sse_domain_snapshot d on d.organization_id = ${anyOrganization} and d.student_id = t.student_id
       and d.domain_code = t.code
     order by d.student_id, d.id`,
    { organizationId, studentIds: pairs.map(([studentId]) => studentId), codes: pairs.map(([, code]) => code) },
  );
};

const addedRows = (trx: Trx, organizationId: string, asked: readonly RoleOf[]): Promise<AddedRow[]> => {
  const pairs = asked.flatMap(({ studentId, subSkills }) => subSkills.map((code) => [studentId, code] as const));
  return rowsOf(
    trx,
    `select m.student_id, s.run_id, max(m.ended_on) as "on"
     from unnest(:studentIds::bigint[], :codes::text[]) as t (student_id, code)
     join skill_measurement m on m.organization_id = ${anyOrganization} and m.student_id = t.student_id
       and m.sub_skill_code = t.code
       and ${sessionVoidIn({ organizationId: anyOrganization, refId: 'm.session_id' })} is null
     join sse_skill_snapshot s on s.organization_id = ${anyOrganization} and s.id = m.first_snapshot_id
     group by m.student_id, s.run_id`,
    { organizationId, studentIds: pairs.map(([studentId]) => studentId), codes: pairs.map(([, code]) => code) },
  );
};
