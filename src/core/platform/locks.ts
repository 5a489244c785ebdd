// Every lock of the service, in the one order in which transactions take them, so that no two transactions deadlock. Foreign
// keys lock the referenced row as well (FOR KEY SHARE), which conflicts with the mode `remove` alone.
import type { Trx } from './db.ts';
import { rowsOf } from './sql.ts';

/** A single advisory lock. All advisory locks of PostgreSQL share one number space, so each number is used once. */
interface OneLock {
  readonly kind: 'one';
  readonly number: number;
}

/** Advisory locks with one lock per key: the key follows these words, and no words are a prefix of others. */
interface NamedLock {
  readonly kind: 'named';
  readonly words: string;
}

/** The rows of a table. Several rows of one table are locked in the order of their keys, in one statement. */
interface RowLock {
  readonly kind: 'rows';
  readonly tables: readonly string[];
}

const one = (number: number) => ({ kind: 'one', number }) as const;
const named = (words: string) => ({ kind: 'named', words }) as const;
const rows = (...tables: readonly string[]) => ({ kind: 'rows', tables }) as const;

/** The order. A transaction that holds a lock takes only later ones, and may take again what it holds. */
export const lockOrder = [
  ['migration', one(4_170_221)],
  ['bootstrap', one(4_170_222)],
  ['demoSeed', one(4_170_225)],
  /** Partitions of ledgers for a school year, which every process creates when it starts. */
  ['ledgerParts', one(4_170_229)],
  ['idempotentAnswer', named('idempotent answer ')],
  ['schedule', rows('schedule')],
  ['outbox', rows('outbox')],
  ['outboxRetry', rows('outbox_retry')],
  ['emailConflicts', named('e-mail conflicts of ')],
  ['teaserStarts', named('teaser starts of ')],
  /** Taken while the open impacts and replays are counted before one more is ordered. */
  ['jobOrders', one(4_170_226)],
  /** A benchmark that is edited is published once and is a rule document from then on. */
  ['benchmarkProfile', rows('benchmark_profile')],
  /** A change is locked before its texts are written. */
  ['ruleChange', rows('rule_change', 'rule_change_document')],
  ['activation', one(4_170_223)],
  ['narratives', named('narratives of ')],
  /** Batches of lesson blueprints, and what they publish. */
  ['blueprintBatches', one(4_170_228)],
  /** Aggregates of an organization's schools and classes, taken by the computation and by the publication. */
  ['aggregates', named('aggregates of ')],
  /** Comes before the organization into which a roster is written. */
  ['lmsConnection', rows('lms_connection')],
  ['lmsPreview', rows('lms_preview')],
  ['organization', rows('organization')],
  ['account', rows('app_user')],
  ['school', rows('school')],
  ['class', rows('class')],
  ['teaching', rows('class_teacher')],
  ['heading', rows('principal_school')],
  ['enrollment', rows('enrollment')],
  ['parentLink', rows('parent_student')],
  ['signInName', rows('sign_in_name')],
  ['quickCode', rows('quick_code')],
  ['handoffCode', rows('handoff_code')],
  ['identity', rows('external_identity')],
  ['secondFactor', rows('totp')],
  ['attempts', rows('attempt_window')],
  ['passwordRecovery', rows('password_recovery')],
  ['factorCode', rows('totp_spent_code', 'totp_recovery_code')],
  ['authSession', rows('auth_session')],
  /** Stored notification requests of one organization: two that belong together become one row. */
  ['notifications', named('notifications of ')],
  ['notification', rows('notification')],
  ['clientLogs', rows('client_log_batch')],
  /** Names of people in rosters: shared by writers of roster texts, exclusive for erasures. */
  ['rosterNames', named('names in rosters of ')],
  /** Taken while the open streams of one person are counted before one more begins. */
  ['streams', named('streams of ')],
  ['streamProcess', rows('stream_process')],
  /** Comes before the lesson that it teaches, whose state its end changes, and before support, which a delivery changes. */
  ['liveSession', rows('live_session')],
  ['diagnostic', rows('diagnostic_session')],
  ['practice', rows('practice_queue')],
  ['warmup', rows('warmup_session')],
  ['reading', rows('orf_assessment')],
  ['teaser', rows('teaser_session')],
  ['subFlags', named('sub-flags of ')],
  ['skillStatus', named('skill status of ')],
  /** A lesson: its state, recipients and responses. */
  ['blueprintSession', rows('teaching_session')],
  /** Everything about the support of one student: profile, assignments, tier. */
  ['support', rows('student_support')],
  /** How many messages of a day say that something is overdue. */
  ['overdueTally', rows('overdue_tally')],
  ['evaluationRequest', rows('rti_evaluation_request')],
  ['recomputeRequest', rows('sse_recompute_request')],
  ['fidelityRequest', rows('fidelity_request')],
  ['rollupRequest', rows('rollup_request')],
  ['job', rows('rule_job')],
  /** Taken while the running documents of an organization are counted before one more begins. */
  ['documentTurns', named('documents of ')],
  ['reportJob', rows('report_job')],
  /** Announcements of alerts that have not been sent, taken by the sender. */
  ['announcement', rows('alert_announcement')],
  ['ledgerSeal', one(4_170_227)],
  /** Also taken in the trigger of the hash chain. */
  ['attestation', one(4_170_224)],
] as const satisfies readonly (readonly [string, OneLock | NamedLock | RowLock])[];

type Entry = (typeof lockOrder)[number];

/**
 * The first and the last lock that are taken after a row in the mode `remove`. Only a transaction that holds none of them may
 * insert a row that refers to such a row: its foreign key would wait for the other transaction.
 */
export const removalSpan = ['account', 'rosterNames'] as const;

type NamesOf<Kind> = Extract<Entry, readonly [string, { readonly kind: Kind }]>[0];
export type LockNumber = NamesOf<'one'>;
export type LockName = NamesOf<'named'>;
export type RowsName = NamesOf<'rows'>;

const valuesOf = <Name extends string, Value>(kind: string, value: (lock: Entry[1]) => Value | undefined) =>
  Object.fromEntries(
    lockOrder.flatMap(([name, lock]) => (lock.kind === kind ? [[name, value(lock)]] : [])),
  ) as Readonly<Record<Name, Value>>;

export const lockNumbers = valuesOf<LockNumber, number>('one', (lock) => ('number' in lock ? lock.number : undefined));
export const lockNames = valuesOf<LockName, string>('named', (lock) => ('words' in lock ? lock.words : undefined));
export const lockTables = valuesOf<RowsName, readonly string[]>('rows', (lock) =>
  'tables' in lock ? lock.tables : undefined,
);

/** Waits for the lock and holds it until the transaction ends. */
export async function acquireLock(trx: Trx, lock: LockNumber): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [lockNumbers[lock]]);
}

/** Tries to take the lock until the end of the transaction. Returns whether it was free. */
export async function tryLock(trx: Trx, lock: LockNumber): Promise<boolean> {
  const { rows: answer } = await trx.raw('select pg_try_advisory_xact_lock(?) as free', [lockNumbers[lock]]);
  return answer[0]?.free === true;
}

export const lockText = (name: LockName, key: string | number): string => `${lockNames[name]}${key}`;

export async function acquireNamedLock(trx: Trx, name: LockName, key: string | number): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [lockText(name, key)]);
}

/** Takes the lock in shared mode, which conflicts with `acquireNamedLock` alone. */
export async function shareNamedLock(trx: Trx, name: LockName, key: string | number): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock_shared(hashtextextended(?, 0))', [lockText(name, key)]);
}

/** Takes the free locks of the keys until the end of the transaction and returns their keys. Never waits. */
export async function tryNamed<Key extends string | number>(
  trx: Trx,
  name: LockName,
  keys: readonly Key[],
): Promise<Key[]> {
  const free = await rowsOf<{ position: number }>(
    trx,
    `select t.position::integer from unnest(:texts::text[]) with ordinality as t (text, position)
     where pg_try_advisory_xact_lock(hashtextextended(t.text, 0))`,
    { texts: keys.map((key) => lockText(name, key)) },
  );
  const positions = new Set(free.map(({ position }) => position));
  return keys.filter((_, at) => positions.has(at + 1));
}

/**
 * `exist`: no other transaction deletes the rows. `share`: none changes them, and others may share them. `change`: none changes
 * or shares them. `remove`: as `change`, and none adds references to them.
 */
export type RowMode = 'exist' | 'share' | 'change' | 'remove';

interface Lockable {
  forKeyShare(...of: string[]): unknown;
  forShare(...of: string[]): unknown;
  forNoKeyUpdate(...of: string[]): unknown;
  forUpdate(...of: string[]): unknown;
}

/**
 * Returns the query with a clause that locks the rows found until the transaction ends. `of` names the tables to lock if it
 * joins others.
 */
export function lockRows<Query extends Lockable>(_name: RowsName, mode: RowMode, query: Query, ...of: string[]): Query {
  if (mode === 'exist') return query.forKeyShare(...of) as Query;
  if (mode === 'share') return query.forShare(...of) as Query;
  return (mode === 'change' ? query.forNoKeyUpdate(...of) : query.forUpdate(...of)) as Query;
}

const modeText = {
  exist: 'for key share',
  share: 'for share',
  change: 'for no key update',
  remove: 'for update',
} as const;

/** Returns the same clause for the end of a written statement. */
export const lockingRows = (_name: RowsName, mode: RowMode, of?: string): string =>
  of === undefined ? modeText[mode] : `${modeText[mode]} of ${of}`;
