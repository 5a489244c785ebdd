// Predicts the refusal of a request by the checks of its route without sending it. The checks refuse all requests of
// one kind alike, so only one of each kind is sent.
import type { IncomingMessage } from 'node:http';
import { requestChecksOf, validated } from '#core/http/checks/request.ts';
import type { Route } from '#core/http/route.ts';
import { type Envelope, errorAnswer } from '#core/http/server/envelope.ts';
import { AppError } from '#core/platform/errors.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import type { Malformed } from './malformed.ts';

export interface Refusal {
  readonly status: number;
  readonly body: Envelope;
  /** The kind of defect, wherever it is: requests of one kind get the same response except for field names. */
  readonly kind: string;
}

const log = createLogger('silent');

/**
 * Returns the refusal of query and body, or undefined when it depends on a token, a path, headers, the bytes of a body,
 * or a route that reads its body itself.
 */
export function refusalOf(route: Route, { path, bytes, headers }: Malformed): Refusal | undefined {
  if (route.beforeBodyValidation || headers || (bytes !== undefined && typeof bytes !== 'string')) return undefined;
  const sent = Buffer.from(bytes ?? '');
  if (sent.length > route.bodyLimitBytes) return undefined;
  const message = { headers: { 'content-type': 'application/json' } } as IncomingMessage;
  const query = new URL(path, 'http://localhost').searchParams;
  const raw = route.method === 'get' ? undefined : { content: { bytes: sent }, sizeBytes: sent.length };
  try {
    validated(requestChecksOf(route), { message, query, raw });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return undefined;
    const { status, envelope } = errorAnswer(error, log);
    return { status, body: envelope, kind: JSON.stringify(error.details?.map(({ issue }) => issue)) };
  }
  return undefined;
}
