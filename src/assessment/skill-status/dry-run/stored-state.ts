// The stored state of a student at a moment: the latest run up to then, and the newest row of each of its results.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { evaluateRun, resultHash } from '../evaluate-run.ts';
import { withEngineOrFallback } from '../reference-engine/fallback.ts';
import { domainContents, skillContents } from '../results/rows.ts';
import { readRun, type StoredRun } from '../results/stored-input.ts';
import type { DomainRow, RunRow, SkillRow } from '../results/tables.ts';

export interface StoredResults {
  readonly run: RunRow & { readonly seq: number };
  readonly skills: readonly SkillRow[];
  readonly domains: readonly DomainRow[];
  readonly tiles: RunRow['tiles'];
}

interface Student {
  readonly organizationId: string;
  readonly id: number;
}

/** Returns undefined when the student had no run until then. `at`: ISO 8601. */
export async function storedStateAt(
  services: Services,
  trx: Trx,
  { organizationId, id: studentId }: Student,
  at: string,
): Promise<StoredResults | undefined> {
  const [row] = await rowsOf<StoredRun & Pick<StoredResults['run'], 'seq'>>(
    trx,
    `select * from sse_run where organization_id = :organizationId and student_id = :studentId and as_of <= :at
     order by as_of desc, seq desc limit 1`,
    { organizationId, studentId, at },
  );
  if (!row) return undefined;
  const run = readRun(row);
  const upTo = { organizationId, studentId, schoolYear: run.schoolYear, seq: run.seq };
  const skills = await newestRows<SkillRow>(trx, 'sse_skill_snapshot', 'sub_skill_code', upTo);
  const evaluated = new Set(run.evaluatedSubSkills);
  const rows = {
    skills: skills.filter(({ subSkillCode }) => evaluated.has(subSkillCode)),
    domains: await newestRows<DomainRow>(trx, 'sse_domain_snapshot', 'domain_code', upTo),
  };
  return { run, ...(await withRulesOfRun(services, trx, run, rows)), tiles: run.tiles };
}

interface UpTo {
  readonly organizationId: string;
  readonly studentId: number;
  readonly schoolYear: string;
  readonly seq: number;
}

const newestRows = <Row>(trx: Trx, table: string, code: string, upTo: UpTo): Promise<Row[]> =>
  rowsOf(
    trx,
    `select distinct on (s.${code}) s.* from ${table} s
     join sse_run r on r.organization_id = s.organization_id and r.id = s.run_id and r.seq <= :seq
     where s.organization_id = :organizationId and s.student_id = :studentId and s.school_year = :schoolYear
     order by s.${code}, s.id desc`,
    { ...upTo },
  );

type Rows = Pick<StoredResults, 'skills' | 'domains'>;

/**
 * Sets the rule of each result to the run's own. A run appends no row for an unchanged result, although another rule
 * may give it. The run keeps its input and the hash of its decisions: when both agree with a replay, the replay gives
 * the rules.
 */
async function withRulesOfRun(services: Services, trx: Trx, run: RunRow, rows: Rows): Promise<Rows> {
  const rules = await services.rules.pinned(trx, run.ruleVersions);
  const evaluation = await withEngineOrFallback(trx, rules, async (pipeline) => evaluateRun(run.input, run, pipeline));
  if (resultHash(run.id, evaluation) !== run.resultHash) return rows;
  const spoke = new Map([
    ...skillContents(run, evaluation, new Set()).map((one) => [one.subSkillCode, one.ssrRuleId] as const),
    ...domainContents(run, evaluation).map((one) => [one.domainCode, one.ddrRuleId] as const),
  ]);
  const rule = (row: SkillRow | DomainRow, code: string, own: string) =>
    row.runId === run.id ? own : (spoke.get(code) ?? own);
  return {
    skills: rows.skills.map((row) => ({ ...row, ssrRuleId: rule(row, row.subSkillCode, row.ssrRuleId) })),
    domains: rows.domains.map((row) => ({ ...row, ddrRuleId: rule(row, row.domainCode, row.ddrRuleId) })),
  };
}
