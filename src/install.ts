// What a start brings into the database, as the owner of its tables: the shipped rules, then what capabilities add to them.
import { capabilities } from './capabilities.ts';
import type { Capability } from './kernel/capability.ts';
import type { Trx } from './platform/db.ts';
import { installRules, type LoadedRule } from './rulesets/index.ts';

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
