// Executes a stored run again: the same input with the rules it was pinned to must give the same bytes.
import type { Trx } from '../platform/db.ts';
import { notFound } from '../platform/errors.ts';
import { canonicalJson } from '../platform/pure/canonical-json.ts';
import type { ActiveRules } from '../rulesets/active.ts';
import type { StudentEvaluation } from './engine/evaluate.ts';
import { evaluate, resultHash } from './evaluate-run.ts';
import { pipelineOf } from './pipelines.ts';
import { codeRows, domainContents, skillContents, tileRows } from './rows.ts';
import { rowsOf } from './sql.ts';
import type { CodeRow, DomainRow, RunRow, SkillRow, TileRow } from './tables.ts';

export interface Replay {
  readonly runId: string;
  /** Everything that was decided, and every row that was written, came out the same. */
  readonly match: boolean;
  /** What differs: `result`, or a table's name. */
  readonly mismatches: readonly string[];
}

/** Throws NOT_FOUND for a run out of sight, ENGINE_UNAVAILABLE when its rules cannot be read. Writes nothing. */
export async function replayRun(trx: Trx, rules: ActiveRules, runId: string): Promise<Replay> {
  const run: RunRow | undefined = await trx('sse_run').where({ id: runId }).first();
  if (!run) throw notFound();
  const pipeline = pipelineOf(await rules.pinned(trx, run.ruleVersions));
  const evaluation = evaluate(run.input, run, pipeline);
  const stored = await storedRows(trx, runId);
  const derived = derivedRows(run, evaluation, stored);
  const tables = Object.keys(stored) as (keyof StoredRows)[];
  const mismatches = [
    ...(resultHash(runId, evaluation) === run.resultHash ? [] : ['result']),
    ...tables.filter((table) => canonicalJson(stored[table]) !== canonicalJson(derived[table])),
  ];
  return { runId, match: mismatches.length === 0, mismatches };
}

interface StoredRows {
  readonly codes: readonly CodeRow[];
  readonly skills: readonly SkillRow[];
  readonly domains: readonly DomainRow[];
  readonly tiles: readonly TileRow[];
}

async function storedRows(trx: Trx, runId: string): Promise<StoredRows> {
  const of = <Row>(table: string, order: string) =>
    rowsOf<Row>(trx, `select * from ${table} where run_id = :runId order by ${order}`, { runId });
  return {
    codes: await of('sse_response_code', 'position'),
    skills: await of('sse_skill_snapshot', 'id'),
    domains: await of('sse_domain_snapshot', 'id'),
    tiles: await of('sse_macro_snapshot', 'tile_code'),
  };
}

/** A run appends only rows that are new; of the others nothing is stored to compare with. */
function derivedRows(run: RunRow, evaluation: StudentEvaluation, stored: StoredRows): StoredRows {
  const provisional = new Set(stored.skills.filter((row) => row.calibrationProvisional).map((row) => row.subSkillCode));
  const idOfSkill = new Map(stored.skills.map(({ subSkillCode, id }) => [subSkillCode, id]));
  const idOfDomain = new Map(stored.domains.map(({ domainCode, id }) => [domainCode, id]));
  return {
    codes: codeRows(run, evaluation),
    skills: skillContents(run, evaluation, provisional).flatMap((row) => withId(row, idOfSkill.get(row.subSkillCode))),
    domains: domainContents(run, evaluation).flatMap((row) => withId(row, idOfDomain.get(row.domainCode))),
    tiles: [...tileRows(run, evaluation)].sort((left, right) => (left.tileCode < right.tileCode ? -1 : 1)),
  };
}

const withId = <Content>(row: Content, id: number | undefined) => (id === undefined ? [] : [{ id, ...row }]);
