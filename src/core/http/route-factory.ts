// The ways to declare a route. What is not said gets its default here, and nowhere else.
import type { TObject, TSchema } from 'typebox';
import { defaultBodyLimitBytes, smallBodyLimitBytes } from './checks/body.ts';
import type { Answers, JointRoute, JointScope, PublicRoute, Route, RouteParts, SignedInRoute } from './route.ts';

/** What only some of the ways say. */
const without = {
  ...{ admit: undefined, resolve: undefined, joint: undefined },
  ...{ ahead: undefined, inspect: undefined, prepare: undefined, discloses: [] },
} as const;

/** Bound once to the application's services and permissions. */
export function routeFactory<Services, Permission extends string>() {
  return {
    publicRoute<P extends TObject, Q extends TObject, B extends TSchema, A extends Answers>(
      parts: PublicRoute<Services, P, Q, B, A>,
    ): Route {
      return {
        ...{ ...without, ...described(parts) },
        allow: 'public',
        charge: parts.charge ?? 'public',
        bodyLimitBytes: parts.bodyLimitBytes ?? smallBodyLimitBytes,
        reach: 'public',
        readOnly: false,
        admit: parts.admit,
        run: parts.run,
      };
    },
    route<Row, P extends TObject, Q extends TObject, B extends TSchema, A extends Answers, Prepared = undefined>(
      parts: SignedInRoute<Services, Permission, Row, P, Q, B, A, Prepared>,
    ): Route {
      return {
        ...{ ...without, ...described(parts) },
        allow: parts.allow,
        charge: 'public',
        bodyLimitBytes: parts.bodyLimitBytes ?? defaultBodyLimitBytes,
        reach: parts.scope.reach,
        readOnly: parts.readOnly ?? parts.method === 'get',
        discloses: parts.discloses ?? [],
        resolve: parts.scope.resolve,
        ...{ ahead: parts.ahead, inspect: parts.inspect },
        prepare: parts.prepare,
        run: parts.run,
      };
    },
    jointRoute<Found, Row, P extends TObject, Q extends TObject, A extends Answers>(
      parts: JointRoute<Services, Permission, Found, Row, P, Q, A>,
    ): Route {
      return {
        ...{ ...without, ...described({ ...parts, method: 'get', demo: 'read' }) },
        allow: parts.allow,
        charge: 'public',
        bodyLimitBytes: parts.bodyLimitBytes ?? defaultBodyLimitBytes,
        reach: parts.scope.reach,
        readOnly: true,
        joint: parts.scope as JointScope<unknown, unknown>,
        run: parts.run,
      };
    },
  };
}

function described<P extends TObject, Q extends TObject, B extends TSchema, A extends Answers>(
  parts: RouteParts<P, Q, B, A>,
) {
  const { method, path, operation, summary, tag, demo, params, query, body, answers } = parts;
  const { limit = 'open', heavy = false, errors = [], bodyFaultStatus, acceptsForm = false } = parts;
  const common = { method, path, operation, summary, tag, demo, limit, heavy, params, query, body, answers, errors };
  return { ...common, bodyFaultStatus, acceptsForm };
}
