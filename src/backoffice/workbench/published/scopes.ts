// The scopes of rule sets and versions that the path names.
import Type from 'typebox';
import { named, object } from '#core/http/schemas.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { RuleVersion } from '#rules/rulesets/index.ts';
import { findVersion, type VersionRow } from './store.ts';

export interface RuleSet {
  readonly family: string;
  readonly key: string;
  /** 0 while no version is published. */
  readonly newestVersion: number;
}

const Family = named('Family', Type.String({ maxLength: 40, pattern: '^[a-z][a-z0-9-]{0,39}$' }));
const Key = named('Key', Type.String({ maxLength: 80, pattern: '^[a-z0-9][a-z0-9-]{0,79}$' }));
const ruleSetParts = { family: Family, key: Key };

export const ruleSetParams = object(ruleSetParts);
export const versionParams = object({
  ...ruleSetParts,
  version: Type.String({ maxLength: 9, pattern: '^([1-9][0-9]{0,8}|active)$' }),
});
/** Families in which new keys may be added; the keys of all others are known to the code. */
export const openFamilies: ReadonlySet<string> = new Set(['benchmark']);

/** Returns undefined for a key without a version, except in families to which keys may be added. */
export async function lookUpRuleSet(trx: Trx, family: string, key: string): Promise<RuleSet | undefined> {
  const newest: { version: number } | undefined = await RuleVersion.query(trx)
    .where({ family, key })
    .orderBy('version', 'desc')
    .select('version')
    .first();
  const newestVersion = newest?.version ?? 0;
  return newestVersion > 0 || openFamilies.has(family) ? { family, key, newestVersion } : undefined;
}

/** Finds the rule set that the path names. Throws NOT_FOUND. */
export async function findRuleSet(trx: Trx, family = '', key = ''): Promise<RuleSet> {
  const set = await lookUpRuleSet(trx, family, key);
  if (!set) throw notFound();
  return set;
}

/** A rule set with a published version. */
export const publishedSetInPath: AppScope<RuleSet> = {
  reach: 'P',
  resolve: async ({ trx, params }) => {
    const row = await findRuleSet(trx, params.family, params.key);
    if (row.newestVersion === 0) throw notFound();
    return { row };
  },
};

/** `version` is a number, or the word `active`. */
export const versionInPath: AppScope<VersionRow> = {
  reach: 'P',
  resolve: async ({ trx, params, services, now }) => {
    const { family = '', key = '', version = '' } = params;
    const wanted = version === 'active' ? await activeVersion(trx, services.rules, `${family}/${key}`, now) : version;
    const row = await findVersion(trx, family, key, Number(wanted));
    if (!row) throw notFound();
    return { row };
  },
};

type Rules = Parameters<AppScope<VersionRow>['resolve']>[0]['services']['rules'];

async function activeVersion(trx: Trx, rules: Rules, name: string, now: Date): Promise<number> {
  const { versions } = (await rules.at(trx, now)).rules;
  return new Map<string, number>(Object.entries(versions)).get(name) ?? 0;
}
