// Puts the shipped rules in force in a test's database, as a first start does.
import path from 'node:path';
import { capabilities } from '#app/capabilities.ts';
import { install } from '#app/install.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { loadRules, newestBundle } from '#rules/rulesets/files.ts';
import type { DocumentName } from '#rules/rulesets/index.ts';

const rulesDir = path.resolve(import.meta.dirname, '../../rules');
/** Earlier than the dates that tests use. */
const beginning = new Date('2024-01-01T00:00:00.000Z');

/** Read once for each process. They are immutable. */
const rules = await loadRules(rulesDir);
/** The versions that a first start puts in force. */
const shipped = newestBundle(rules).versions;

export function shippedVersion(name: DocumentName): number {
  const version = shipped[name];
  if (version === undefined) throw new Error(`no rule document ${name} is shipped`);
  return version;
}

/** Returns `BND@2`, the form in which results name the document of an engine's family. */
export const shippedStamp = (family: string, newer = 0): string =>
  `${family.toUpperCase()}@${shippedVersion(`${family}/${family}`) + newer}`;

/** The hundreds of lesson blueprints are installed only by tests that need them. */
const without = capabilities.filter(({ name }) => name !== 'session-blueprints');

export const installShippedRules = (owner: Db, activeFrom: Date = beginning): Promise<void> =>
  installAll(owner, activeFrom, without);

/** Includes the lesson blueprints, as a start of the service does. */
export const installEverything = (owner: Db, activeFrom: Date = beginning): Promise<void> =>
  installAll(owner, activeFrom, capabilities);

async function installAll(owner: Db, activeFrom: Date, seeding: typeof capabilities): Promise<void> {
  await inContext(owner, 'SUPER', (trx) => install(trx, rules, activeFrom, seeding));
}
