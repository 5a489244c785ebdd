// What is true of a student now: the newest run of the school year, and the newest row of all that this run judged.
import type { Trx } from '../platform/db.ts';
import { rowsOf } from '../platform/sql.ts';
import type { DomainRow, RunRow, SkillRow, TileRow } from './tables.ts';

/** Whose results, and of which school year: a new one starts with nothing assessed. */
export interface StudentInYear {
  readonly organizationId: string;
  readonly studentId: number;
  readonly schoolYear: string;
}

/** The newest run with its tiles. */
export interface CurrentRun
  extends Pick<
    RunRow,
    | 'id'
    | 'asOf'
    | 'grade'
    | 'outcome'
    | 'halted'
    | 'nextDataAction'
    | 'evaluatedSubSkills'
    | 'ruleVersions'
    | 'bundleId'
  > {
  readonly tiles: readonly Pick<TileRow, 'tileCode' | 'status' | 'applicable' | 'severePath'>[];
}

export interface CurrentState {
  /** A recompute was asked for and has not come yet. */
  readonly pending: boolean;
  /** Null before the first run of the school year. */
  readonly run: CurrentRun | null;
}

type StateRow = { readonly pending: boolean } & (CurrentRun | { readonly id: null });

export async function currentState(trx: Trx, who: StudentInYear): Promise<CurrentState> {
  const [row] = await rowsOf<StateRow>(
    trx,
    `select coalesce(q.requested_seq > q.processed_seq, false) as pending, r.*
     from (values (1)) as one (row)
     left join sse_recompute_request q on q.organization_id = :organizationId and q.student_id = :studentId
     left join lateral (
       select r.id, r.as_of, r.grade, r.outcome, r.halted, r.next_data_action, r.evaluated_sub_skills, r.rule_versions,
         r.bundle_id,
         (select json_agg(json_build_object('tileCode', m.tile_code, 'status', m.status, 'applicable', m.applicable,
             'severePath', m.severe_path))
           from sse_macro_snapshot m where m.organization_id = r.organization_id and m.run_id = r.id) as tiles
       from sse_run r
       where r.organization_id = :organizationId and r.student_id = :studentId and r.school_year = :schoolYear
       order by r.seq desc limit 1) r on true`,
    { ...who },
  );
  return { pending: row?.pending ?? false, run: row && row.id !== null ? row : null };
}

/**
 * The newest row of each sub-skill that the run evaluated. Rows of others tell of an earlier grade, or of evidence that
 * was withdrawn since.
 */
export const currentSkills = (
  trx: Trx,
  { organizationId, studentId, schoolYear }: StudentInYear,
  { evaluatedSubSkills }: Pick<CurrentRun, 'evaluatedSubSkills'>,
): Promise<SkillRow[]> =>
  rowsOf(
    trx,
    `select distinct on (sub_skill_code) * from sse_skill_snapshot
     where organization_id = :organizationId and student_id = :studentId and school_year = :schoolYear
       and sub_skill_code = any(:evaluatedSubSkills::text[])
     order by sub_skill_code, id desc`,
    { organizationId, studentId, schoolYear, evaluatedSubSkills },
  );

/** The newest row of each domain. */
export const currentDomains = (trx: Trx, who: StudentInYear): Promise<DomainRow[]> =>
  rowsOf(
    trx,
    `select distinct on (domain_code) * from sse_domain_snapshot
     where organization_id = :organizationId and student_id = :studentId and school_year = :schoolYear
     order by domain_code, id desc`,
    { ...who },
  );
