// Row-level security is effective only if the login of a connection can neither own tables nor bypass row-level security, nor
// become the platform's role. The login of the session decides: any statement can reset the role that it acts as.
import type { Logger } from 'pino';
import { ConfigError } from '../config/settings.ts';
import { type Db, platformRole, runtimeRole } from '../db.ts';
import { printRolesHint } from './login.ts';

/**
 * Examines every role that the login is or can become. A login without the run-time role can do nothing, and every request would
 * fail. Until `migrate -- --contract` has run, the run-time role itself can become the platform's.
 */
const privilegesQuery = `
  select pg_has_role(session_user, '${runtimeRole}', 'member') as serves,
    pg_has_role(session_user, '${platformRole}', 'member') as widens,
    pg_has_role('${runtimeRole}', '${platformRole}', 'member') as awaited,
    exists (select from pg_roles r
      where pg_has_role(session_user, r.oid, 'member') and (
        r.rolsuper or r.rolbypassrls or r.rolcreaterole
        or r.rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
        or exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p')
          and c.relnamespace in ('public'::regnamespace, 'bullmq'::regnamespace)))) as powerful`;

interface Privileges {
  readonly serves: boolean;
  readonly widens: boolean;
  readonly awaited: boolean;
  readonly powerful: boolean;
}

export interface LoginPolicy {
  /** Warn about a powerful login in the log instead of refusing it. */
  readonly warnOnly: boolean;
  readonly log: Logger;
}

/** Throws ConfigError for a login that has too many privileges, or lacks the run-time role. */
export async function requireUnprivilegedLogin(db: Db, { warnOnly, log }: LoginPolicy): Promise<void> {
  const { rows } = await db.raw(privilegesQuery);
  const { serves, widens, awaited, powerful }: Privileges = rows[0];
  if (powerful && warnOnly) {
    log.warn(
      'the login of DATABASE_URL owns the tables and only acts as the run-time role; set DATABASE_APP_URL to another login',
    );
    return;
  }
  if (powerful) {
    throw new ConfigError(
      `The login of the run-time role must not own tables or bypass row-level security, nor be able to become one that does; set DATABASE_APP_URL to a login that has been granted ${runtimeRole}.`,
    );
  }
  if (!serves)
    throw new ConfigError(`DATABASE_APP_URL: this login has not been granted ${runtimeRole}; ${printRolesHint}.`);
  if (widens && !awaited)
    throw new ConfigError(`DATABASE_APP_URL: this login must not be granted ${platformRole}; ${printRolesHint}.`);
  if (widens)
    log.warn(
      'the run-time role can still become the platform’s; npm run migrate -- --contract ends it, see docs/operations/logins.md',
    );
}
