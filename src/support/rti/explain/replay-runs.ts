// Replays evaluations of alerts and changes of layer A with their runs, to detect altered rows.

import type { NumberedRun } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import { leavingRule, type MachineInput } from '../evaluation/alerts.ts';
import { isUnreadable, replayEvaluation, replayState, type StoredSkillState } from './replay.ts';

interface EvaluationOfRun {
  readonly runId: string;
  readonly ruleId: string;
  readonly suppressedKind: string | null;
  readonly transitions: readonly object[];
  readonly input: MachineInput;
  readonly ruleVersions: Versions;
}

type StateOfRun = StoredSkillState & { readonly runId: string };

export async function replayEvaluations(
  reading: ReadTransaction,
  services: Pick<Services, 'db' | 'rules'>,
  runs: readonly NumberedRun[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [first] = runs;
  if (!first) return new Map();
  const of = {
    organizationId: first.organizationId,
    studentIds: [...new Set(runs.map(({ studentId }) => studentId))],
    runIds: runs.map(({ id }) => id),
  };
  const { evaluations, states } = await reading(async (trx) => ({
    evaluations: await rowsOf<EvaluationOfRun>(trx, evaluationsAfter, { ...of, leavingRule }),
    states: await rowsOf<StateOfRun>(trx, statesOfRuns, of),
  }));
  const found = new Map<string, string[]>();
  const differs = (runId: string, field: string) => found.set(runId, [...(found.get(runId) ?? []), field]);
  for (const row of evaluations) {
    if (!(await orFalse(isSameEvaluation(services, row)))) differs(row.runId, 'alerts.transitions');
  }
  for (const row of states) {
    if (!(await orFalse(replayState(services, row).then(({ isSame }) => isSame))))
      differs(row.runId, 'skillState.state');
  }
  return found;
}

async function isSameEvaluation(
  services: Parameters<typeof replayEvaluation>[0],
  row: EvaluationOfRun,
): Promise<boolean> {
  const { answer } = await replayEvaluation(services, row.input, row.ruleVersions);
  const { ruleId, suppressedKind, transitions } = answer;
  return isSameJson(
    { ruleId, suppressedKind, transitions },
    { ruleId: row.ruleId, suppressedKind: row.suppressedKind, transitions: row.transitions },
  );
}

/** Rules that can no longer be read count as a difference, and do not stop the replay. */
const orFalse = (work: Promise<boolean>): Promise<boolean> =>
  work.catch((error: unknown) => {
    if (isUnreadable(error)) return false;
    throw error;
  });

/**
 * Evaluations made while the run was the newest of its school year; closing the alerts of a student who leaves asks no rule.
 */
const evaluationsAfter = `
  select r.id as run_id, e.rule_id, e.suppressed_kind, e.transitions, e.input, e.rule_versions from rti_evaluation e
  cross join lateral (select r.id from sse_run r
    where r.organization_id = e.organization_id and r.student_id = e.student_id and r.school_year = e.school_year
      and r.as_of <= e.evaluated_at order by r.seq desc limit 1) r
  where e.organization_id = :organizationId and e.student_id = any(:studentIds::bigint[])
    and r.id = any(:runIds::text[]) and e.rule_id <> :leavingRule
  order by e.id`;

const statesOfRuns = `
  select n.run_id, s.student_id, s.from_state, s.state, s.rule_id, s.facts, s.rule_versions from skill_state s
  join sse_skill_snapshot n on n.organization_id = s.organization_id and n.id = s.snapshot_id
    and n.school_year = s.school_year
  where s.organization_id = :organizationId and s.student_id = any(:studentIds::bigint[])
    and n.run_id = any(:runIds::text[])
  order by s.id`;
