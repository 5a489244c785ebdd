// The run-time logins: no connection of requests or jobs is ever the superuser's, and none of a request the platform's,
// whatever a statement resets.
import pg from 'pg';
import { ConfigError } from '../config/settings.ts';
import { platformUrl } from '../connections/pools.ts';
import { searchPath } from '../connections/session.ts';
import { type Db, isDatabaseDown, platformRole, runtimeRole, type Trx } from '../db.ts';
import { acquireLock } from '../locks.ts';
import { runtimeSession } from '../timeouts.ts';

/** The part of a message that names the command for missing privileges. */
export const printRolesHint = 'npm run migrate -- --print-roles prints the SQL for an administrator';

/** Enables the login of the embedded server. `password` is generated and contains no quotes. */
export function enableRuntimeLogin(owner: Db, password: string): Promise<void> {
  return owner.transaction(async (trx) => {
    await acquireLock(trx, 'migration');
    await trx.raw(`alter role ${runtimeRole} login password '${password}'`);
    await applySessionSettings(trx, runtimeRole);
  });
}

async function applySessionSettings(trx: Trx, role: string): Promise<void> {
  for (const [name, milliseconds] of Object.entries(runtimeSession))
    await trx.raw(`alter role ${role} set ${name} = ${milliseconds}`);
  await trx.raw(`alter role ${role} set search_path = ${searchPath}`);
}

/**
 * Creates the platform's login beside that of `appUrl` if it is missing, and sets its password if that has changed. Throws
 * ConfigError if the owner may not.
 */
export async function enablePlatformLogin(owner: Db, appUrl: string): Promise<void> {
  const url = new URL(platformUrl(appUrl));
  if (await isUsable(url)) return;
  const problem = `DATABASE_APP_URL: the platform's login ${decodeURIComponent(url.username)} cannot be used`;
  await makePlatformLogin(owner, url).catch((error: unknown) => {
    if (isDatabaseDown(error)) throw error;
    throw new ConfigError(`${problem}, and the owner may not make it; ${printRolesHint}.`);
  });
  if (!(await isUsable(url))) throw new ConfigError(`${problem}: a pooler has to know it too; ${printRolesHint}.`);
}

const membershipQuery = `select pg_has_role(session_user, '${platformRole}', 'member')
  and pg_has_role(session_user, '${runtimeRole}', 'member') as serves`;

/** Returns false if the login is missing, has another password, or lacks a role. */
async function isUsable(url: URL): Promise<boolean> {
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ serves: boolean }>(membershipQuery);
    return rows[0]?.serves === true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The SQLSTATEs of PostgreSQL, and those of a pooler that does not know the login. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(28\d\d\d|28P01|08P01)$/.test(String(error.code));

const makePlatformLogin = (owner: Db, { username, password }: URL): Promise<void> =>
  owner.transaction(async (trx) => {
    await acquireLock(trx, 'migration');
    const [name, word] = [decodeURIComponent(username), decodeURIComponent(password)];
    const role = pg.escapeIdentifier(name);
    const { rows } = await trx.raw('select from pg_roles where rolname = ?', [name]);
    if (rows.length === 0) await trx.raw(`create role ${role} noinherit`);
    await trx.raw(`grant ${runtimeRole}, ${platformRole} to ${role}`);
    // A statement about roles takes no parameters.
    await trx.raw("select set_config('app.login', ?, true), set_config('app.password', ?, true)", [name, word]);
    await trx.raw(`do $$ begin execute format('alter role %I login password %L',
      current_setting('app.login'), current_setting('app.password')); end $$`);
    await applySessionSettings(trx, role);
  });
