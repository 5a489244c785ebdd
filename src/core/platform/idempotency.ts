// Idempotency keys: a creating request that is sent twice under one key creates once; the first answer is stored and replayed.

import type { Trx } from './db.ts';
import { AppError, conflict, invalid } from './errors.ts';
import { rowIdIn } from './ids.ts';
import { tryNamed } from './locks.ts';
import { modelOf } from './model.ts';
import { canonicalHash } from './pure/canonical-json.ts';

/** Authenticated encryption; `context` must be the same for both calls. */
export interface AnswerCipher {
  encrypt(text: string, context: string): string;
  decrypt(encrypted: string, context: string): string;
}

export interface KeyedRequest {
  /** `user:12` */
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
  /** What identifies the request: path, query, body. */
  readonly content: unknown;
  /** The part of the content by which repeated requests are compared. Default: all of it. */
  readonly sameness?: unknown;
}

/** `retainedSince` returns the time up to which answers count as purged. Called only if an answer is stored. */
export interface AnswerRetention {
  readonly now: Date;
  readonly retainedSince: () => Promise<Date>;
}

interface StoredAnswer {
  readonly requestHash: string;
  readonly encryptedAnswer: string;
  readonly keptAt: string;
}

/** An HTTP answer, by its structure. */
const IdempotentAnswer = modelOf<
  StoredAnswer & {
    readonly caller: string;
    readonly operation: string;
    readonly key: string;
    readonly subjectIds: number[] | null;
  }
>('idempotent_answer', { id: ['caller', 'operation', 'key'] });

export interface RepeatedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

const replayedHeader = 'Idempotency-Replayed';

const retryAfterSeconds = 1;
/** A process whose machine died during a request holds its key for at most this long. */
const abandonedMs = 60_000;

/** Returns the key. Throws VALIDATION_ERROR unless it is 1 to 128 visible ASCII characters. */
export function checkedKey(key: string): string {
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) throw invalid('Idempotency-Key', 'must be 1 to 128 visible ASCII characters');
  return key;
}

/**
 * Runs `work` once per key. The lock and the stored answer belong to the transaction of `work`, so a crash rolls back all
 * three. Only successes are stored: a refusal has created nothing and may be retried. Throws CONFLICT `key_in_use` (with
 * retryAfter) while the first call runs, and CONFLICT `other_request` for other content.
 */
export async function once<A extends RepeatedAnswer>(
  trx: Trx,
  cipher: AnswerCipher,
  request: KeyedRequest,
  { now, retainedSince }: AnswerRetention,
  work: () => Promise<A>,
): Promise<A | RepeatedAnswer> {
  const { caller, operation, key } = request;
  const context = JSON.stringify(['idempotent_answer', caller, operation, key]);
  await lock(trx, context);
  const requestHash = canonicalHash(request.sameness ?? request.content);
  const stored = await storedAnswer(trx, { caller, operation, key }, retainedSince);
  if (stored && stored.requestHash !== requestHash) {
    throw conflict('other_request', 'This Idempotency-Key was used for another request.', 'Idempotency-Key');
  }
  if (stored) return replay(cipher.decrypt(stored.encryptedAnswer, context));
  const answer = await work();
  const encryptedAnswer = cipher.encrypt(textOf(answer), context);
  const subjectIds = subjectsOf(request.content, answer.body);
  await IdempotentAnswer.query(trx)
    .insert({ caller, operation, key, requestHash, encryptedAnswer, subjectIds, keptAt: now.toISOString() })
    .onConflict(['caller', 'operation', 'key'])
    .merge();
  return answer;
}

/** Whether an answer is stored under the key. One that is just being made is not. */
export async function hasStoredAnswer(
  trx: Trx,
  request: Omit<KeyedRequest, 'content' | 'sameness'>,
  retainedSince: AnswerRetention['retainedSince'],
): Promise<boolean> {
  return (await storedAnswer(trx, request, retainedSince)) !== undefined;
}

async function lock(trx: Trx, context: string): Promise<void> {
  await trx.raw("select set_config('idle_in_transaction_session_timeout', ?, true)", [String(abandonedMs)]);
  const [free] = await tryNamed(trx, 'idempotentAnswer', [context]);
  if (free !== undefined) return;
  throw new AppError('CONFLICT', 'The first request with this Idempotency-Key is still running.', {
    details: [{ field: 'Idempotency-Key', issue: 'key_in_use' }],
    retryAfter: retryAfterSeconds,
  });
}

function textOf({ status, body, headers }: RepeatedAnswer): string {
  const bytes = body instanceof Uint8Array ? { base64: Buffer.from(body).toString('base64') } : undefined;
  return JSON.stringify({ status, headers, ...(bytes ?? { body }) });
}

function replay(text: string): RepeatedAnswer {
  const kept = JSON.parse(text) as RepeatedAnswer & { base64?: string };
  return {
    status: kept.status,
    body: kept.base64 === undefined ? kept.body : Buffer.from(kept.base64, 'base64'),
    headers: { ...kept.headers, [replayedHeader]: 'true' },
  };
}

/** Returns the stored answer unless its retention has ended; it may still await the purge. */
async function storedAnswer(
  trx: Trx,
  name: object,
  retainedSince: () => Promise<Date>,
): Promise<StoredAnswer | undefined> {
  const row: StoredAnswer | undefined = await IdempotentAnswer.query(trx).where(name).first();
  return row && new Date(row.keptAt) > (await retainedSince()) ? row : undefined;
}

/** Deletes the answers that were sent to a person or mention them, and all files, whose content cannot be searched. */
export async function purgeAnswersAbout(trx: Trx, userId: number): Promise<void> {
  await IdempotentAnswer.query(trx)
    .where({ caller: `user:${userId}` })
    .orWhereRaw('subject_ids @> array[?::bigint]', [userId])
    .orWhereNull('subjectIds')
    .delete();
}

/** Returns every integer id in request and answer, of any table; null for an answer that is a file. */
function subjectsOf(content: unknown, body: unknown): number[] | null {
  if (body instanceof Uint8Array) return null;
  const found = new Set<number>();
  const collect = (value: unknown, isId: boolean): void => {
    if (Array.isArray(value)) for (const part of value) collect(part, isId);
    else if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value)) collect(part, /(^id|I[dD]s?|_ids?)$/.test(name));
    else if (isId && rowIdIn(String(value)) !== undefined) found.add(Number(value));
  };
  collect([content, body], false);
  return [...found];
}
