// Row-level security holds only if the login behind a connection can neither own tables nor bypass row-level security.
// What counts is the session's login: the role that it acts as is set back by any statement.
import type { Logger } from 'pino';
import { ConfigError } from '../config/settings.ts';
import { type Db, runtimeRole } from '../db.ts';

/** Every role that the login is or can become, and whether one of them could pass it. */
const question = `
  select exists (
    select from pg_roles r
    where pg_has_role(session_user, r.oid, 'member') and (
      r.rolsuper or r.rolbypassrls or r.rolcreaterole
      or r.rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
      or exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p')
        and c.relnamespace in ('public'::regnamespace, 'bullmq'::regnamespace)))) as powerful`;

export interface Refusing {
  /** Say it in the log and go on. */
  readonly maySayOnly: boolean;
  readonly log: Logger;
}

export async function refusePowerfulLogin(db: Db, { maySayOnly, log }: Refusing): Promise<void> {
  const { rows } = await db.raw(question);
  if (rows[0]?.powerful === false) return;
  if (!maySayOnly) {
    throw new ConfigError(
      `The login of the run-time role must not own tables or bypass row-level security, nor be able to become one that does; set DATABASE_APP_URL to a login that has been granted ${runtimeRole}.`,
    );
  }
  log.warn(
    'the login of DATABASE_URL owns the tables and only acts as the run-time role; set DATABASE_APP_URL to another login',
  );
}
