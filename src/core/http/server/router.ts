// Registers the routes with Express and answers everything that is not a route with the same error envelope.
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Logger } from 'pino';
import { AppError, invalid, notFound } from '../../platform/errors.ts';
import { grouped } from '../../platform/pure/lists/grouped.ts';
import { incomingBody } from '../checks/body.ts';
import { BodyBudget } from '../checks/body-budget.ts';
import { LargeBodies } from '../checks/large-body.ts';
import { type Handler, handlerOf, type PipelineDeps } from '../pipeline.ts';
import type { Route } from '../route.ts';
import { clientAddress } from './client-address.ts';
import { errorAnswer } from './envelope.ts';
import { logRequests } from './request-log.ts';
import { send } from './send.ts';

export interface RouterDeps extends Omit<PipelineDeps, 'largeBodies'> {
  readonly log: Logger;
  readonly trustProxy: number;
  /** Called once per request, whether it was answered or aborted. */
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
  /** Default: one budget of 64 MiB for the process. */
  readonly bodyBudget?: BodyBudget;
  /** Default: bodies are read in the worker threads of the process. */
  readonly largeBodies?: LargeBodies;
}

/** Shared by every router of the process. */
const processBudget = new BodyBudget();

/** Plain HTTP in a private network stays plain HTTP: a proxy in front decides about TLS, not a header of the service. */
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
  app.use(helmet(safeHeaders));
  app.use(logRequests(deps));
  app.use(requireHost);
  app.use(byPathPrefix(routes, deps));
  app.use(() => {
    throw notFound();
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    answerError(error, request, response);
  });
  return app;
}

/** Express tries its routes one by one: each request is passed only to the routes with the same path prefix. */
function byPathPrefix(routes: readonly Route[], given: RouterDeps): RequestHandler {
  const deps = { ...given, largeBodies: given.largeBodies ?? new LargeBodies() };
  const prefixOf = prefixesOf(routes);
  const groups = grouped(routes, ({ path }) => prefixOf(path));
  const routers = new Map([...groups].map(([prefix, group]) => [prefix, routerOf(group, deps)]));
  return (request, response, next) => {
    const router = routers.get(prefixOf(request.path));
    if (router) router(request, response, next);
    else next();
  };
}

/** Returns the function that gives the first two parts of a path, or one if the second is a parameter. */
function prefixesOf(routes: readonly Route[]): (path: string) => string {
  const parts = routes.map(({ path }) => path.split('/', 3));
  const short = new Set(parts.flatMap(([, first, second]) => (second?.startsWith(':') ? [first] : [])));
  return (path) => {
    const [, first = '', second = ''] = path.split('/', 3);
    return short.has(first) ? first : `${first}/${second}`;
  };
}

/** Each address has exactly one spelling, so that path rules of a proxy are reliable. */
function routerOf(routes: readonly Route[], deps: RouterDeps & PipelineDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const route of routes) router[route.method](route.path, respondWith(handlerOf(route, deps), route, deps));
  for (const [path, methods] of allowedMethods(routes)) router.all(path, () => refuseMethod(methods));
  return router;
}

/** HTTP/1.1 requires the header (RFC 9112, 3.2). */
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
        response,
        body,
        params: request.params as Record<string, string>,
        query: new URL(request.originalUrl, 'http://localhost').searchParams,
        requestId: response.locals.requestId,
        clientIp: clientAddress(request, deps.trustProxy),
        log: response.locals.log,
        callerKnown: ({ userId, organizationId, sessionId }) => {
          response.locals.caller = { userId, organizationId, sessionId };
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

/** Whether the path cannot be decoded, such as `/api/classes/%ff`; such an id is answered like an unknown one. */
function malformedPath(error: unknown): boolean {
  if (error instanceof AppError) return false;
  return error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400);
}
