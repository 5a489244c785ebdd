// What the runs of one school year have said of a student, with the session behind each row.
import type { Trx } from '../../platform/db.ts';
import { anyOrganization, rowsOf } from '../../platform/sql.ts';
import type {
  DomainSnapshot,
  EvidenceOf,
  StoredSkillSnapshot,
  StoredYear,
  YearHistory,
} from '../engine/growth/rises.ts';
import type { LedgerOf } from '../ledger/known.ts';

export interface OfYear extends LedgerOf {
  readonly schoolYear: string;
  /** ISO 8601: runs that were stored by then; left out: all. */
  readonly until?: string | undefined;
}

/** Without the sessions, which only those who may have risen are asked for. */
export async function storedYear(trx: Trx, of: OfYear): Promise<StoredYear> {
  const bindings = { ...of, until: of.until ?? null };
  const skills = await rowsOf<StoredSkillSnapshot>(
    trx,
    `select s.id, s.run_id, s.sub_skill_code, s.status, split_part(s.newest_unit_ref, '/', 1) as session_id
     from sse_skill_snapshot s where s.organization_id = ${anyOrganization} and s.student_id = :studentId
       and s.school_year = :schoolYear
       and (:until::timestamptz is null or s.decided_at <= :until) order by s.id`,
    bindings,
  );
  const domains = await rowsOf<DomainSnapshot>(
    trx,
    `select d.id, d.run_id, d.domain_code, d.status from sse_domain_snapshot d
     where d.organization_id = ${anyOrganization} and d.student_id = :studentId and d.school_year = :schoolYear
       and (:until::timestamptz is null or d.decided_at <= :until) order by d.id`,
    bindings,
  );
  return { skills, domains };
}

/** Each run's evidence is opened once. */
export async function withSessions(trx: Trx, of: OfYear, { skills, domains }: StoredYear): Promise<YearHistory> {
  const sessions = await sessionsOf(trx, of);
  return {
    domains,
    skills: skills.map(({ sessionId, ...row }) => ({
      ...row,
      session: sessions.get(`${row.runId} ${sessionId}`) ?? null,
    })),
  };
}

/** By run and session. */
async function sessionsOf(trx: Trx, of: OfYear): Promise<ReadonlyMap<string, EvidenceOf>> {
  const rows = await rowsOf<EvidenceOf & { readonly runId: string }>(
    trx,
    `select r.id as run_id, e.session ->> 'sessionId' as id, e.session ->> 'endedAt' as ended_at,
       e.session ->> 'source' as source
     from sse_run r cross join lateral json_array_elements(r.input -> 'sessions') as e (session)
     where r.organization_id = ${anyOrganization} and r.student_id = :studentId and r.school_year = :schoolYear`,
    { organizationId: of.organizationId, studentId: of.studentId, schoolYear: of.schoolYear },
  );
  return new Map(rows.map(({ runId, ...session }) => [`${runId} ${session.id}`, session]));
}
