// Replays the recommendations of decisions with the runs that were newest at their time, to detect altered rows.

import type { RunReplayer } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { AppError } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { BundleError } from '#rules/rulesets/index.ts';
import { type FrozenAdvice, replayAdvice } from '../../recommendation/replay.ts';

interface DecisionOfRun extends FrozenAdvice {
  readonly runId: string;
}

export const decisionsOfRuns: RunReplayer = {
  async replay(reading, services, runs) {
    const [first] = runs;
    if (!first) return new Map();
    const rows = await reading((trx) =>
      rowsOf<DecisionOfRun>(trx, statement, {
        organizationId: first.organizationId,
        studentIds: [...new Set(runs.map(({ studentId }) => studentId))],
        runIds: runs.map(({ id }) => id),
      }),
    );
    const found = new Map<string, string[]>();
    for (const row of rows) {
      if (await isSame(services, row)) continue;
      found.set(row.runId, [...(found.get(row.runId) ?? []), 'decision.recommendation']);
    }
    return found;
  },
};

const statement = `
  select r.id as run_id, d.facts, d.recommendation, d.rule_versions from rti_decision d
  cross join lateral (select r.id from sse_run r
    where r.organization_id = d.organization_id and r.student_id = d.student_id and r.school_year = d.school_year
      and r.as_of <= d.committed_at order by r.seq desc limit 1) r
  where d.organization_id = :organizationId and d.student_id = any(:studentIds::bigint[])
    and r.id = any(:runIds::text[])
  order by d.seq`;

/** Rules that can no longer be read count as a difference, and do not stop the replay. */
async function isSame(services: Pick<Services, 'db' | 'rules'>, row: DecisionOfRun): Promise<boolean> {
  try {
    return (await replayAdvice(services, row)).isSame;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof BundleError ||
  error instanceof RangeError ||
  (error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE');
