// Connections to PostgreSQL, and the tenant context without which no tenant row is visible.
import knex, { type Knex } from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import pg from 'pg';
import { nativeError, tooManyConnections, unwritable } from './database-errors.ts';
import { withoutPlatform } from './pure/platform-organization.ts';
import { isPlanLost, keepPlans } from './statements/kept-plans.ts';
import { nameOrganization, namesOne } from './statements/tenant-statements.ts';
import { runtimeSession, sessionWith, type Timeouts, usualTimeouts } from './timeouts.ts';
import { beginWith } from './transactions/begin.ts';

export type Db = Knex;
export type Trx = Knex.Transaction;

/** Whose rows a unit of work may see: one organization's, or every one's (backoffice, sign-in, relay). */
export type TenantContext = { readonly organizationId: string } | 'SUPER';

/** The role that requests and jobs run as, with one organization in sight: owns nothing, bypasses no policy. */
export const runtimeRole = 'literacy_app';
/** What it becomes for a transaction that needs every organization: owns nothing, bypasses no policy. */
export const platformRole = 'literacy_platform';

/** Temporary tables come last, so that none can stand in front of a real one. */
export const searchPath = 'public,pg_temp';

/** Type numbers that pg does not name: `date[]`, `text[]` and `bigint[]`. */
type TypeNumber = (typeof pg.types.builtins)['DATE'];
const dateArray = 1182 as TypeNumber;
const textArray = 1009 as TypeNumber;
const bigintArray = 1016 as TypeNumber;

setTypeParsers();

/** JavaScript values that keep meaning: safe integers or an error, dates as their text, instants as ISO 8601 UTC. */
function setTypeParsers(): void {
  const { builtins, setTypeParser } = pg.types;
  const anyStringsOf = pg.types.getTypeParser(textArray);
  const stringsOf = (text: string): string[] => simpleStrings(text) ?? (anyStringsOf(text) as string[]);
  setTypeParser(builtins.INT8, safeInteger);
  setTypeParser(textArray, stringsOf);
  setTypeParser(bigintArray, (text) => stringsOf(text).map(safeInteger));
  setTypeParser(builtins.NUMERIC, Number);
  setTypeParser(builtins.DATE, (text) => text);
  setTypeParser(dateArray, stringsOf);
  setTypeParser(builtins.TIMESTAMPTZ, instants());
}

/** Most lists hold words, numbers or dates: what PostgreSQL writes without quotes needs no search for them. */
function simpleStrings(text: string): string[] | undefined {
  if (text === '{}') return [];
  return /^\{[^"\\{}]*\}$/.test(text) && !text.includes('NULL') ? text.slice(1, -1).split(',') : undefined;
}

/** Rows of one answer mostly share their moments: the one before is remembered. */
function instants(): (text: string) => string {
  let [before, instant] = ['', ''];
  return (text) => {
    if (text === before) return instant;
    instant = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();
    before = text;
    return instant;
  };
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint out of range: ${text}`);
  return value;
}

export interface DbOptions {
  readonly poolSize?: number;
  /** Act as this role from the first statement on (where the login itself owns the tables). */
  readonly actAs?: string;
  /** The owner of the tables stays the owner in every context (migrations, scripts of operators). */
  readonly asOwner?: boolean;
  /** Through a pooler in transaction mode: no session is ours, so each transaction says what it needs. */
  readonly pooled?: boolean;
  /** null: no limit, nor one for locks and idle transactions (migrations). */
  readonly statementTimeoutMs?: number | null;
  /** Default: the usual ones. */
  readonly timeouts?: Timeouts;
}

/** Settings that only the start of a session can fix; `actAs`: the role that it takes on at once. */
export const sessionOptions = (actAs?: string): string =>
  [...(actAs === undefined ? [] : [`-c role=${actAs}`]), `-c search_path=${searchPath}`].join(' ');

/** Statements that do not wait for each other's rows travel together. */
const together = { pipeline: true } as const;

/** Names are camelCase in code and snake_case in the database, for models and plain queries alike. */
export function connect(url: string, options: DbOptions = {}): Db {
  const { timeouts = usualTimeouts, statementTimeoutMs = timeouts.statementMs } = options;
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: timeouts.acquireMs,
    ...together,
    ...(!options.pooled && startOf(options.actAs, statementTimeoutMs, timeouts)),
  };
  const db = open(connection, options.poolSize ?? 10);
  if (options.asOwner) ownersConnections.add(db.client.config);
  return db;
}

/** What a pooler refuses: settings with which a session begins. */
const startOf = (actAs: string | undefined, statementMs: number | null, timeouts: Timeouts) => ({
  options: sessionOptions(actAs),
  ...(statementMs !== null && { ...sessionWith(timeouts), statement_timeout: statementMs }),
});

/** The same for a transaction. Statements without one have what `alter role … set` gives the login. */
const pooledSettings: Readonly<Record<string, string>> = {
  search_path: searchPath,
  ...Object.fromEntries(
    Object.entries({ ...runtimeSession, statement_timeout: usualTimeouts.statementMs }).map(([name, ms]) => [
      name,
      `${ms}`,
    ]),
  ),
};

const isPooled = (db: Db): boolean => db.client.config.connection.options === undefined;

/** Settings of the driver, plain enough to be handed to a thread. */
export type Connection = Readonly<Record<string, string | number | boolean>>;

/** How these connections were made. */
export const connectionOf = (db: Db): Connection => db.client.config.connection;

/** Connections like others of the run-time role, for another thread of this process. */
export const connectAgain = (connection: Connection): Db => open(connection, connectionsOfThread);

const connectionsOfThread = 2;

const open = (connection: Connection, poolSize: number): Db =>
  knex({
    client: 'pg',
    connection: { ...connection },
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: Number(connection.connectionTimeoutMillis),
    ...namesAndValues(),
  });

/** Settings of knex by which a transaction is known to be the owner's. */
const ownersConnections = new WeakSet<object>();

function namesAndValues() {
  const mappers = knexSnakeCaseMappers();
  return {
    ...mappers,
    postProcessResponse(response: unknown): unknown {
      const named: unknown = mappers.postProcessResponse(response);
      return Array.isArray(named) ? named.map(withoutPlatform) : withoutPlatform(named);
    },
  };
}

/** One transaction in which exactly the rows of `context` are visible and writable. */
export function inContext<T>(db: Db, context: TenantContext, work: (trx: Trx) => Promise<T>): Promise<T> {
  return beginIn(db, context, false, work);
}

/** One short read-only transaction in one context: what is worked out with what was read comes after it. */
export type Reading = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

export const readingIn =
  (db: Db, context: TenantContext): Reading =>
  (work) =>
    inReadOnlyContext(db, context, work);

/** As inContext, in a transaction that cannot write a row (reads, previews, replays). */
export function inReadOnlyContext<T>(db: Db, context: TenantContext, work: (trx: Trx) => Promise<T>): Promise<T> {
  return beginIn(db, context, true, work);
}

/**
 * The same for readings over many rows: statements are planned for any values. For an organization that came after the
 * newest statistics the planner expects one row, and would walk all that it has for each student.
 */
export const bulkReadingIn =
  (db: Db, context: TenantContext): Reading =>
  (work) =>
    beginIn(db, context, true, work, { plan_cache_mode: 'force_generic_plan' });

/** Sets the context of a transaction that is already open. Both end with it: the setting and the role. */
export async function enterContext(trx: Trx, context: TenantContext): Promise<void> {
  const settings = Object.entries(contextSettings(trx, context));
  await trx.raw(`select ${settings.map(() => 'set_config(?, ?, true)').join(', ')}`, settings.flat());
  await nameIts(trx, context);
}

function beginIn<T>(
  db: Db,
  context: TenantContext,
  readOnly: boolean,
  work: (trx: Trx) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  return beginWith(db, { ...contextSettings(db, context), ...settings }, { readOnly }, async (trx) => {
    await nameIts(trx, context);
    // Behind a pooler the next transaction may have another session, which knows no plan by this name.
    if (!isPooled(db)) keepPlans(trx, () => namesOne(trx));
    return work(trx);
  });
}

/** Statements of a transaction name the organization of its context; the owner's are as they are written. */
async function nameIts(trx: Trx, context: TenantContext): Promise<void> {
  if (ownersConnections.has(trx.client.config)) return;
  await nameOrganization(trx, context === 'SUPER' ? null : context.organizationId);
}

function contextSettings(db: Db, context: TenantContext): Readonly<Record<string, string>> {
  const [organizationId, role] = context === 'SUPER' ? ['', platformRole] : [context.organizationId, runtimeRole];
  const isOwners = ownersConnections.has(db.client.config);
  return { ...(isPooled(db) && pooledSettings), 'app.organization_id': organizationId, ...(!isOwners && { role }) };
}

/** PostgreSQL's name of a violated constraint, or undefined when the error is something else. */
export function violatedConstraint(error: unknown): string | undefined {
  const native = nativeError(error);
  if (!(native instanceof Error) || !('code' in native) || !('constraint' in native)) return undefined;
  return String(native.code).startsWith('23') ? String(native.constraint) : undefined;
}

/** Sockets that fail; PostgreSQL stopping or without a connection; and its two timeouts of `runtimeSession`, where trying again helps. */
const downCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'],
  ...['57P01', '57P02', '57P03', tooManyConnections, '55P03', '25P03'],
]);

/** True for errors that say "the database cannot be reached, is going away or is full", not "the statement is wrong". */
export function isDatabaseDown(thrown: unknown): boolean {
  const error = nativeError(thrown);
  if (!(error instanceof Error)) return false;
  if (unwritable(error) !== undefined) return true;
  if (error.name === 'KnexTimeoutError' || error.name === 'AggregateError') return true;
  const code = 'code' in error ? String(error.code) : '';
  return (
    isPlanLost(error) ||
    downCodes.has(code) ||
    code.startsWith('08') ||
    /Connection (terminated|ended)|connection error and is not queryable|timeout exceeded when trying to connect/i.test(
      error.message,
    )
  );
}
