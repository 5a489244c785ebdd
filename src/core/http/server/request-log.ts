// Gives every request its id, its logger, and one line in the log with one measurement, whether it was answered or aborted.
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { clientAddress } from './client-address.ts';

interface Observer {
  readonly log: Logger;
  readonly trustProxy: number;
  readonly guards?: { readonly addressHash: (clientIp: string) => string };
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
}

/** The status in the log if the client disconnected before the response was sent; no response has it. */
const clientClosedRequest = 499;

/** Logs no personal data: no query, no body, no header; the caller by ids and the address by a keyed hash. */
export function logRequests(deps: Observer) {
  return (request: Request, response: Response, next: NextFunction) => {
    const given = request.get('x-request-id') ?? '';
    const requestId = /^[A-Za-z0-9_.-]{1,128}$/.test(given) ? given : crypto.randomUUID();
    const startedAt = performance.now();
    response.locals.requestId = requestId;
    response.locals.log = deps.log.child({ requestId });
    const addressHash = deps.guards?.addressHash(clientAddress(request, deps.trustProxy));
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.once('close', () => {
      // The duration of a stream is no measure of the service.
      const streamsSince = response.locals.streamsSince as number | undefined;
      const seconds = ((streamsSince ?? performance.now()) - startedAt) / 1000;
      const operation = String(response.locals.operation ?? 'unknown');
      const aborted = !response.writableFinished && streamsSince === undefined;
      const status = aborted ? clientClosedRequest : response.statusCode;
      deps.observe(operation, request.method, status, seconds);
      const ms = Math.round(seconds * 1000);
      const caller = response.locals.caller as object | undefined;
      const line = {
        operation,
        method: request.method,
        status,
        ms,
        ...(aborted && { aborted }),
        ...caller,
        addressHash,
      };
      response.locals.log.info(line);
    });
    next();
  };
}
