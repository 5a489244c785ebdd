// Connections to PostgreSQL, and the tenant context without which no tenant row is visible.
import knex from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import { pairPools, platformUrl, poolsOf, splitPoolSize } from './connections/pools.ts';
import { knowsKey, learnKey, proofOf } from './connections/proof.ts';
import { pooledSettings, startOf } from './connections/session.ts';
import { setTypeParsers } from './connections/values.ts';
import { nativeError, tooManyConnections, unwritable } from './database-errors.ts';
import { withoutPlatform } from './pure/platform-organization.ts';
import { isPlanLost, keepPlans } from './statements/kept-plans.ts';
import { nameOrganization, namesOne } from './statements/tenant-statements.ts';
import { type Timeouts, usualTimeouts } from './timeouts.ts';
import { beginWith } from './transactions/begin.ts';
import type { Db, Trx } from './trx.ts';

export type { Db, Trx } from './trx.ts';

/** Whose rows a unit of work may see: one organization's, or every one's (backoffice, sign-in, relay). */
export type TenantContext = { readonly organizationId: string } | 'SUPER';

/** The role that requests and jobs run as, with one organization in sight: owns nothing, bypasses no policy. */
export const runtimeRole = 'literacy_app';
/** That of a transaction that needs every organization, on a login of its own: owns nothing, bypasses no policy. */
export const platformRole = 'literacy_platform';

setTypeParsers();

export interface DbOptions {
  /** Of both logins together. */
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

/** Statements that do not wait for each other's rows travel together. */
const together = { pipeline: true } as const;

/**
 * Names are camelCase in code and snake_case in the database, for models and plain queries alike. A login that neither acts
 * as a role nor is the owner's has the platform's beside it.
 */
export function connect(url: string, options: DbOptions = {}): Db {
  const { poolSize = 10 } = options;
  if (options.asOwner || options.actAs !== undefined) {
    const db = open(connectionTo(url, options), poolSize);
    if (options.asOwner) ownersConnections.add(db.client.config);
    return pairPools(db, db);
  }
  const sizes = splitPoolSize(poolSize);
  return pairPools(
    open(connectionTo(url, options), sizes.tenants),
    open(connectionTo(platformUrl(url), options), sizes.platform),
  );
}

function connectionTo(url: string, options: DbOptions): Connection {
  const { timeouts = usualTimeouts, statementTimeoutMs = timeouts.statementMs } = options;
  return {
    connectionString: url,
    connectionTimeoutMillis: timeouts.acquireMs,
    ...together,
    ...(!options.pooled && startOf(options.actAs, statementTimeoutMs, timeouts)),
  };
}

const isPooled = (db: Db): boolean => db.client.config.connection.options === undefined;

/** Settings of the driver, plain enough to be handed to a thread. */
export type Connection = Readonly<Record<string, string | number | boolean>>;

/** How the connections of the run-time role were made. */
export const connectionOf = (db: Db): Connection => poolsOf(db).tenants.client.config.connection;

/** Plain enough to be handed to a thread; without `platform`, one login does both. */
export interface Connections {
  readonly tenants: Connection;
  readonly platform?: Connection;
}

export function connectionsOf(db: Db): Connections {
  const { tenants, platform } = poolsOf(db);
  return {
    tenants: connectionOf(tenants),
    ...(platform !== tenants && { platform: platform.client.config.connection }),
  };
}

/** Connections like others of this process, for another thread of it. */
export function connectInThread({ tenants, platform }: Connections): Db {
  const db = open(tenants, connectionsOfThread);
  return pairPools(db, platform === undefined ? db : open(platform, 1));
}

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
  return beginIn(db, context, true, work).catch(refuseOwnWrite);
}

/** A write in a transaction of ours that reads is a defect of ours: it does not say that the database takes no writes. */
function refuseOwnWrite(error: unknown): never {
  throw unwritable(error) === 'read_only' ? new Error('a read wrote', { cause: error }) : error;
}

/**
 * The same for readings over many rows: statements are planned for any values. For an organization that came after the
 * newest statistics the planner expects one row, and would walk all that it has for each student.
 */
export const bulkReadingIn =
  (db: Db, context: TenantContext): Reading =>
  (work) =>
    beginIn(db, context, true, work, { plan_cache_mode: 'force_generic_plan' });

/**
 * A transaction of one organization on the platform's login: what it does may go on in another context (`enterContext`).
 * For jobs that write for one organization and for the platform at once.
 */
export const onPlatform = <T>(db: Db, context: TenantContext, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inContext(poolsOf(db).platform, context, work);

/** A read in the context of all organizations beside an open transaction, which sees one and cannot see more. */
export const besides = <T>(trx: Trx, work: (reader: Trx) => Promise<T>): Promise<T> =>
  ownersConnections.has(trx.client.config) ? work(trx) : inReadOnlyContext(poolsOf(trx).platform, 'SUPER', work);

/**
 * Sets the context of a transaction that is already open. Both end with it: the setting and the role. One that began in one
 * organization's context, on the login of requests and jobs, cannot go on in another one.
 */
export async function enterContext(trx: Trx, context: TenantContext): Promise<void> {
  if (!ownersConnections.has(trx.client.config) && !knowsKey(trx)) {
    await trx.raw("select set_config('role', ?, true)", [platformRole]);
    await learnKey(trx);
  }
  const settings = Object.entries(contextSettings(trx, context));
  await trx.raw(`select ${settings.map(() => 'set_config(?, ?, true)').join(', ')}`, settings.flat());
  await nameIts(trx, context);
}

async function beginIn<T>(
  from: Db,
  context: TenantContext,
  readOnly: boolean,
  work: (trx: Trx) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const db = context === 'SUPER' ? poolsOf(from).platform : from;
  if (context !== 'SUPER' && !ownersConnections.has(db.client.config) && !knowsKey(db)) await readKey(db);
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

const readKey = (db: Db): Promise<void> =>
  beginWith(poolsOf(db).platform, { role: platformRole }, { readOnly: true }, learnKey);

function contextSettings(db: Db, context: TenantContext): Readonly<Record<string, string>> {
  const [organizationId, role] = context === 'SUPER' ? ['', platformRole] : [context.organizationId, runtimeRole];
  const named = { ...(isPooled(db) && pooledSettings), 'app.organization_id': organizationId };
  if (ownersConnections.has(db.client.config)) return named;
  return { ...named, 'app.proof': context === 'SUPER' ? '' : proofOf(db, organizationId), role };
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
