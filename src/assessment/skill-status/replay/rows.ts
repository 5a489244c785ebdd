// The stored snapshots of runs, and the corresponding rows from an evaluation.
import type { Trx } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { domainContents, skillContents } from '../results/rows.ts';
import type { DomainRow, RunHead, SkillRow } from '../results/tables.ts';

export interface RunRows {
  readonly skills: readonly SkillRow[];
  readonly domains: readonly DomainRow[];
}

type RunKey = Pick<RunHead, 'id' | 'organizationId' | 'studentId'>;

/** Returns the rows by run. All runs belong to one organization. */
export async function storedRows(trx: Trx, runs: readonly RunKey[]): Promise<(runId: string) => RunRows> {
  const bindings = {
    organizationId: runs[0]?.organizationId ?? '',
    runIds: runs.map(({ id }) => id),
    studentIds: [...new Set(runs.map(({ studentId }) => studentId))],
  };
  const ofRuns = async <Row extends { readonly runId: string }>(table: string) =>
    grouped(
      await rowsOf<Row>(
        trx,
        `select * from ${table} where organization_id = :organizationId and student_id = any(:studentIds::bigint[])
           and run_id = any(:runIds::text[]) order by id`,
        bindings,
      ),
      ({ runId }) => runId,
    );
  const skills = await ofRuns<SkillRow>('sse_skill_snapshot');
  const domains = await ofRuns<DomainRow>('sse_domain_snapshot');
  return (runId) => ({ skills: skills.get(runId) ?? [], domains: domains.get(runId) ?? [] });
}

/** Returns the derived rows that correspond to stored ones, since a run appends only new rows. */
export function derivedRows(run: RunHead, evaluation: StudentEvaluation, stored: RunRows): RunRows {
  const provisional = new Set(stored.skills.filter((row) => row.calibrationProvisional).map((row) => row.subSkillCode));
  const idOfSkill = new Map(stored.skills.map(({ subSkillCode, id }) => [subSkillCode, id]));
  const idOfDomain = new Map(stored.domains.map(({ domainCode, id }) => [domainCode, id]));
  return {
    skills: skillContents(run, evaluation, provisional).flatMap((row) => withId(row, idOfSkill.get(row.subSkillCode))),
    domains: domainContents(run, evaluation).flatMap((row) => withId(row, idOfDomain.get(row.domainCode))),
  };
}

/** Adds the id to the given row instead of a copy, because copying its many columns would dominate the time. */
const withId = <Content extends object>(row: Content, id: number | undefined) =>
  id === undefined ? [] : [Object.assign(row, { id })];
