// How the replays of the last night went, over all organizations.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { noCounts, type ReplayCounts } from '../replays/position.ts';

export interface Night {
  /** The newest replay with a result that differed, otherwise the newest one. */
  readonly replayId: string;
  /** When the last of them ended. */
  readonly at: string;
  /** The sums over all organizations. */
  readonly counts: ReplayCounts;
}

interface NightlyReplay {
  readonly id: string;
  readonly organizationId: string;
  readonly updatedAt: string;
  readonly counts: ReplayCounts;
}

/** More organizations than any installation has. */
const mostReplays = 2_000;

/**
 * Returns the sum of each organization's last replay within the 24 hours before the newest one began, null before the first
 * night. The context is SUPER.
 */
export async function lastNight(trx: Trx): Promise<Night | null> {
  const rows = await rowsOf<NightlyReplay>(
    trx,
    `select id, organization_id, updated_at, report -> 'counts' as counts from rule_job
     where kind = 'replay' and subject = 'nightly' and state = 'done'
       and created_at > (select max(created_at) from rule_job
         where kind = 'replay' and subject = 'nightly' and state = 'done') - interval '24 hours'
     order by created_at desc, id desc limit :mostReplays`,
    { mostReplays },
  );
  const newest = rows.filter(
    ({ organizationId }, at) => rows.findIndex((row) => row.organizationId === organizationId) === at,
  );
  const shown = newest.find(({ counts }) => counts.inputsDiffer + counts.rulesDiffer > 0) ?? newest[0];
  if (!shown) return null;
  return {
    replayId: shown.id,
    at: newest.map(({ updatedAt }) => updatedAt).reduce((last, next) => (next > last ? next : last)),
    counts: newest.map(({ counts }) => counts).reduce(sum, noCounts),
  };
}

const sum = (one: ReplayCounts, other: ReplayCounts): ReplayCounts => ({
  same: one.same + other.same,
  inputsDiffer: one.inputsDiffer + other.inputsDiffer,
  rulesDiffer: one.rulesDiffer + other.rulesDiffer,
});
