// Replays what followed from runs, by the rules of their stamps: profiles, and the frozen recommendations of assignments. The
// results must be equal.

import { type EvaluatedRun, type NumberedRun, type SoundRun, simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction, Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { profileRun } from '../engine/profiles/run-of-evaluation.ts';
import { type PinnedFacts, type ProfileRow, profileContent } from '../profiles/rows/row.ts';
import { profileRules } from '../rules/compiled.ts';
import { type FrozenRecommendation, replayRecommendation } from './replay-recommendation.ts';

export interface ProfileReplay {
  /** Names of the fields that differ. */
  readonly fields: readonly string[];
  readonly facts: PinnedFacts;
}

type RunCase = Pick<EvaluatedRun, 'ruleVersions' | 'grade' | 'contextReview' | 'evaluation'>;

/** Throws ENGINE_UNAVAILABLE when rules cannot be read. */
export async function replayProfile(
  db: Services['db'] | Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  row: ProfileRow,
  { ruleVersions, grade, contextReview, evaluation }: RunCase,
): Promise<ProfileReplay> {
  const profiles = profileRules(await rules.pinned(db, { ...ruleVersions, ...row.ruleVersions }));
  const content = profileContent(profiles.resolve(grade, profileRun(evaluation, contextReview)));
  const fields = Object.entries(content).flatMap(([name, value]) =>
    isSameJson(value, row[name as keyof ProfileRow]) ? [] : [name],
  );
  return { fields, facts: content.facts };
}

/** Reads first; no transaction is open while results are computed. */
export async function replayInterventionRuns(
  reading: ReadTransaction,
  { db, rules }: Pick<Services, 'db' | 'rules'>,
  runs: readonly SoundRun[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { profiles, assignments } = await reading(async (trx) => ({
    profiles: await profilesOf(trx, runs),
    assignments: await assignmentsOfRuns(trx, runs),
  }));
  if (profiles.length + assignments.length === 0) return new Map();
  const byId = new Map(runs.map((run) => [run.id, run]));
  const found = new Map<string, string[]>(runs.map(({ id }) => [id, []]));
  for (const row of profiles) {
    const run = byId.get(row.runId);
    const fields = run ? await fieldsThatDiffer(db, rules, row, run) : ['runId'];
    found.get(row.runId)?.push(...fields.map((field) => `profile.${field}`));
  }
  for (const assignment of assignments) {
    if (!(await isSameRecommendation(db, rules, assignment)))
      found.get(assignment.runId)?.push('assignment.recommendation');
  }
  return found;
}

/** Rules that can no longer be read count as a difference, and do not stop the replay. */
async function fieldsThatDiffer(
  db: Services['db'],
  rules: Pick<ActiveRules, 'pinned'>,
  row: ProfileRow,
  run: RunCase,
): Promise<readonly string[]> {
  try {
    return (await replayProfile(db, rules, row, run)).fields;
  } catch (error) {
    if (isUnreadable(error)) return ['ruleVersions'];
    throw error;
  }
}

async function isSameRecommendation(
  db: Services['db'],
  rules: Pick<ActiveRules, 'pinned'>,
  assignment: FrozenRecommendation,
): Promise<boolean> {
  try {
    return (await replayRecommendation(db, rules, assignment)).isSame;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
}

const isUnreadable = (error: unknown): boolean =>
  simulation.isUnfit(error) || (error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE');

const idsOf = (runs: readonly NumberedRun[]) => ({
  organizationId: runs[0]?.organizationId ?? '',
  runIds: runs.map(({ id }) => id),
  studentIds: [...new Set(runs.map(({ studentId }) => studentId))],
});

function profilesOf(trx: Trx, runs: readonly NumberedRun[]): Promise<ProfileRow[]> {
  const { organizationId, runIds, studentIds } = idsOf(runs);
  return rowsOf(
    trx,
    `select * from profile_assignment
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[]) and run_id = any(:runIds::text[])
     order by id`,
    { organizationId, studentIds, runIds },
  );
}

interface AssignmentOfRun extends FrozenRecommendation {
  readonly runId: string;
}

/** Assignments that were activated while one of these runs was the newest of the school year. */
function assignmentsOfRuns(trx: Trx, runs: readonly NumberedRun[]): Promise<AssignmentOfRun[]> {
  const { organizationId, runIds, studentIds } = idsOf(runs);
  return rowsOf(
    trx,
    `select r.id as run_id, a.facts, a.recommendation, a.rule_versions from bundle_assignment a
     cross join lateral (select r.id from sse_run r
       where r.organization_id = a.organization_id and r.student_id = a.student_id and r.school_year = a.school_year
         and r.as_of <= a.activated_at order by r.seq desc limit 1) r
     where a.organization_id = :organizationId and a.student_id = any(:studentIds::bigint[])
       and r.id = any(:runIds::text[])
     order by a.id`,
    { organizationId, studentIds, runIds },
  );
}
