// Row-level security holds only if the login behind a connection can neither own tables nor bypass row-level security, nor
// become the platform's role. What counts is the session's login: the role that it acts as is set back by any statement.
import type { Logger } from 'pino';
import { ConfigError } from '../config/settings.ts';
import { type Db, platformRole, runtimeRole } from '../db.ts';
import { wayOut } from './login.ts';

/**
 * Every role that the login is or can become, and whether one of them could pass it. A login that lacks the run-time role
 * can do nothing, and says so in every answer. Until `migrate -- --contract` has run, that role itself becomes the platform's.
 */
const question = `
  select pg_has_role(session_user, '${runtimeRole}', 'member') as serves,
    pg_has_role(session_user, '${platformRole}', 'member') as widens,
    pg_has_role('${runtimeRole}', '${platformRole}', 'member') as awaited,
    exists (select from pg_roles r
      where pg_has_role(session_user, r.oid, 'member') and (
        r.rolsuper or r.rolbypassrls or r.rolcreaterole
        or r.rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
        or exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p')
          and c.relnamespace in ('public'::regnamespace, 'bullmq'::regnamespace)))) as powerful`;

interface Answer {
  readonly serves: boolean;
  readonly widens: boolean;
  readonly awaited: boolean;
  readonly powerful: boolean;
}

export interface Refusing {
  /** Say it in the log and go on. */
  readonly maySayOnly: boolean;
  readonly log: Logger;
}

/** Throws ConfigError for a login that can do too much, or nothing. */
export async function refuseUnfitLogin(db: Db, { maySayOnly, log }: Refusing): Promise<void> {
  const { rows } = await db.raw(question);
  const { serves, widens, awaited, powerful }: Answer = rows[0];
  if (powerful && maySayOnly) {
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
  if (!serves) throw new ConfigError(`DATABASE_APP_URL: this login has not been granted ${runtimeRole}; ${wayOut}.`);
  if (widens && !awaited)
    throw new ConfigError(`DATABASE_APP_URL: this login must not be granted ${platformRole}; ${wayOut}.`);
  if (widens)
    log.warn(
      'the run-time role can still become the platform’s; npm run migrate -- --contract ends it, see docs/operations/logins.md',
    );
}
