// What a start of the service does about the demo: makes it where it is missing, and says who may sign in.

import type { Services } from '../kernel/services.ts';
import { User } from '../people/index.ts';
import { type Db, inContext } from '../platform/db.ts';
import { demo, demoPassword, emailOf, sandbox } from './logins.ts';
import { seedDemo } from './seed.ts';

const linesEvery = 20;

/** Before background work runs. `write` takes text with its line ends. */
export async function prepareDemo(services: Services, write: (text: string) => void): Promise<void> {
  await seedDemo(services, {
    onProgress: (done, total) => {
      if (done % linesEvery === 0 || done === total) write(`Seeding the demo … ${done}/${total} students\n`);
    },
  });
  const people = ['admin', 'manager', 'principal1', 'teacher1', 'parent1', 'student1'];
  write(`Sandbox logins: ${people.map((key) => emailOf(key, sandbox)).join(', ')}; password ${demoPassword}\n`);
}

/** Whether somebody could sign in with the password that everybody knows, from this start or an earlier one. */
export async function demoLoginsExist(db: Db): Promise<boolean> {
  const emails = [demo, sandbox].map((spec) => emailOf('admin', spec));
  const found = await inContext(db, 'SUPER', async (trx) =>
    User.query(trx).whereIn('email', emails).findOne({ status: 'active' }).select('id'),
  );
  return found !== undefined;
}
