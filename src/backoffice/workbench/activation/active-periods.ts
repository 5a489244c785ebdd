// The periods in which each version of one document was in force.
import type { Db, Trx } from '#core/platform/db.ts';
import { type DocumentName, isOvertaken } from '#rules/rulesets/index.ts';

export interface ActivePeriod {
  readonly version: number;
  /** ISO 8601. */
  readonly from: string;
  /** Null while it lasts. */
  readonly to: string | null;
  readonly activatedBy: number | null;
}

/**
 * Returns periods oldest first. Activations that did not change the document, or were overtaken before their time, are left out;
 * some take it out of force.
 */
export async function activePeriodsOf(db: Db | Trx, name: DocumentName, now: Date): Promise<ActivePeriod[]> {
  const rows: (Omit<ActivePeriod, 'version' | 'to'> & { version: number | null })[] = await db('rule_activation as a')
    .join('rule_bundle as b', 'b.id', 'a.bundleId')
    .where('a.activeFrom', '<=', now)
    .whereRaw(`not ${isOvertaken}`)
    .orderBy('a.id')
    .select('a.activeFrom as from', 'a.activatedBy', db.raw('(b.versions ->> ?)::integer as version', [name]));
  const changes = rows.filter(({ version }, at) => at === 0 || rows[at - 1]?.version !== version);
  return changes.flatMap(({ version, ...rest }, at) =>
    version === null ? [] : [{ version, ...rest, to: changes[at + 1]?.from ?? null }],
  );
}
