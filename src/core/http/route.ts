// A route is a value. From the list of these values come the router, the order of checks, the OpenAPI document, the
// tests that walk every route, the demo write-block and the answers' validation: there is no second list.
import type { Logger } from 'pino';
import type { Static, TObject, TSchema } from 'typebox';
import type { Trx } from '../platform/db.ts';
import type { ErrorCode } from '../platform/errors.ts';
import type { Answer, Disclosing } from './answers.ts';
import type { EventStream } from './event-stream.ts';
import type { AdmitRequest, AheadRequest } from './stages.ts';

/** Who calls. Made from a verified token and its live session. */
export interface Actor {
  readonly userId: number;
  readonly sessionId: string;
  /** null: SUPER scope, sees every organization. */
  readonly organizationId: string | null;
  readonly persona: string;
  readonly permissions: ReadonlySet<string>;
  /** Permissions of the role that this session lacks for want of a second factor: then it has none at all. */
  readonly withheld?: ReadonlySet<string>;
  /** The caller's own organization is a read-only demo. */
  readonly isDemo: boolean;
}

/** `read` writes nothing of a tenant; `loop` is a write that stays allowed on a demo organization. */
export type DemoRule = 'read' | 'loop' | 'blocked';

/** `public` needs no token; `signed in` any valid one; a list: one of them suffices; `allOf`: all are needed. */
export type Allow<Permission extends string> =
  | 'public'
  | 'signed in'
  | readonly Permission[]
  | { readonly allOf: readonly Permission[] };

/**
 * How the general rate limit treats a route while its store is down: `open` lets requests through, `closed` refuses them
 * (where secrets can be guessed). `none`: not limited at all (probes of the machinery that runs the service).
 */
export type LimitRule = 'open' | 'closed' | 'none';

/** Whose window a public request is counted in. Default: `public`, one window of the address for all such routes. */
export type Charge = 'public' | 'sign-in' | 'by the handler';

/** What a scope found: the row that handlers work on, and whose it is. */
export interface Scoped<Row> {
  readonly row: Row;
  /** The resource's organization; absent where no tenant row is concerned. */
  readonly organization?: { readonly id: string; readonly isDemo: boolean };
}

export interface ScopeRequest<Services> {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly params: Readonly<Record<string, string>>;
  readonly now: Date;
}

/**
 * How ids in the path become a row that this caller may see. `resolve` throws NOT_FOUND for a missing or foreign row and
 * PERMISSION_DENIED for one of the own organization that is out of reach. `reach` is the word of the operations table.
 */
export interface Scope<Row, Services> {
  readonly reach: string;
  resolve(request: ScopeRequest<Services>): Promise<Scoped<Row>>;
}

export interface JointPlace {
  readonly userId: number;
  /** As the token says; that the account is of it too is asked at the same time. */
  readonly organizationId: string | null;
  readonly params: Readonly<Record<string, string>>;
}

/** As `Scope`, for many callers at once. */
export interface JointScope<Found, Row> {
  readonly reach: string;
  /** For each place, in their order. In the context of all organizations: each place is looked at in its own. */
  findAll(trx: Trx, places: readonly JointPlace[]): Promise<readonly Found[]>;
  /** The row for the handler. Throws NOT_FOUND, then PERMISSION_DENIED. */
  admit(actor: Actor, found: Found): Row;
}

export type Answers = Readonly<Record<number, TSchema>>;
export type AnswerOf<A extends Answers> = {
  [Status in keyof A & number]: Answer<Status, Static<A[Status]> | Uint8Array | EventStream>;
}[keyof A & number];

/** What every handler gets. */
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

/** What public handlers get: no caller and no transaction; they open their own through the services. */
export interface PublicContext<Services, Params, Query, Body> extends RequestContext<Services, Params, Query, Body> {
  /** Throws for an answer outside the route's schema. Called in the handler's transaction, it undoes the work too. */
  checked<A extends Answer>(answer: A): A;
}

/** What handlers of signed-in callers get. `trx` is the request's one transaction, in the resource's tenant context. */
export interface Context<Services, Row, Params, Query, Body> extends RequestContext<Services, Params, Query, Body> {
  readonly actor: Actor;
  readonly trx: Trx;
  readonly scope: Row;
}

/** What handlers of joint reads get. */
export interface JointContext<Services, Row, Params, Query> extends RequestContext<Services, Params, Query, unknown> {
  readonly actor: Actor;
  readonly scope: Row;
}

/** What `inspect` is given: the body as it was sent, its form unproven. */
export interface InspectRequest<Services, Row> {
  readonly services: Services;
  /** The request's one transaction, in the resource's tenant context; writes are recorded as the caller's. */
  readonly trx: Trx;
  readonly actor: Actor;
  readonly scope: Row;
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
   * Renders, exports, explains, tries, simulates, or reads a whole class, school or organization: a person has fewer of
   * these under way at once (`checks/under-way.ts`). Default: false.
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
  /** Of VALIDATION_ERROR for whatever is wrong with the body. Default: 422. */
  readonly bodyFaultStatus?: 400;
  /** Codes beyond those that follow from the fields above. */
  readonly errors?: readonly ErrorCode[];
}

export interface PublicRoute<Services, P extends TObject, Q extends TObject, B extends TSchema, A extends Answers>
  extends RouteParts<P, Q, B, A> {
  readonly charge?: Charge;
  /** Runs before the request is validated: an answer that does not depend on what the body holds. */
  readonly admit?: (request: AdmitRequest<Services>) => Promise<void>;
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
   * Sends what `run` asks in any case together with the question who calls, so that both cost one round trip. Told
   * nothing of the caller and not waited for: what it finds waits for `run`.
   */
  readonly ahead?: (request: AheadRequest<Services>) => void;
  /**
   * For a body that has refusals of its own. Comes after caller, resource, reach and demo, and before the body's form is
   * checked; throws, or lets it pass.
   */
  readonly inspect?: (request: InspectRequest<Services, Row>) => Promise<void>;
  /**
   * For work that takes longer than a transaction may: reads what the work needs, and answers the work itself, which runs
   * when the transaction has ended and its connection is free. All checks come before it, and again before `run`, which
   * gets its outcome as `prepared` and has to see whether what was read still holds.
   */
  readonly prepare?: (ctx: Context<Services, Row, Static<P>, Static<Q>, Static<B>>) => Promise<() => Promise<Prepared>>;
  readonly run: (
    ctx: Context<Services, Row, Static<P>, Static<Q>, Static<B>> & { readonly prepared: Prepared },
  ) => Promise<AnswerOf<A>>;
}

/** A read without a transaction of its own: what `run` looks up it looks up in one that it opens, where it has to. */
export interface JointRoute<
  Services,
  Permission extends string,
  Found,
  Row,
  P extends TObject,
  Q extends TObject,
  A extends Answers,
> extends Omit<RouteParts<P, Q, never, A>, 'method' | 'body' | 'demo'> {
  readonly allow: readonly Permission[];
  readonly scope: JointScope<Found, Row>;
  readonly run: (ctx: JointContext<Services, Row, Static<P>, Static<Q>>) => Promise<AnswerOf<A>>;
}

/** A route as the machinery sees it: schemas and functions, their types proven where the route was written. */
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
  readonly admit: ((request: AdmitRequest<never>) => Promise<void>) | undefined;
  readonly resolve: ((request: ScopeRequest<never>) => Promise<Scoped<unknown>>) | undefined;
  readonly joint: JointScope<unknown, unknown> | undefined;
  readonly ahead: ((request: AheadRequest<never>) => void) | undefined;
  readonly inspect: ((request: InspectRequest<never, never>) => Promise<void>) | undefined;
  readonly prepare: ((ctx: never) => Promise<() => Promise<unknown>>) | undefined;
  readonly run: (ctx: never) => Promise<Answer>;
}
