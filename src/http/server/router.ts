// Hangs the routes into Express and answers everything that is not a route with the same envelope.
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Logger } from 'pino';
import { AppError, invalid, notFound } from '../../platform/errors.ts';
import { incomingBody } from '../checks/body.ts';
import { BodyBudget } from '../checks/body-budget.ts';
import { type Handler, handlerOf, type PipelineDeps } from '../pipeline.ts';
import type { Route } from '../route.ts';
import { clientAddress } from './client-address.ts';
import { errorAnswer } from './envelope.ts';
import { observed } from './request-log.ts';
import { send } from './send.ts';

export interface RouterDeps extends PipelineDeps {
  readonly log: Logger;
  readonly trustProxy: number;
  /** Called once per request, answered or given up. */
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
  /** Default: one budget of 64 MiB for the process. */
  readonly bodyBudget?: BodyBudget;
}

/** Shared by every router of the process. */
const processBudget = new BodyBudget();

/** Plain HTTP on an own network stays plain HTTP: a proxy in front decides about TLS, not a header of ours. */
const safeHeaders: HelmetOptions = {
  crossOriginResourcePolicy: { policy: 'same-site' },
  contentSecurityPolicy: {
    directives: { upgradeInsecureRequests: null, styleSrc: ["'self'", "'unsafe-inline'"], fontSrc: ["'self'"] },
  },
};

export function buildRouter(routes: readonly Route[], deps: RouterDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', () => ({}));
  // One spelling for each address: rules of a proxy about paths hold.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(helmet(safeHeaders));
  app.use(observed(deps));
  app.use(requireHost);
  for (const route of routes) app[route.method](route.path, respondWith(handlerOf(route, deps), route, deps));
  for (const [path, methods] of allowedMethods(routes)) app.all(path, () => refuseMethod(methods));
  app.use(() => {
    throw notFound();
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    answerError(error, request, response);
  });
  return app;
}

/** HTTP/1.1 asks for it (RFC 9112, 3.2). */
function requireHost(request: Request, _response: Response, next: NextFunction): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') throw invalid('Host', 'is required');
  next();
}

function respondWith(handler: Handler, route: Route, deps: RouterDeps) {
  return async (request: Request, response: Response) => {
    response.locals.operation = route.operation;
    const body = incomingBody(request, deps.bodyBudget ?? processBudget, route.bodyLimitBytes);
    try {
      const answer = await handler({
        message: request,
        body,
        params: request.params as Record<string, string>,
        query: new URL(request.originalUrl, 'http://localhost').searchParams,
        requestId: response.locals.requestId,
        clientIp: clientAddress(request, deps.trustProxy),
        log: response.locals.log,
        callerKnown: ({ userId, sessionId }) => {
          response.locals.caller = { userId, sessionId };
        },
      });
      send(request, response, answer);
    } finally {
      body.release();
    }
  };
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

function answerError(error: unknown, request: Request, response: Response): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof MethodNotAllowed) response.setHeader('Allow', error.allow);
  const { status, envelope, headers } = errorAnswer(malformedPath(error) ? notFound() : error, response.locals.log);
  send(request, response, { status, body: envelope, headers });
}

/** A path such as `/api/classes/%ff` cannot be decoded; an id that cannot be read is an id that is not there. */
function malformedPath(error: unknown): boolean {
  if (error instanceof AppError) return false;
  return error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400);
}
