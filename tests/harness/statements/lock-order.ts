// Checks in which order transactions take the locks of `src/core/platform/locks.ts`. A transaction that takes an
// earlier lock while it holds a later one fails the test file, also when the lock comes with a write or a foreign key.
import type { Db } from '#core/platform/db.ts';
import { lockNames, lockNumbers, lockOrder, lockTables, removalSpan } from '#core/platform/locks.ts';

interface Query {
  readonly __knexUid: string;
  readonly sql: string;
  readonly bindings?: readonly unknown[];
}

/** `asked`, `remove`: by its own statement. `refer`: by a row that refers to it. `tried`: without waiting. */
type Way = 'asked' | 'remove' | 'tried' | 'write' | 'refer';
interface Taken {
  readonly way: Way;
  readonly lock: string;
  /** The statement with its values. Repeating it takes the same locks. */
  readonly statement?: string;
}

type References = ReadonlyMap<string, readonly string[]>;

export interface LockWatch {
  /** Throws an Error that lists the transactions that broke the order so far. */
  check(owner: Db): Promise<void>;
}

export function watchLocks(watched: readonly Db[]): LockWatch {
  const open = new Map<string, Taken[]>();
  const seen = new Map<string, readonly Taken[]>();
  const look = ({ __knexUid: connection, sql, bindings = [] }: Query) => {
    if (/^begin\b/i.test(sql)) open.set(connection, []);
    const taken = open.get(connection);
    if (taken && !lockFree.has(sql)) taken.push(...locksOf(sql, bindings));
    if (!/^(commit|rollback)\b(?! to)/i.test(sql)) return;
    open.delete(connection);
    if (taken?.some(isFounding)) return;
    if (taken && taken.length > 0) seen.set(signatureOf(taken), taken);
  };
  for (const db of watched) db.on('query', look);
  return {
    async check(owner) {
      const references = await referencesOf(owner);
      const broken = new Set([...seen.values()].flatMap((taken) => breachesOf(taken, references)));
      if (broken.size > 0) throw new Error(`Locks out of order:\n${[...broken].join('\n')}`);
    },
  };
}

/** Statements that take no lock whatever their values: most statements, sent repeatedly. */
const lockFree = new Set<string>();

function locksOf(sql: string, bindings: readonly unknown[]): Taken[] {
  const found = locksIn(sql, bindings);
  if (found.length === 0) lockFree.add(sql);
  return found;
}

/**
 * A transaction that creates a school with its people (the demo) has no conflicts, because no other transaction sees
 * its rows.
 */
const isFounding = ({ way, lock }: Taken): boolean => way === 'refer' && lock === 'school';

/** Transactions that differ only in values and repeat nothing are checked once. */
const signatureOf = (taken: readonly Taken[]): string => {
  const statements = taken.map(({ statement }) => statement);
  const repeats = statements.map((statement) => statement !== undefined && statements.indexOf(statement));
  return JSON.stringify(taken.map(({ way, lock }, at) => [way, lock, repeats[at]]));
};

const rank = new Map<string, number>(lockOrder.map(([name], place) => [name, place]));
const byTable = new Map<string, string>(
  Object.entries(lockTables).flatMap(([name, tables]) => tables.map((table) => [table, name] as const)),
);

/** Returns the locks of a statement. Tables without a lock are recorded as `insert into x` for their foreign keys. */
export function locksIn(sql: string, bindings: readonly unknown[]): Taken[] {
  const advisory = /pg_(try_)?advisory_xact_lock/.exec(sql);
  if (advisory) return [{ way: advisory[1] ? 'tried' : 'asked', lock: advisoryLock(bindings) }];
  const taken: Taken[] = [];
  const asked = /\bfor (?:update|no key update|share|key share)\b(?: of "?(\w+)"?)?( skip locked)?/i.exec(sql);
  if (asked) {
    const statement = `${sql} ${JSON.stringify(bindings)}`;
    taken.push({ way: wayOf(asked), lock: lockedTable(sql, asked[1]), statement });
  }
  for (const [, table = ''] of sql.matchAll(
    /\b(?:update|delete from)\s+"?(\w+)"?(?:\s+(?:as\s+)?\w+)?\s+(?:set|where)\b/gi,
  )) {
    const lock = byTable.get(table);
    if (lock !== undefined) taken.push({ way: 'write', lock });
  }
  for (const [, table = ''] of sql.matchAll(/\binsert into\s+"?(\w+)"?/gi)) {
    const lock = byTable.get(table);
    if (lock !== undefined && /\bon conflict\b.*\bdo update\b/is.test(sql)) taken.push({ way: 'write', lock });
    taken.push({ way: 'refer', lock: table });
  }
  return taken;
}

const wayOf = ([words, , skipping]: RegExpExecArray): Way => {
  if (skipping) return 'tried';
  return words.toLowerCase().startsWith('for update') ? 'remove' : 'asked';
};

function advisoryLock([binding]: readonly unknown[]): string {
  const number = Object.entries(lockNumbers).find(([, value]) => value === binding);
  const text = String(Array.isArray(binding) ? binding[0] : binding);
  const words = Object.entries(lockNames).find(([, value]) => text.startsWith(value));
  return (number ?? words)?.[0] ?? `an advisory lock in no list (${text})`;
}

/** Returns the table of the innermost `from` before the match, or the table that the alias after `of` refers to. */
function lockedTable(sql: string, alias: string | undefined): string {
  const before = sql.slice(0, sql.search(/\bfor (?:update|no key update|share|key share)\b/i));
  const tables = [...before.matchAll(/\b(?:from|join)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(\w+)"?)?/gi)];
  const found = tables.findLast(([, table, name]) => alias === undefined || name === alias || table === alias);
  const table = found?.[1] ?? '?';
  return byTable.get(table) ?? `rows of ${table}, which are in no list`;
}

function breachesOf(taken: readonly Taken[], references: References): string[] {
  const held = new Set<string>();
  /**
   * Owners of inserted rows. Other transactions do not see these rows, so later writes and references are attributed to
   * them.
   */
  const made = new Set<string>();
  const ways = new Set<Way>();
  const statements = new Set<string>();
  return taken.flatMap((one) => {
    if (one.way === 'refer') {
      const found = referenceBreaches(one, references, new Set([...held, ...made]));
      made.add(byTable.get(one.lock) ?? '');
      return found;
    }
    if (one.statement !== undefined && statements.has(one.statement)) return [];
    if (one.statement !== undefined) statements.add(one.statement);
    if (one.way === 'write' && made.has(one.lock)) return [];
    const found = [...breachOf(one, held), ...(ways.has('remove') ? straying(one) : [])];
    held.add(one.lock);
    ways.add(one.way);
    return found;
  });
}

/** A write repeats a lock that is already held. An explicit lock may be of other rows. */
function breachOf({ lock, way }: Taken, held: ReadonlySet<string>): string[] {
  const place = rank.get(lock);
  if (place === undefined) return [lock];
  if (way === 'tried' || (way === 'write' && held.has(lock))) return [];
  const later = [...held].filter((other) => (rank.get(other) ?? -1) > place);
  return later.map((other) => `${lock}${way === 'write' ? ' (by a write)' : ''} after ${other}`);
}

const [first, last] = removalSpan.map((name) => rank.get(name) ?? -1) as [number, number];
const isInSpan = (lock: string) => {
  const place = rank.get(lock) ?? -1;
  return place >= first && place <= last;
};

const straying = ({ lock, way }: Taken): string[] =>
  way === 'tried' || isInSpan(lock) ? [] : [`${lock} while something is being removed`];

/** A foreign key waits for a removal, and a removal waits for every lock held in the span. */
function referenceBreaches({ lock: table }: Taken, references: References, held: ReadonlySet<string>): string[] {
  const wanted = (references.get(table) ?? []).filter((lock) => isInSpan(lock) && !held.has(lock));
  const place = (lock: string) => rank.get(lock) ?? -1;
  return wanted.flatMap((lock) =>
    [...held]
      .filter((other) => isInSpan(other) && place(other) > place(lock))
      .map((other) => `${lock} (by a row of ${table}) after ${other}`),
  );
}

/** Table → locks of the rows that its rows refer to. */
async function referencesOf(owner: Db): Promise<References> {
  const { rows } = await owner.raw(`
    select distinct c.conrelid::regclass::text as "table", c.confrelid::regclass::text as "to"
    from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`);
  const references = new Map<string, string[]>();
  for (const { table, to } of rows as { table: string; to: string }[]) {
    const lock = byTable.get(to);
    if (lock !== undefined) references.set(table, [...(references.get(table) ?? []), lock]);
  }
  return references;
}
