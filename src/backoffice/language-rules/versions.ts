// The versions of the sets as rows, read from the rule store and the timeline of bundles. Nothing is stored twice.

import type { Trx } from '#core/platform/db.ts';
import { idOfText } from '#core/platform/ids.ts';
import type { LanguageRule } from '#rules/language/index.ts';
import { RuleVersion } from '#rules/rulesets/index.ts';
import { type ActivePeriod, activePeriodsOf, type VersionRow } from '../workbench/index.ts';
import { setKeys } from './schemas.ts';

export type SetKey = (typeof setKeys)[number];

export interface LanguageRules {
  readonly id: string;
  readonly key: SetKey;
  readonly version: number;
  readonly state: 'active' | 'retired';
  readonly rules: readonly LanguageRule[];
  readonly createdAt: string;
  readonly createdBy: number | null;
  readonly deactivatedAt: string | null;
}

/** The id is derived from the name, which a version never changes, and needs no column. */
const idOf = (name: string): string => idOfText(`language rules ${name}`);

type StoredRow = Pick<VersionRow, 'id' | 'key' | 'version' | 'document' | 'publishedAt' | 'authorUserId'>;

/** Returns all versions, newest first. There are few, because each was written by a person. */
export async function allVersions(trx: Trx, now: Date): Promise<LanguageRules[]> {
  const rows: StoredRow[] = await RuleVersion.query(trx)
    .where({ family: 'language' })
    .whereIn('key', setKeys)
    .orderBy([{ column: 'publishedAt', order: 'desc' }, { column: 'key' }, { column: 'version', order: 'desc' }])
    .select('id', 'key', 'version', 'document', 'publishedAt', 'authorUserId');
  const periods = new Map<string, ActivePeriod[]>();
  for (const key of setKeys) periods.set(key, await activePeriodsOf(trx, `language/${key}`, now));
  return rows.map((row) => versionOf(row, periods.get(row.key) ?? []));
}

/** A version that waits for its activation in the workbench is not in force, and neither is one that was replaced. */
function versionOf(row: StoredRow, periods: readonly ActivePeriod[]): LanguageRules {
  const last = periods.findLast(({ version }) => version === row.version);
  return {
    id: idOf(row.id),
    key: row.key as SetKey,
    version: row.version,
    state: last?.to === null ? 'active' : 'retired',
    rules: (JSON.parse(row.document) as { entries: readonly LanguageRule[] }).entries,
    createdAt: row.publishedAt,
    createdBy: row.authorUserId,
    deactivatedAt: last?.to ?? null,
  };
}
