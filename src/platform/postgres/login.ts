// The run-time role of the embedded server logs in by itself, so that no connection of requests or jobs was ever the
// superuser's, whatever a statement sets back.
import { type Db, runtimeRole, searchPath } from '../db.ts';
import { acquireLock } from '../locks.ts';
import { runtimeSession } from '../timeouts.ts';

/** `password`: of our own making, without quotes. */
export function letRuntimeRoleLogIn(owner: Db, password: string): Promise<void> {
  return owner.transaction(async (trx) => {
    await acquireLock(trx, 'migration');
    await trx.raw(`alter role ${runtimeRole} login password '${password}'`);
    for (const [name, milliseconds] of Object.entries(runtimeSession))
      await trx.raw(`alter role ${runtimeRole} set ${name} = ${milliseconds}`);
    await trx.raw(`alter role ${runtimeRole} set search_path = ${searchPath}`);
  });
}
