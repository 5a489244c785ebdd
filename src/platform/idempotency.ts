// A creating request that is sent twice under one key creates once: the first answer is kept and given again.
import type { Trx } from './db.ts';
import { AppError, conflict, invalid } from './errors.ts';
import { rowIdIn } from './ids.ts';
import { tryNamed } from './locks.ts';
import { canonicalHash } from './pure/canonical-json.ts';

/** Encrypts with authentication; `context` must be the same on both sides. */
export interface AnswerCipher {
  encrypt(text: string, context: string): string;
  decrypt(encrypted: string, context: string): string;
}

export interface KeyedRequest {
  /** `user:12` */
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
  /** Everything that makes the request this request: path, query, body. */
  readonly content: unknown;
}

/** `keptSince`: answers that are not younger count as forgotten. Asked only when there is one. */
export interface Keeping {
  readonly now: Date;
  readonly keptSince: () => Promise<Date>;
}

interface StoredAnswer {
  readonly requestHash: string;
  readonly encryptedAnswer: string;
  readonly keptAt: string;
}

/** Structurally an HTTP answer. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export const replayedHeader = 'Idempotency-Replayed';

const retryAfterSeconds = 1;
/** A process whose machine vanished in mid-request holds its key no longer than this. */
const abandonedMs = 60_000;

/** Throws VALIDATION_ERROR for a key that is not 1 to 128 visible ASCII characters. */
export function checkedKey(key: string): string {
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) throw invalid('Idempotency-Key', 'must be 1 to 128 visible ASCII characters');
  return key;
}

/**
 * Runs `work` once a key. The lock and the kept answer belong to the transaction of the work itself: a crash undoes the
 * work, the answer and the lock together. Only successes are kept: a refusal has created nothing and may be tried again.
 * CONFLICT `key_in_use` (with retryAfter) while the first call runs, CONFLICT `other_request` for other content.
 */
export async function once<A extends KeptAnswer>(
  trx: Trx,
  cipher: AnswerCipher,
  request: KeyedRequest,
  { now, keptSince }: Keeping,
  work: () => Promise<A>,
): Promise<A | KeptAnswer> {
  const { caller, operation, key } = request;
  const context = JSON.stringify(['idempotent_answer', caller, operation, key]);
  await lock(trx, context);
  const requestHash = canonicalHash(request.content);
  const kept = await keptAnswer(trx, { caller, operation, key }, keptSince);
  if (kept && kept.requestHash !== requestHash) {
    throw conflict('other_request', 'This Idempotency-Key was used for another request.', 'Idempotency-Key');
  }
  if (kept) return replay(cipher.decrypt(kept.encryptedAnswer, context));
  const answer = await work();
  const encryptedAnswer = cipher.encrypt(textOf(answer), context);
  const subjectIds = subjectsOf(request.content, answer.body);
  await trx('idempotent_answer')
    .insert({ caller, operation, key, requestHash, encryptedAnswer, subjectIds, keptAt: now })
    .onConflict(['caller', 'operation', 'key'])
    .merge();
  return answer;
}

/** Whether an answer is kept under the key. One that is just being made is not. */
export async function isKept(
  trx: Trx,
  request: Omit<KeyedRequest, 'content'>,
  keptSince: Keeping['keptSince'],
): Promise<boolean> {
  return (await keptAnswer(trx, request, keptSince)) !== undefined;
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

function textOf({ status, body, headers }: KeptAnswer): string {
  const bytes = body instanceof Uint8Array ? { base64: Buffer.from(body).toString('base64') } : undefined;
  return JSON.stringify({ status, headers, ...(bytes ?? { body }) });
}

function replay(text: string): KeptAnswer {
  const kept = JSON.parse(text) as KeptAnswer & { base64?: string };
  return {
    status: kept.status,
    body: kept.base64 === undefined ? kept.body : Buffer.from(kept.base64, 'base64'),
    headers: { ...kept.headers, [replayedHeader]: 'true' },
  };
}

/** An older answer may wait for the purge, but is not given again. */
async function keptAnswer(trx: Trx, name: object, keptSince: () => Promise<Date>): Promise<StoredAnswer | undefined> {
  const row: StoredAnswer | undefined = await trx('idempotent_answer').where(name).first();
  return row && new Date(row.keptAt) > (await keptSince()) ? row : undefined;
}

/** Removes at once what is kept for a person or tells of them; also what cannot be looked into, a file. */
export async function forgetAnswersAbout(trx: Trx, userId: number): Promise<void> {
  await trx('idempotent_answer')
    .where({ caller: `user:${userId}` })
    .orWhereRaw('subject_ids @> array[?::bigint]', [userId])
    .orWhereNull('subjectIds')
    .delete();
}

/** Every integer id that request and answer name, whatever it is of; null for an answer that is a file. */
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
