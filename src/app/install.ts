// Installs the shipped rules and the seeds of capabilities, as the owner of the tables.

import type { Capability } from '#core/module/capability.ts';
import type { Trx } from '#core/platform/db.ts';
import { installRules, type LoadedRule } from '#rules/rulesets/index.ts';
import { capabilities } from './capabilities.ts';

/** Safe for processes that start at once. Returns the refused rules, like `installRules`. */
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
