// Prepares the demo at a start of the service: creates it when missing, and prints the logins.

import type { Services } from '#core/module/services.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { hashPassword, Organization, User } from '#identity/people/index.ts';
import { type DemoSpec, demo, demoEmail, demoPassword, passwordOf, sandbox } from './logins.ts';
import { seedDemo } from './seed.ts';

const linesEvery = 20;

/** Must run before background work. `write` gets text with line ends. */
export async function prepareDemo(services: Services, write: (text: string) => void): Promise<void> {
  const { config } = services;
  await seedDemo(services, {
    specs: config.production ? [demo] : [demo, sandbox],
    onProgress: (done, total) => {
      if (done % linesEvery === 0 || done === total) write(`Seeding the demo … ${done}/${total} students\n`);
    },
  });
  if (config.production) return setPassword(services, demo);
  const people = ['admin', 'manager', 'principal1', 'teacher1', 'parent1', 'student1'];
  write(`Sandbox logins: ${people.map((key) => demoEmail(key, sandbox)).join(', ')}; password ${demoPassword}\n`);
}

/** Sets the configured password for all accounts of the organization that have one. */
async function setPassword({ db, config }: Services, { slug }: DemoSpec): Promise<void> {
  const passwordHash = await hashPassword(passwordOf(config));
  const organization = await inContext(db, 'SUPER', async (trx) =>
    Organization.query(trx).findOne({ slug, isDemo: true }),
  );
  if (!organization) return;
  const { id: organizationId } = organization;
  await inContext(db, { organizationId }, async (trx) =>
    User.query(trx).where({ organizationId }).whereNotNull('passwordHash').patch({ passwordHash }),
  );
}

/** Returns whether accounts with the public password exist, from this start or an earlier one. */
export const demoLoginsExist = (db: Db): Promise<boolean> => loginsExist(db, [demo, sandbox]);

/** Returns whether accounts of the writable sandbox exist. */
export const sandboxLoginsExist = (db: Db): Promise<boolean> => loginsExist(db, [sandbox]);

async function loginsExist(db: Db, specs: readonly DemoSpec[]): Promise<boolean> {
  const emails = specs.map((spec) => demoEmail('admin', spec));
  const found = await inContext(db, 'SUPER', async (trx) =>
    User.query(trx).whereIn('email', emails).findOne({ status: 'active' }).select('id'),
  );
  return found !== undefined;
}
