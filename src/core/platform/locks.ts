// Every lock of the service, in the one order in which a transaction takes them. Two transactions that take the same locks
// in different orders wait for each other for ever; with one order for all that cannot happen. Foreign keys lock the row
// that they lead to as well (FOR KEY SHARE), which waits for nothing but the mode `remove`.
import type { Trx } from './db.ts';
import { rowsOf } from './sql.ts';

/** An advisory lock of which there is one. PostgreSQL keeps all of them in one room: no number stands twice. */
interface OneLock {
  readonly kind: 'one';
  readonly number: number;
}

/** Advisory locks of which there is one a key: the key follows these words, none of which begin another. */
interface NamedLock {
  readonly kind: 'named';
  readonly words: string;
}

/** The rows of a table. Several of one table are locked in the order of their keys, and in one statement. */
interface RowLock {
  readonly kind: 'rows';
  readonly tables: readonly string[];
}

const one = (number: number) => ({ kind: 'one', number }) as const;
const named = (words: string) => ({ kind: 'named', words }) as const;
const rows = (...tables: readonly string[]) => ({ kind: 'rows', tables }) as const;

/** The order. Whoever holds one takes only later ones, and takes again what it has. */
export const lockOrder = [
  ['migration', one(4_170_221)],
  ['bootstrap', one(4_170_222)],
  ['demoSeed', one(4_170_225)],
  /** Parts of ledgers for a school year, which every process makes when it starts. */
  ['ledgerParts', one(4_170_229)],
  ['idempotentAnswer', named('idempotent answer ')],
  ['schedule', rows('schedule')],
  ['outbox', rows('outbox')],
  ['outboxRetry', rows('outbox_retry')],
  ['emailConflicts', named('e-mail conflicts of ')],
  ['teaserStarts', named('teaser starts of ')],
  /** Impacts and replays are counted before one more is asked for. */
  ['jobOrders', one(4_170_226)],
  /** A benchmark that is written is published once, and then a rule like others. */
  ['benchmarkProfile', rows('benchmark_profile')],
  ['draft', rows('rule_draft')],
  ['activation', one(4_170_223)],
  ['narratives', named('narratives of ')],
  /** Batches of session blueprints, and what they publish. */
  ['blueprintBatches', one(4_170_228)],
  /** Counts of its schools and classes: who makes them, and who publishes them. */
  ['aggregates', named('aggregates of ')],
  /** Before the organization that a roster is written into. */
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
  /** What is stored of one organization's requests: two that belong together become one row. */
  ['notifications', named('notifications of ')],
  ['notification', rows('notification')],
  ['clientLogs', rows('client_log_batch')],
  /** Of people in rosters: shared by who writes what rosters say, alone for who erases somebody. */
  ['rosterNames', named('names in rosters of ')],
  /** Open streams of one person are counted before there is one more. */
  ['streams', named('streams of ')],
  ['streamProcess', rows('stream_process')],
  /** Before the session that it teaches, which its end moves on, and before support, which a delivery changes. */
  ['liveSession', rows('live_session')],
  ['diagnostic', rows('diagnostic_session')],
  ['practice', rows('practice_queue')],
  ['warmup', rows('warmup_session')],
  ['reading', rows('orf_assessment')],
  ['teaser', rows('teaser_session')],
  ['subFlags', named('sub-flags of ')],
  ['skillStatus', named('skill status of ')],
  /** A blueprint that was given to a class: its state, whom it is for, what is answered. */
  ['blueprintSession', rows('teaching_session')],
  /** Profile, assignments, tier: everything about support of one student. */
  ['support', rows('student_support')],
  ['evaluationRequest', rows('rti_evaluation_request')],
  ['recomputeRequest', rows('sse_recompute_request')],
  ['fidelityRequest', rows('fidelity_request')],
  ['rollupRequest', rows('rollup_request')],
  ['job', rows('rule_job')],
  /** Documents of an organization are counted before one more begins. */
  ['documentTurns', named('documents of ')],
  ['reportJob', rows('report_job')],
  /** What is still to be told of an alert, by whoever tells it. */
  ['announcement', rows('alert_announcement')],
  ['ledgerSeal', one(4_170_227)],
  /** Stands in the trigger of the chain too. */
  ['attestation', one(4_170_224)],
] as const satisfies readonly (readonly [string, OneLock | NamedLock | RowLock])[];

type Entry = (typeof lockOrder)[number];

/**
 * Between these two, both included, lies all that is locked after a row in the mode `remove`. Only who holds none of them
 * may add a row that refers to one which might be locked so: its foreign key would wait for that transaction.
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

/** Waits for the lock, and holds it until the transaction ends. */
export async function acquireLock(trx: Trx, lock: LockNumber): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [lockNumbers[lock]]);
}

/** Answers whether the lock was free; then it is held until the transaction ends. */
export async function tryLock(trx: Trx, lock: LockNumber): Promise<boolean> {
  const { rows: answer } = await trx.raw('select pg_try_advisory_xact_lock(?) as free', [lockNumbers[lock]]);
  return answer[0]?.free === true;
}

export const lockText = (name: LockName, key: string | number): string => `${lockNames[name]}${key}`;

export async function acquireNamedLock(trx: Trx, name: LockName, key: string | number): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [lockText(name, key)]);
}

/** Held by any number at once, and by nobody while one holds it by `acquireNamedLock`. */
export async function shareNamedLock(trx: Trx, name: LockName, key: string | number): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock_shared(hashtextextended(?, 0))', [lockText(name, key)]);
}

/** The keys whose lock was free, each held until the transaction ends. Never waits. */
export async function tryNamed<Key extends string | number>(
  trx: Trx,
  name: LockName,
  keys: readonly Key[],
): Promise<Key[]> {
  const free = await rowsOf<{ place: number }>(
    trx,
    `select t.place::integer from unnest(:texts::text[]) with ordinality as t (text, place)
     where pg_try_advisory_xact_lock(hashtextextended(t.text, 0))`,
    { texts: keys.map((key) => lockText(name, key)) },
  );
  const places = new Set(free.map(({ place }) => place));
  return keys.filter((_, at) => places.has(at + 1));
}

/**
 * `exist`: the rows stay there. `share`: they stay as they are, and others may say the same. `change`: nobody else says
 * either. `remove`: as `change`, and nothing that refers to the rows is added either.
 */
export type RowMode = 'exist' | 'share' | 'change' | 'remove';

interface Lockable {
  forKeyShare(...of: string[]): unknown;
  forShare(...of: string[]): unknown;
  forNoKeyUpdate(...of: string[]): unknown;
  forUpdate(...of: string[]): unknown;
}

/** The query, which locks the rows that it finds until the transaction ends; `of` names them there where it joins others. */
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

/** The same at the end of a statement written out. */
export const lockingRows = (_name: RowsName, mode: RowMode, of?: string): string =>
  of === undefined ? modeText[mode] : `${modeText[mode]} of ${of}`;
