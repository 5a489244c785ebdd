// How many messages of a day say that something is overdue (ALT-CAP-01): those to the principals of a school, and those to the
// administrators of an organization, are counted apart.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface OverdueCount {
  readonly organizationId: string;
  /** Id of the school, or `admins`. */
  readonly audience: string;
  /** Local date of the audience. */
  readonly today: string;
  readonly most: number;
}

/** Counts one more. Returns whether the day allows it; the row stays locked until the transaction ends. */
export async function countOverdue(
  trx: Trx,
  { organizationId, audience, today, most }: OverdueCount,
): Promise<boolean> {
  const counted = await rowsOf(
    trx,
    `insert into overdue_tally as t (organization_id, audience, told_on, told)
     values (:organizationId, :audience, :today, 1)
     on conflict (organization_id, audience) do update
       set told_on = excluded.told_on, told = case when t.told_on = excluded.told_on then t.told + 1 else 1 end
       where t.told_on <> excluded.told_on or t.told < :most
     returning t.told`,
    { organizationId, audience, today, most },
  );
  return counted.length > 0;
}
