// The shipped rules in force in a test's database, as a first start would leave them.
import path from 'node:path';
import { type Db, inContext } from '../../src/platform/db.ts';
import { loadRules } from '../../src/rulesets/files.ts';
import { installRules } from '../../src/rulesets/install.ts';

const rulesDir = path.resolve(import.meta.dirname, '../../rules');
/** Before every moment that a test is likely to choose. */
const beginning = new Date('2024-01-01T00:00:00.000Z');

export async function installShippedRules(owner: Db, activeFrom: Date = beginning): Promise<void> {
  const rules = await loadRules(rulesDir);
  await inContext(owner, 'SUPER', (trx) => installRules(trx, rules, activeFrom));
}
