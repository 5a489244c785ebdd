// A route is a value. The router, the order of checks, the OpenAPI document, the tests that iterate over every route, the demo
// write-block and the validation of responses are derived from the list of these values: there is no second list.
import type { Logger } from 'pino';
import type { Static, TObject, TSchema } from 'typebox';
import type { Trx } from '../platform/db.ts';
import type { AppError, ErrorCode } from '../platform/errors.ts';
import type { Answer, Disclosing } from './answers.ts';
import type { EventStream } from './event-stream.ts';

/** The claims of a token whose signature was verified; whether its session is still valid is checked in the transaction. */
export interface Claims {
  readonly userId: number;
  readonly sessionId: string;
  readonly organizationId: string | null;
}

/** The caller, known from a verified token and its live session. */
export interface Actor {
  readonly userId: number;
  readonly sessionId: string;
  /** `null`: the caller has SUPER scope and sees every organization. */
  readonly organizationId: string | null;
  readonly persona: string;
  readonly permissions: ReadonlySet<string>;
  /** Permissions of the role that this session lacks because it has no second factor; it then has no permission at all. */
  readonly withheld?: ReadonlySet<string>;
  /** The caller's own organization is a read-only demo. */
  readonly isDemo: boolean;
}

/** `read` writes no tenant data; `loop` writes and stays allowed on a demo organization; `blocked` is refused there. */
export type DemoRule = 'read' | 'loop' | 'blocked';

/** `public` needs no token, `signed in` any valid one; a list requires one of its permissions, `allOf` all of them. */
export type Allow<Permission extends string> =
  | 'public'
  | 'signed in'
  | readonly Permission[]
  | { readonly allOf: readonly Permission[] };

/**
 * How the general rate limit treats a route while its store is down: `open` accepts requests, `closed` refuses them (for routes
 * where secrets can be guessed). `none` means that the route is not limited (health probes).
 */
export type LimitRule = 'open' | 'closed' | 'none';

/** The rate-limit window that counts a public request. Default: `public`, one window per address for all such routes. */
export type Charge = 'public' | 'sign-in' | 'by the handler';

/** The result of a scope: the row that handlers work on, and the organization that owns it. */
export interface Scoped<Row> {
  readonly row: Row;
  /** The organization of the resource; absent if the route concerns no tenant row. */
  readonly organization?: { readonly id: string; readonly isDemo: boolean };
  /** A state of the resource in which nothing may be written: thrown after the checks of the body, unless the route only reads. */
  readonly writeRefusal?: AppError;
}

export interface ScopeRequest<Services> {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly params: Readonly<Record<string, string>>;
  readonly now: Date;
}

/**
 * Resolves the ids of the path to a row that the caller may see. `resolve` throws NOT_FOUND if the row is missing or belongs to
 * another organization, and PERMISSION_DENIED if it is outside the caller's reach. `reach` is the code of the operations table.
 */
export interface Scope<Row, Services> {
  readonly reach: string;
  /** The codes with which `writeRefusal` refuses writes; routes that only read do not have them. */
  readonly writeErrors?: readonly ErrorCode[];
  resolve(request: ScopeRequest<Services>): Promise<Scoped<Row>>;
}

/** One request of a batched read. */
export interface BatchedLookup {
  readonly userId: number;
  /** The organization of the token; that the account belongs to it is checked at the same time. */
  readonly organizationId: string | null;
  readonly params: Readonly<Record<string, string>>;
}

/** A `Scope` that serves many callers at once. */
export interface BatchedScope<Found, Row> {
  readonly reach: string;
  /** Returns one result for each lookup, in the same order. `trx` sees all organizations: each lookup has to name its own. */
  findAll(trx: Trx, lookups: readonly BatchedLookup[]): Promise<readonly Found[]>;
  /** Returns the row for the handler. Throws NOT_FOUND, or PERMISSION_DENIED for a row outside the caller's reach. */
  admit(actor: Actor, found: Found): Row;
}

export type Answers = Readonly<Record<number, TSchema>>;
export type AnswerOf<A extends Answers> = {
  [Status in keyof A & number]: Answer<Status, Static<A[Status]> | Uint8Array | EventStream>;
}[keyof A & number];

/** The context of every handler. */
export interface RequestContext<Services, Params, Query, Body> {
  readonly services: Services;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly now: Date;
  readonly requestId: string;
  readonly clientIp: string;
  readonly log: Logger;
  header(name: string): string | undefined;
}

/** The context of public handlers: no caller and no transaction; they open their own through the services. */
export interface PublicContext<Services, Params, Query, Body> extends RequestContext<Services, Params, Query, Body> {
  /** Throws if the answer does not match the route's schema. Called in the handler's transaction, it rolls that back too. */
  checked<A extends Answer>(answer: A): A;
}

/** The context of handlers of signed-in callers. `trx` is the request's transaction, in the tenant context of the resource. */
export interface Context<Services, Row, Params, Query, Body> extends RequestContext<Services, Params, Query, Body> {
  readonly actor: Actor;
  readonly trx: Trx;
  readonly scope: Row;
}

/** The context of handlers of batched reads. */
export interface BatchedContext<Services, Row, Params, Query> extends RequestContext<Services, Params, Query, unknown> {
  readonly actor: Actor;
  readonly scope: Row;
}

/** The argument of `beforeValidation`: there is no caller and no transaction yet. */
export interface BeforeValidationRequest<Services> {
  readonly services: Services;
  readonly params: Readonly<Record<string, string>>;
  readonly now: Date;
  readonly clientIp: string;
  header(name: string): string | undefined;
}

/** The argument of `prefetch`. */
export interface PrefetchRequest<Services> {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

/** The argument of `beforeBodyValidation`. */
export interface BeforeBodyValidationRequest<Services, Row> {
  readonly services: Services;
  /** The request's transaction, in the tenant context of the resource; writes are recorded as the caller's. */
  readonly trx: Trx;
  readonly actor: Actor;
  readonly scope: Row;
  /** The body as it was sent; its schema has not been checked. */
  readonly body: unknown;
  readonly now: Date;
}

export interface RouteParts<P extends TObject, Q extends TObject, B extends TSchema, A extends Answers> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** `/api/classes/:id` */
  readonly path: string;
  /** operationId */
  readonly operation: string;
  readonly summary: string;
  readonly tag: string;
  readonly demo: DemoRule;
  /** Default: `open`. */
  readonly limit?: LimitRule;
  /**
   * The route renders, exports, explains, tries, simulates, or reads a whole class, school or organization: a person may have
   * fewer of these requests running at once (`checks/concurrency-limits.ts`). Default: false.
   */
  readonly heavy?: true;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Default: 256 KiB; 16 KiB on public routes. */
  readonly bodyLimitBytes?: number;
  /** The body may also be a form (multipart/form-data), whose files become `{name, contentBase64}`. */
  readonly acceptsForm?: true;
  readonly answers: A;
  /** The status of VALIDATION_ERROR for faults of the body. Default: 422. */
  readonly bodyFaultStatus?: 400;
  /** Error codes beyond those that follow from the fields above. */
  readonly errors?: readonly ErrorCode[];
}

export interface PublicRoute<Services, P extends TObject, Q extends TObject, B extends TSchema, A extends Answers>
  extends RouteParts<P, Q, B, A> {
  readonly charge?: Charge;
  /** Runs before the request is validated, and throws a refusal that does not depend on the content of the body. */
  readonly beforeValidation?: (request: BeforeValidationRequest<Services>) => Promise<void>;
  readonly run: (ctx: PublicContext<Services, Static<P>, Static<Q>, Static<B>>) => Promise<AnswerOf<A>>;
}

export interface SignedInRoute<
  Services,
  Permission extends string,
  Row,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  A extends Answers,
  Prepared,
> extends RouteParts<P, Q, B, A>,
    Disclosing {
  readonly allow: Exclude<Allow<Permission>, 'public'>;
  readonly scope: Scope<Row, Services>;
  /** Default: GET is read-only. The database then refuses a write. */
  readonly readOnly?: boolean;
  /**
   * Starts queries that `run` needs in any case at the same time as the authentication, so that both cost one round trip. It
   * does not know the caller and is not awaited: `run` awaits the results.
   */
  readonly prefetch?: (request: PrefetchRequest<Services>) => void;
  /**
   * Throws refusals that only this body has. Runs after the checks of caller, resource, reach and demo, and before the schema
   * of the body is checked.
   */
  readonly beforeBodyValidation?: (request: BeforeBodyValidationRequest<Services, Row>) => Promise<void>;
  /**
   * For work that takes longer than a transaction may: reads what the work needs, and returns the work as a function, which
   * runs after the transaction has ended and released its connection. All checks run before it and again before `run`, which
   * receives the result as `prepared` and has to check whether what was read is still valid.
   */
  readonly prepare?: (ctx: Context<Services, Row, Static<P>, Static<Q>, Static<B>>) => Promise<() => Promise<Prepared>>;
  readonly run: (
    ctx: Context<Services, Row, Static<P>, Static<Q>, Static<B>> & { readonly prepared: Prepared },
  ) => Promise<AnswerOf<A>>;
}

/** A read that has no transaction of its own; `run` opens one if it needs to query. */
export interface BatchedRoute<
  Services,
  Permission extends string,
  Found,
  Row,
  P extends TObject,
  Q extends TObject,
  A extends Answers,
> extends Omit<RouteParts<P, Q, never, A>, 'method' | 'body' | 'demo'> {
  readonly allow: readonly Permission[];
  readonly scope: BatchedScope<Found, Row>;
  readonly run: (ctx: BatchedContext<Services, Row, Static<P>, Static<Q>>) => Promise<AnswerOf<A>>;
}

/** A route as the pipeline sees it: its schemas and functions, whose types were checked where the route was declared. */
export interface Route extends Required<Disclosing> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly tag: string;
  readonly allow: Allow<string>;
  readonly reach: string;
  readonly demo: DemoRule;
  readonly limit: LimitRule;
  readonly heavy: boolean;
  readonly charge: Charge;
  readonly readOnly: boolean;
  readonly params: TObject | undefined;
  readonly query: TObject | undefined;
  readonly body: TSchema | undefined;
  readonly bodyLimitBytes: number;
  readonly acceptsForm: boolean;
  readonly bodyFaultStatus: 400 | undefined;
  readonly answers: Answers;
  readonly errors: readonly ErrorCode[];
  readonly beforeValidation: ((request: BeforeValidationRequest<never>) => Promise<void>) | undefined;
  readonly resolve: ((request: ScopeRequest<never>) => Promise<Scoped<unknown>>) | undefined;
  readonly batched: BatchedScope<unknown, unknown> | undefined;
  readonly prefetch: ((request: PrefetchRequest<never>) => void) | undefined;
  readonly beforeBodyValidation: ((request: BeforeBodyValidationRequest<never, never>) => Promise<void>) | undefined;
  readonly prepare: ((ctx: never) => Promise<() => Promise<unknown>>) | undefined;
  readonly run: (ctx: never) => Promise<Answer>;
}
