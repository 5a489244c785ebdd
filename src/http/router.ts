// Hangs the routes into Express and answers everything that is not a route with the same envelope.
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Logger } from 'pino';
import { AppError, notFound } from '../platform/errors.ts';
import { readBody } from './body.ts';
import { clientAddress } from './client-address.ts';
import { errorAnswer } from './envelope.ts';
import { type Handler, handlerOf, type PipelineDeps } from './pipeline.ts';
import type { Answer, Route } from './route.ts';

export interface RouterDeps extends PipelineDeps {
  readonly log: Logger;
  readonly trustProxy: number;
  /** Called once per answered request. */
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
}

/** Plain HTTP on an own network stays plain HTTP: a proxy in front decides about TLS, not a header of ours. */
const safeHeaders: HelmetOptions = {
  crossOriginResourcePolicy: { policy: 'same-site' },
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
};

export function buildRouter(routes: readonly Route[], deps: RouterDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', () => ({}));
  app.use(helmet(safeHeaders));
  app.use(identify(deps));
  for (const route of routes) app[route.method](route.path, respondWith(handlerOf(route, deps), route, deps));
  for (const [path, methods] of allowedMethods(routes)) app.all(path, () => refuseMethod(methods));
  app.use(() => {
    throw notFound();
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    answerError(error, response);
  });
  return app;
}

/**
 * Gives every request its id, its logger and its line in the log. Nothing personal: no query, no body, no header; who
 * called is told by ids, and from where by a keyed hash.
 */
function identify(deps: RouterDeps) {
  return (request: Request, response: Response, next: NextFunction) => {
    const given = request.get('x-request-id') ?? '';
    const requestId = /^[A-Za-z0-9_.-]{1,128}$/.test(given) ? given : crypto.randomUUID();
    const startedAt = performance.now();
    response.locals.requestId = requestId;
    response.locals.log = deps.log.child({ requestId });
    const addressHash = deps.guards?.addressHash(clientAddress(request, deps.trustProxy));
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.once('finish', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const route = String(response.locals.operation ?? 'unknown');
      deps.observe(route, request.method, response.statusCode, seconds);
      response.locals.log.info({
        operation: route,
        method: request.method,
        status: response.statusCode,
        ms: Math.round(seconds * 1000),
        ...response.locals.caller,
        addressHash,
      });
    });
    next();
  };
}

function respondWith(handler: Handler, route: Route, deps: RouterDeps) {
  return async (request: Request, response: Response) => {
    response.locals.operation = route.operation;
    const raw = await readBody(request, route.bodyLimitBytes);
    if ('refusal' in raw) response.setHeader('Connection', 'close');
    const answer = await handler({
      message: request,
      raw,
      params: request.params as Record<string, string>,
      query: new URL(request.originalUrl, 'http://localhost').searchParams,
      requestId: response.locals.requestId,
      clientIp: clientAddress(request, deps.trustProxy),
      log: response.locals.log,
      callerKnown: ({ userId, sessionId }) => {
        response.locals.caller = { userId, sessionId };
      },
    });
    send(response, answer);
  };
}

function send(response: Response, answer: Answer): void {
  response.status(answer.status);
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (answer.body === undefined) response.end();
  else if (answer.body instanceof Uint8Array) response.end(answer.body);
  else response.type('application/json').end(JSON.stringify(answer.body));
}

function allowedMethods(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const names = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
    methods.set(path, [...(methods.get(path) ?? []), ...names]);
  }
  return methods;
}

class MethodNotAllowed extends AppError {
  readonly allow: string;
  constructor(methods: readonly string[]) {
    super('METHOD_NOT_ALLOWED', `This address answers ${methods.join(', ')}.`);
    this.allow = methods.join(', ');
  }
}

function refuseMethod(methods: readonly string[]): never {
  throw new MethodNotAllowed(methods);
}

function answerError(error: unknown, response: Response): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof MethodNotAllowed) response.setHeader('Allow', error.allow);
  const { status, envelope, headers } = errorAnswer(malformedPath(error) ? notFound() : error, response.locals.log);
  send(response, { status, body: envelope, headers });
}

/** A path such as `/api/classes/%ff` cannot be decoded; an id that cannot be read is an id that is not there. */
function malformedPath(error: unknown): boolean {
  return error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400);
}
