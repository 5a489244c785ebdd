// Replays counts with the runs that were newest at their time, to detect altered rows.

import type { RunReplayer } from '#assessment/skill-status/index.ts';
import { AppError } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { BundleError } from '#rules/rulesets/index.ts';
import type { FidelitySnapshot } from '../counting/store.ts';
import { replayCount } from './replay-count.ts';

type SnapshotOfRun = FidelitySnapshot & { readonly runId: string };

export const countsOfRuns: RunReplayer = {
  async replay(reading, { db, rules }, runs) {
    const [first] = runs;
    if (!first) return new Map();
    const rows = await reading((trx) =>
      rowsOf<SnapshotOfRun>(trx, statement, {
        organizationId: first.organizationId,
        studentIds: [...new Set(runs.map(({ studentId }) => studentId))],
        runIds: runs.map(({ id }) => id),
      }),
    );
    const found = new Map<string, string[]>();
    for (const { runId, ...snapshot } of rows) {
      const fields = await fieldsThatDiffer(() => replayCount(db, rules, snapshot));
      found.set(runId, [...(found.get(runId) ?? []), ...fields.map((field) => `fidelity.${field}`)]);
    }
    return found;
  },
};

const statement = `
  select r.id as run_id, f.* from fidelity_snapshot f
  cross join lateral (select r.id from sse_run r
    where r.organization_id = f.organization_id and r.student_id = f.student_id and r.school_year = f.school_year
      and r.as_of <= f.computed_at order by r.seq desc limit 1) r
  where f.organization_id = :organizationId and f.student_id = any(:studentIds::bigint[])
    and r.id = any(:runIds::text[])
  order by f.id`;

/** Rules that can no longer be read count as a difference, and do not stop the replay. */
async function fieldsThatDiffer(again: () => ReturnType<typeof replayCount>): Promise<readonly string[]> {
  try {
    return (await again()).fields;
  } catch (error) {
    if (isUnreadable(error)) return ['ruleVersions'];
    throw error;
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof BundleError ||
  error instanceof RangeError ||
  (error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE');
