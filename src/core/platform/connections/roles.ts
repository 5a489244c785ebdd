// The SQL that an administrator of PostgreSQL runs once, before or after the first migration: roles and logins, without
// passwords. Each statement may be repeated.
import pg from 'pg';
import { platformRole, runtimeRole } from '../db.ts';
import { runtimeSession, usualTimeouts } from '../timeouts.ts';
import { platformUrl } from './pools.ts';
import { searchPath } from './session.ts';

export interface LoginUrls {
  readonly databaseUrl?: string | undefined;
  readonly databaseAppUrl?: string | undefined;
}

/** Returns the SQL. Logins are named as in the URLs that are set. */
export function rolesSql({ databaseUrl, databaseAppUrl }: LoginUrls): string {
  const appUrl = databaseAppUrl || 'postgres://literacy_run@localhost/literacy';
  const [owner, app, platform, backup] = [
    userOf(databaseUrl || 'postgres://literacy_owner@localhost/literacy'),
    userOf(appUrl),
    userOf(platformUrl(appUrl)),
    'literacy_backup',
  ];
  return [
    '-- Run in the database of the service, as an administrator. Then give each login its password; the platform’s has that',
    '-- of the run-time login.',
    ...[runtimeRole, platformRole].map((role) => createRole(role, 'nologin noinherit')),
    '-- Migrations run as the owner.',
    createRole(owner, 'login createrole'),
    `grant ${runtimeRole}, ${platformRole} to ${named(owner)} with admin option;`,
    `do $$ begin execute format('alter database %I owner to %I', current_database(), ${quoted(owner)}); end $$;`,
    '-- Requests and jobs: one organization at a time.',
    createRole(app, 'login'),
    `grant ${runtimeRole} to ${named(app)};`,
    ...settingsOf(app),
    '-- Sign-in, the relay and the backoffice: DATABASE_APP_URL names it too, by the name before `_platform`.',
    createRole(platform, 'login noinherit'),
    `grant ${runtimeRole}, ${platformRole} to ${named(platform)};`,
    ...settingsOf(platform),
    '-- Backups: reads everything, writes nothing.',
    createRole(backup, 'login bypassrls connection limit 3'),
    `grant pg_read_all_data to ${named(backup)};`,
    `alter role ${named(backup)} set default_transaction_read_only = on;`,
    '',
  ].join('\n');
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username);
const named = (role: string): string => pg.escapeIdentifier(role);
const quoted = (text: string): string => pg.escapeLiteral(text);

/** Returns SQL that creates a role if it does not exist. */
const createRole = (role: string, attributes: string): string =>
  `do $$ begin if not exists (select from pg_roles where rolname = ${quoted(role)}) then create role ${named(role)} ${attributes}; end if; end $$;`;

const settingsOf = (role: string): string[] => [
  `alter role ${named(role)} set search_path = ${searchPath};`,
  ...Object.entries({ statement_timeout: usualTimeouts.statementMs, ...runtimeSession }).map(
    ([name, milliseconds]) => `alter role ${named(role)} set ${name} = ${milliseconds};`,
  ),
];
