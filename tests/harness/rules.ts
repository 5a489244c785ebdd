// The shipped rules in force in a test's database, as a first start would leave them.
import path from 'node:path';
import { capabilities } from '#app/capabilities.ts';
import { install } from '#app/install.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { loadRules, newestBundle } from '#rules/rulesets/files.ts';
import type { DocumentName } from '#rules/rulesets/index.ts';

const rulesDir = path.resolve(import.meta.dirname, '../../rules');
/** Before every moment that a test is likely to choose. */
const beginning = new Date('2024-01-01T00:00:00.000Z');

/** Read once a process; nobody changes them. */
const rules = await loadRules(rulesDir);
/** What a first start puts in force. */
const shipped = newestBundle(rules).versions;

export function shippedVersion(name: DocumentName): number {
  const version = shipped[name];
  if (version === undefined) throw new Error(`no rule document ${name} is shipped`);
  return version;
}

/** `BND@2`: how results name the document of an engine's family. */
export const shippedStamp = (family: string, newer = 0): string =>
  `${family.toUpperCase()}@${shippedVersion(`${family}/${family}`) + newer}`;

/** Hundreds of session blueprints: those who ask for them install them. */
const without = capabilities.filter(({ name }) => name !== 'session-blueprints');

export const installShippedRules = (owner: Db, activeFrom: Date = beginning): Promise<void> =>
  installAll(owner, activeFrom, without);

/** With the session blueprints, as a start does. */
export const installEverything = (owner: Db, activeFrom: Date = beginning): Promise<void> =>
  installAll(owner, activeFrom, capabilities);

async function installAll(owner: Db, activeFrom: Date, seeding: typeof capabilities): Promise<void> {
  await inContext(owner, 'SUPER', (trx) => install(trx, rules, activeFrom, seeding));
}
