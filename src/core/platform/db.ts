// Connections to PostgreSQL, and the tenant context without which no tenant row is visible.
import knex from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import { pairPools, platformUrl, poolsOf, splitPoolSize } from './connections/pools.ts';
import { hasContextKey, loadContextKey, proofOf } from './connections/proof.ts';
import { pooledSettings, startParameters } from './connections/session.ts';
import { setTypeParsers } from './connections/values.ts';
import { nativeError, tooManyConnections, unwritable } from './database-errors.ts';
import { withoutPlatform } from './pure/platform-organization.ts';
import { noteFailures } from './statements/failed-statements.ts';
import { isPlanLost, keepPlans } from './statements/kept-plans.ts';
import { isOfOneOrganization, setStatementOrganization } from './statements/tenant-statements.ts';
import { type Timeouts, usualTimeouts } from './timeouts.ts';
import { beginWith } from './transactions/begin.ts';
import type { Db, Trx } from './trx.ts';

export type { Db, Trx } from './trx.ts';

/** The rows that a unit of work may see: those of one organization, or all (backoffice, sign-in, relay). */
export type TenantContext = { readonly organizationId: string } | 'SUPER';

/** The role of requests and jobs, which see one organization. It owns no table and bypasses no policy. */
export const runtimeRole = 'literacy_app';
/** The role of transactions that need every organization, on a login of its own. It owns no table and bypasses no policy. */
export const platformRole = 'literacy_platform';

setTypeParsers();

export interface DbOptions {
  /** The connections of both logins together. */
  readonly poolSize?: number;
  /** The role that sessions assume at their start, if the login itself owns the tables. */
  readonly actAs?: string;
  /** The login remains the owner of the tables in every context (migrations, scripts of operators). */
  readonly asOwner?: boolean;
  /** The URL leads to a pooler in transaction mode, so each transaction sets what a session otherwise would. */
  readonly pooled?: boolean;
  /** null removes all timeouts, also those of locks and idle transactions (migrations). */
  readonly statementTimeoutMs?: number | null;
  /** Default: `usualTimeouts`. */
  readonly timeouts?: Timeouts;
}

/** Independent statements are pipelined. */
const pipelined = { pipeline: true } as const;

/**
 * Opens the connection pools. Names are camelCase in code and snake_case in the database, for models and plain queries alike.
 * Unless the login acts as a role or is the owner's, the platform's login gets a pool of its own.
 */
export function connect(url: string, options: DbOptions = {}): Db {
  const { poolSize = 10 } = options;
  if (options.asOwner || options.actAs !== undefined) {
    const db = open(connectionTo(url, options), poolSize);
    if (options.asOwner) ownerConnections.add(db.client.config);
    return pairPools(db, db);
  }
  const sizes = splitPoolSize(poolSize);
  return pairPools(
    open(connectionTo(url, options), sizes.tenants),
    open(connectionTo(platformUrl(url), options), sizes.platform),
  );
}

function connectionTo(url: string, options: DbOptions): ConnectionSettings {
  const { timeouts = usualTimeouts, statementTimeoutMs = timeouts.statementMs } = options;
  return {
    connectionString: url,
    connectionTimeoutMillis: timeouts.acquireMs,
    ...pipelined,
    ...(!options.pooled && startParameters(options.actAs, statementTimeoutMs, timeouts)),
  };
}

const isPooled = (db: Db): boolean => db.client.config.connection.options === undefined;

/** Settings of the driver, which can be cloned into a thread. */
export type ConnectionSettings = Readonly<Record<string, string | number | boolean>>;

/** Returns the connection settings of the run-time role. */
export const connectionOf = (db: Db): ConnectionSettings => poolsOf(db).tenants.client.config.connection;

/** Connection settings of both logins, which can be cloned into a thread; without `platform`, one login serves both. */
export interface Connections {
  readonly tenants: ConnectionSettings;
  readonly platform?: ConnectionSettings;
}

export function connectionsOf(db: Db): Connections {
  const { tenants, platform } = poolsOf(db);
  return {
    tenants: connectionOf(tenants),
    ...(platform !== tenants && { platform: platform.client.config.connection }),
  };
}

/** Opens connections in another thread of this process. */
export function connectInThread({ tenants, platform }: Connections): Db {
  const db = open(tenants, connectionsOfThread);
  return pairPools(db, platform === undefined ? db : open(platform, 1));
}

const connectionsOfThread = 2;

function open(connection: ConnectionSettings, poolSize: number): Db {
  const pool = knex({
    client: 'pg',
    connection: { ...connection },
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: Number(connection.connectionTimeoutMillis),
    ...conversions(),
  });
  noteFailures(pool);
  return pool;
}

/** Settings of pools that belong to the owner; a transaction is recognized by them. */
const ownerConnections = new WeakSet<object>();

function conversions() {
  const mappers = knexSnakeCaseMappers();
  return {
    ...mappers,
    postProcessResponse(response: unknown): unknown {
      const named: unknown = mappers.postProcessResponse(response);
      return Array.isArray(named) ? named.map(withoutPlatform) : withoutPlatform(named);
    },
  };
}

/** Runs `work` in one transaction in which exactly the rows of `context` are visible and writable. */
export function inContext<T>(db: Db, context: TenantContext, work: (trx: Trx) => Promise<T>): Promise<T> {
  return beginIn(db, context, false, work);
}

/** Runs `work` in a short read-only transaction. Computation on what was read happens after it. */
export type ReadTransaction = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

export const readTransactionIn =
  (db: Db, context: TenantContext): ReadTransaction =>
  (work) =>
    inReadOnlyContext(db, context, work);

/** Runs `work` as `inContext` does, in a read-only transaction (reads, previews, replays). */
export function inReadOnlyContext<T>(db: Db, context: TenantContext, work: (trx: Trx) => Promise<T>): Promise<T> {
  return beginIn(db, context, true, work).catch(refuseOwnWrite);
}

/** A write in a read-only transaction is a defect of ours and does not mean that the database accepts no writes. */
function refuseOwnWrite(error: unknown): never {
  throw unwritable(error) === 'read_only' ? new Error('a read-only transaction wrote', { cause: error }) : error;
}

/**
 * Returns a reader for many rows, whose statements are planned for any values. For an organization that is newer than the
 * statistics the planner would expect one row and scan all of its rows for each student.
 */
export const bulkReadingIn =
  (db: Db, context: TenantContext): ReadTransaction =>
  (work) =>
    beginIn(db, context, true, work, { plan_cache_mode: 'force_generic_plan' });

/**
 * Runs `work` in a transaction on the platform's login, which may switch to another context (`enterContext`): for jobs that
 * write for one organization and for the platform at once.
 */
export const onPlatform = <T>(db: Db, context: TenantContext, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inContext(poolsOf(db).platform, context, work);

/** Runs a read in the context of all organizations beside an open transaction of one organization, which cannot see more. */
export const besides = <T>(trx: Trx, work: (reader: Trx) => Promise<T>): Promise<T> =>
  ownerConnections.has(trx.client.config) ? work(trx) : inReadOnlyContext(poolsOf(trx).platform, 'SUPER', work);

/**
 * Sets the context of an open transaction: the setting and the role, both until its end. A transaction of one organization on
 * the login of requests and jobs cannot switch to another one.
 */
export async function enterContext(trx: Trx, context: TenantContext): Promise<void> {
  if (!ownerConnections.has(trx.client.config) && !hasContextKey(trx)) {
    await trx.raw("select set_config('role', ?, true)", [platformRole]);
    await loadContextKey(trx);
  }
  const settings = Object.entries(contextSettings(trx, context));
  await trx.raw(`select ${settings.map(() => 'set_config(?, ?, true)').join(', ')}`, settings.flat());
  await scopeStatements(trx, context);
}

async function beginIn<T>(
  from: Db,
  context: TenantContext,
  readOnly: boolean,
  work: (trx: Trx) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const db = context === 'SUPER' ? poolsOf(from).platform : from;
  if (context !== 'SUPER' && !ownerConnections.has(db.client.config) && !hasContextKey(db)) await readKey(db);
  return beginWith(db, { ...contextSettings(db, context), ...settings }, { readOnly }, async (trx) => {
    await scopeStatements(trx, context);
    // Behind a pooler the next transaction may have another session, which does not have the plan.
    if (!isPooled(db)) keepPlans(trx, () => isOfOneOrganization(trx));
    return work(trx);
  });
}

/** Makes statements of the transaction name the organization of its context, except those of the owner. */
async function scopeStatements(trx: Trx, context: TenantContext): Promise<void> {
  if (ownerConnections.has(trx.client.config)) return;
  await setStatementOrganization(trx, context === 'SUPER' ? null : context.organizationId);
}

const readKey = (db: Db): Promise<void> =>
  beginWith(poolsOf(db).platform, { role: platformRole }, { readOnly: true }, loadContextKey);

function contextSettings(db: Db, context: TenantContext): Readonly<Record<string, string>> {
  const [organizationId, role] = context === 'SUPER' ? ['', platformRole] : [context.organizationId, runtimeRole];
  const named = { ...(isPooled(db) && pooledSettings), 'app.organization_id': organizationId };
  if (ownerConnections.has(db.client.config)) return named;
  return { ...named, 'app.proof': context === 'SUPER' ? '' : proofOf(db, organizationId), role };
}

/** Returns the name of the violated constraint, or undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  const native = nativeError(error);
  if (!(native instanceof Error) || !('code' in native) || !('constraint' in native)) return undefined;
  return String(native.code).startsWith('23') ? String(native.constraint) : undefined;
}

/**
 * Failing sockets; PostgreSQL stopping or without a free connection; and the two timeouts of `runtimeSession` after which a
 * retry helps.
 */
const downCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'],
  ...['57P01', '57P02', '57P03', tooManyConnections, '55P03', '25P03'],
]);

/** Returns whether the error means that the database is unreachable, stopping or full, and not that the statement is wrong. */
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
