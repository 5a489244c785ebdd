// What a start brings into the database, as the owner of its tables: the shipped rules, then what capabilities add to them.

import type { Capability } from '#core/module/capability.ts';
import type { Trx } from '#core/platform/db.ts';
import { installRules, type LoadedRule } from '#rules/rulesets/index.ts';
import { capabilities } from './capabilities.ts';

/** Done once by processes that start at once; answers as `installRules`. */
export async function install(
  trx: Trx,
  rules: readonly LoadedRule[],
  now: Date,
  seeding: readonly Pick<Capability, 'seeds'>[] = capabilities,
): Promise<string[]> {
  const refused = await installRules(trx, rules, now);
  for (const seed of seeding.flatMap(({ seeds = [] }) => seeds)) await seed(trx, now);
  return refused;
}
