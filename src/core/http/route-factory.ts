// The functions that declare routes. Every default of a route is set here, and nowhere else.
import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../platform/errors.ts';
import { defaultBodyLimitBytes, smallBodyLimitBytes } from './checks/body.ts';
import type { Answers, BatchedRoute, BatchedScope, PublicRoute, Route, RouteParts, SignedInRoute } from './route.ts';

/** The members that only some kinds of routes have. */
const absent = {
  beforeValidation: undefined,
  resolve: undefined,
  batched: undefined,
  prefetch: undefined,
  beforeBodyValidation: undefined,
  prepare: undefined,
  discloses: [],
} as const;

/** Binds the functions to the application's services and permissions. */
export function routeFactory<Services, Permission extends string>() {
  return {
    publicRoute<P extends TObject, Q extends TObject, B extends TSchema, A extends Answers>(
      parts: PublicRoute<Services, P, Q, B, A>,
    ): Route {
      return {
        ...absent,
        ...described(parts),
        allow: 'public',
        charge: parts.charge ?? 'public',
        bodyLimitBytes: parts.bodyLimitBytes ?? smallBodyLimitBytes,
        reach: 'public',
        readOnly: false,
        beforeValidation: parts.beforeValidation,
        run: parts.run,
      };
    },
    route<Row, P extends TObject, Q extends TObject, B extends TSchema, A extends Answers, Prepared = undefined>(
      parts: SignedInRoute<Services, Permission, Row, P, Q, B, A, Prepared>,
    ): Route {
      return {
        ...absent,
        ...described(parts),
        errors: errorsOf(parts),
        allow: parts.allow,
        charge: 'public',
        bodyLimitBytes: parts.bodyLimitBytes ?? defaultBodyLimitBytes,
        reach: parts.scope.reach,
        readOnly: isReadOnly(parts),
        discloses: parts.discloses ?? [],
        resolve: parts.scope.resolve,
        prefetch: parts.prefetch,
        beforeBodyValidation: parts.beforeBodyValidation,
        prepare: parts.prepare,
        run: parts.run,
      };
    },
    batchedRoute<Found, Row, P extends TObject, Q extends TObject, A extends Answers>(
      parts: BatchedRoute<Services, Permission, Found, Row, P, Q, A>,
    ): Route {
      return {
        ...absent,
        ...described({ ...parts, method: 'get', demo: 'read' }),
        allow: parts.allow,
        charge: 'public',
        bodyLimitBytes: parts.bodyLimitBytes ?? defaultBodyLimitBytes,
        reach: parts.scope.reach,
        readOnly: true,
        batched: parts.scope as BatchedScope<unknown, unknown>,
        run: parts.run,
      };
    },
  };
}

const isReadOnly = ({ readOnly, method }: Pick<Route, 'method'> & { readonly readOnly?: boolean }): boolean =>
  readOnly ?? method === 'get';

/** Returns the route's own error codes and, for a route that writes, those of its scope. */
function errorsOf(
  parts: Pick<Route, 'method'> & {
    readonly readOnly?: boolean;
    readonly errors?: readonly ErrorCode[];
    readonly scope: { readonly writeErrors?: readonly ErrorCode[] };
  },
): readonly ErrorCode[] {
  const ofScope = isReadOnly(parts) ? [] : (parts.scope.writeErrors ?? []);
  return [...new Set([...(parts.errors ?? []), ...ofScope])];
}

function described<P extends TObject, Q extends TObject, B extends TSchema, A extends Answers>(
  parts: RouteParts<P, Q, B, A>,
) {
  return {
    method: parts.method,
    path: parts.path,
    operation: parts.operation,
    summary: parts.summary,
    tag: parts.tag,
    demo: parts.demo,
    limit: parts.limit ?? 'open',
    heavy: parts.heavy ?? false,
    params: parts.params,
    query: parts.query,
    body: parts.body,
    answers: parts.answers,
    errors: parts.errors ?? [],
    bodyFaultStatus: parts.bodyFaultStatus,
    acceptsForm: parts.acceptsForm ?? false,
  };
}
