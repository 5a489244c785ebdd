// What the checks of a route say to a request, found out without sending it: what a check refuses is answered the same way
// for every request of the route, so that one of each kind is sent and the others are only looked at.
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
  /** What is wrong, wherever it stands: the requests of one kind are answered alike but for the names of fields. */
  readonly kind: string;
}

const log = createLogger('silent');

/**
 * What query and body are refused with; undefined where the refusal depends on more: on a token, a path, headers, the
 * bytes of a body, or a route that looks into its bodies by itself.
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
