// What followed from runs, made again from them by the rules that it is stamped with: profiles, and the recommendations that
// were frozen when a bundle was given. They must come out the same.

import { type EvaluatedRun, type NumberedRun, type SoundRun, simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Reading, Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { profileRun } from '../engine/profiles/run-of-evaluation.ts';
import { type PinnedFacts, type ProfileRow, profileContent } from '../profiles/rows/row.ts';
import { profileRules } from '../rules/compiled.ts';
import { type FrozenRecommendation, recommendationAgain } from './recommendations.ts';

export interface ProfileAgain {
  /** Names of what differs; empty when nothing does. */
  readonly fields: readonly string[];
  readonly facts: PinnedFacts;
}

type JudgedCase = Pick<EvaluatedRun, 'ruleVersions' | 'grade' | 'contextReview' | 'evaluation'>;

/** Throws ENGINE_UNAVAILABLE when rules cannot be read. */
export async function profileAgain(
  db: Services['db'] | Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  row: ProfileRow,
  { ruleVersions, grade, contextReview, evaluation }: JudgedCase,
): Promise<ProfileAgain> {
  const profiles = profileRules(await rules.pinned(db, { ...ruleVersions, ...row.ruleVersions }));
  const content = profileContent(profiles.resolve(grade, profileRun(evaluation, contextReview)));
  const fields = Object.entries(content).flatMap(([name, value]) =>
    isSameJson(value, row[name as keyof ProfileRow]) ? [] : [name],
  );
  return { fields, facts: content.facts };
}

/** Read first; no transaction is open while it is worked out. */
export async function followedAgain(
  reading: Reading,
  { db, rules }: Pick<Services, 'db' | 'rules'>,
  runs: readonly SoundRun[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { profiles, plans } = await reading(async (trx) => ({
    profiles: await profilesOf(trx, runs),
    plans: await plansOf(trx, runs),
  }));
  if (profiles.length + plans.length === 0) return new Map();
  const byId = new Map(runs.map((run) => [run.id, run]));
  const found = new Map<string, string[]>(runs.map(({ id }) => [id, []]));
  for (const row of profiles) {
    const run = byId.get(row.runId);
    const fields = run ? await fieldsThatDiffer(db, rules, row, run) : ['runId'];
    found.get(row.runId)?.push(...fields.map((field) => `profile.${field}`));
  }
  for (const plan of plans) {
    if (!(await isSameRecommendation(db, rules, plan))) found.get(plan.runId)?.push('assignment.recommendation');
  }
  return found;
}

/** Rules that cannot be read any more are a difference, and no reason to stop. */
async function fieldsThatDiffer(
  db: Services['db'],
  rules: Pick<ActiveRules, 'pinned'>,
  row: ProfileRow,
  run: JudgedCase,
): Promise<readonly string[]> {
  try {
    return (await profileAgain(db, rules, row, run)).fields;
  } catch (error) {
    if (isUnreadable(error)) return ['ruleVersions'];
    throw error;
  }
}

async function isSameRecommendation(
  db: Services['db'],
  rules: Pick<ActiveRules, 'pinned'>,
  plan: FrozenRecommendation,
): Promise<boolean> {
  try {
    return (await recommendationAgain(db, rules, plan)).isSame;
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

interface PlanOfRun extends FrozenRecommendation {
  readonly runId: string;
}

/** Those that were given while one of these runs was the newest one of the school year. */
function plansOf(trx: Trx, runs: readonly NumberedRun[]): Promise<PlanOfRun[]> {
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
