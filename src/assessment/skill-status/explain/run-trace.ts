// The trace of a stored run: a replay with its pinned rules that records every question, and the stored rows.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction, Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { Organization } from '#identity/people/index.ts';
import { type CatalogueDocument, type Sentences, sentencesOf } from '#rules/catalogue/index.ts';
import { newQuestions, type Questions } from '#rules/rulesets/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { type TracedCall, type TracedEvaluation, traceEvaluation } from '../engine/traced.ts';
import { SkillRun } from '../results/models.ts';
import { readRun, type StoredRun } from '../results/stored-input.ts';
import type { RunRow, RunTile } from '../results/tables.ts';
import { pipelineOf } from '../rules/pipelines.ts';
import { type ChosenItem, chosenItems, readChoices } from './chosen-items.ts';

export interface RunTrace extends TracedEvaluation {
  /** The rules that the run was made with. */
  readonly pipeline: Pipeline;
  readonly run: RunRow;
  /** Sub-skill → id of the newest row of the student's school year, up to the run. */
  readonly skillIds: ReadonlyMap<string, number>;
  /** Domain → id of its newest row, up to the run. */
  readonly domainIds: ReadonlyMap<string, number>;
  readonly tileRows: ReadonlyMap<string, RunTile>;
  /** The questions to which the tree refers. */
  readonly questions: Questions;
  readonly sentences: Sentences;
  /** The names that the run's catalogue gives to sub-skills, domains and tiles. */
  readonly names: CatalogueDocument;
  /** Of the organization, for days in sentences. */
  readonly timeZone: string;
  /** By `sessionId/itemId`. */
  readonly items: ReadonlyMap<string, ChosenItem>;
}

/**
 * Returns undefined for a run that is not visible. Uses the pinned rules only. Throws ENGINE_UNAVAILABLE when a pinned
 * document cannot be read.
 */
export async function runTraceOf(
  reading: ReadTransaction,
  { db, rules, itemBanks, clock }: Pick<Services, 'db' | 'rules' | 'itemBanks' | 'clock'>,
  runId: string,
): Promise<RunTrace | undefined> {
  const read = await reading((trx) => storedTrace(trx, runId));
  if (!read) return undefined;
  const { run, choices, ...stored } = read;
  const { grade, asOf, contextReview } = run;
  const bundle = await rules.pinned(db, run.ruleVersions);
  const inForce = await reading((trx) => rules.at(trx, clock.now()));
  return {
    pipeline: pipelineOf(bundle),
    ...traceEvaluation({ ...run.input, grade, asOf, contextReviewActive: contextReview }, bundle),
    ...{ run, ...stored },
    tileRows: new Map(run.tiles.map((row) => [row.tileCode, row])),
    questions: newQuestions(),
    sentences: sentencesOf(inForce.rules),
    names: bundle.values<CatalogueDocument>('catalogue/subskills'),
    items: await chosenItems(itemBanks, choices),
  };
}

async function storedTrace(trx: Trx, runId: string) {
  const stored: StoredRun | undefined = await SkillRun.query(trx)
    .modify(inAnyOrganization)
    .where({ id: runId })
    .first();
  if (!stored) return undefined;
  const run = readRun(stored);
  return {
    run,
    timeZone: await timeZoneOf(trx, run),
    choices: await readChoices(trx, run),
    skillIds: await newestIds(trx, run, 'sse_skill_snapshot', 'sub_skill_code'),
    domainIds: await newestIds(trx, run, 'sse_domain_snapshot', 'domain_code'),
  };
}

async function timeZoneOf(trx: Trx, { organizationId }: RunRow): Promise<string> {
  const { timeZone } = await Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
  return timeZone;
}

/**
 * Returns the newest row ids up to the run. A run appends rows only for changes; unchanged results are in rows of
 * earlier runs.
 */
async function newestIds(
  trx: Trx,
  { id: runId, organizationId, studentId, schoolYear }: RunRow,
  table: 'sse_skill_snapshot' | 'sse_domain_snapshot',
  column: 'sub_skill_code' | 'domain_code',
): Promise<Map<string, number>> {
  const rows = await rowsOf<{ readonly code: string; readonly id: number }>(
    trx,
    `select distinct on (s.${column}) s.${column} as code, s.id from ${table} s
     join sse_run r on r.organization_id = s.organization_id and r.id = s.run_id
     where s.organization_id = :organizationId and s.student_id = :studentId and s.school_year = :schoolYear
       and r.seq <= (select seq from sse_run where organization_id = :organizationId and id = :runId)
     order by s.${column}, s.id desc`,
    { runId, organizationId, studentId, schoolYear },
  );
  return new Map(rows.map(({ code, id }) => [code, id]));
}

const comprehension = 'RC';

/** Returns the calls of DDR, DSM and ESC for a domain; for reading comprehension also DDR-LC. */
export const domainCalls = ({ ofDomain, ofComprehension }: RunTrace, domainCode: string): readonly TracedCall[] => [
  ...(ofDomain.get(domainCode) ?? []),
  ...(domainCode === comprehension ? ofComprehension : []),
];

/** Returns the fields about the run that every explained result contains. */
export const runFrameOf = ({ run }: RunTrace) => ({
  organizationId: run.organizationId,
  studentId: run.studentId,
  asOf: run.asOf,
  runId: run.id,
  bundleId: run.bundleId,
  ruleVersions: run.ruleVersions,
});
