// The OpenAPI 3.1 document, derived from the route values alone.
import type { TObject, TSchema } from 'typebox';
import { type ErrorCode, errorStatus } from '../../platform/errors.ts';
import { creates } from '../guards.ts';
import type { Route } from '../route.ts';
import { ErrorEnvelope } from '../schemas.ts';
import { type Components, componentsOf } from './components.ts';

const signedInErrors: readonly ErrorCode[] = ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'SESSION_REVOKED'];

export function openApiDocument(routes: readonly Route[]): object {
  const components = componentsOf();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Literacy assessment and intervention service',
      version: '1.0.0',
      description: 'Measures early Arabic literacy in grades 1 to 4, and explains every result.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].sort().map((name) => ({ name })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      ...components.all(),
    },
  };
}

/** Returns every status with which the route may answer, successes and refusals, as its description lists them. */
export const describedStatuses = (route: Route): ReadonlySet<number> =>
  new Set([
    ...Object.keys(route.answers).map(Number),
    ...errorCodesOf(route).map((code) => errorStatus[code]),
    ...(route.bodyFaultStatus ? [route.bodyFaultStatus] : []),
  ]);

function operationOf(route: Route, components: Components): object {
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [route.tag],
    ...(route.allow === 'public' && { security: [] }),
    'x-permissions': permissionsOf(route),
    'x-reach': route.reach,
    'x-demo': route.demo,
    'x-heavy': route.heavy,
    parameters: [
      ...parametersOf(route.params, 'path', components),
      ...parametersOf(route.query, 'query', components),
      ...(isRepeatable(route) ? [idempotencyKey] : []),
      ...(route.errors.includes('PRECONDITION_FAILED') ? [ifMatch] : []),
    ],
    ...(route.body && { requestBody: requestBody(route, route.body, components) }),
    responses: { ...successes(route, components), ...failures(route, components) },
  };
}

/** Whether the route accepts an Idempotency-Key. Answers of anonymous callers are not stored. */
const isRepeatable = (route: Route) => creates(route) && route.allow !== 'public';

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The first answer is kept for 24 hours and given again for the same key and body; a body whose members stand in another order is the same body.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The ETag of what was read: the change is refused when another one was made in the meantime.',
  schema: { type: 'string' },
};

/** Returns `public`, `signed in`, or the permissions: one of `anyOf` suffices, all of `allOf` are needed. */
function permissionsOf({ allow }: Route): object | string {
  if (typeof allow === 'string') return allow;
  return 'allOf' in allow ? { allOf: allow.allOf } : { anyOf: allow };
}

function parametersOf(schema: TObject | undefined, where: 'path' | 'query', { refer }: Components): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || requiredNames(schema).includes(name),
    schema: refer(property as TSchema),
  }));
}

function requestBody(route: Route, schema: TSchema, { refer }: Components): object {
  const required = 'required' in schema && Array.isArray(schema.required) && schema.required.length > 0;
  const json = { 'application/json': { schema: refer(schema, `${typeName(route)}Request`) } };
  return { required, content: { ...json, ...(route.acceptsForm && { 'multipart/form-data': { schema: filesForm } }) } };
}

/** The other fields of a form are those of the body as JSON. */
const filesForm = {
  type: 'object',
  properties: { type: { type: 'string' }, files: { type: 'array', items: { type: 'string', format: 'binary' } } },
};

const words: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done',
  302: 'Redirect',
  304: 'Not modified: the answer is the one whose ETag `If-None-Match` names',
};

function successes(route: Route, { refer }: Components): Record<string, object> {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => {
      const description = words[Number(status)] ?? 'Answer';
      if (Number(status) === 204 || 'not' in schema) return [status, { description }];
      const mediaType = 'contentMediaType' in schema ? String(schema.contentMediaType) : 'application/json';
      return [
        status,
        { description, content: { [mediaType]: { schema: refer(schema, `${typeName(route)}Response`) } } },
      ];
    }),
  );
}

/** Groups the error codes of the route by status: those that follow from its fields, and those that it declares. */
function failures(route: Route, { refer, referRefusal }: Components): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(errorCodesOf(route))) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  }
  if (route.bodyFaultStatus) byStatus.set(route.bodyFaultStatus, ['VALIDATION_ERROR']);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      referRefusal(codes, refusalOf(codes, refer(ErrorEnvelope))),
    ]),
  );
}

const refusalOf = (codes: readonly ErrorCode[], schema: object): object => ({
  description: codes.join(', '),
  content: { 'application/json': { schema } },
});

function errorCodesOf(route: Route): readonly ErrorCode[] {
  return [
    ...(route.allow === 'public' ? [] : signedInErrors),
    ...(route.allow === 'public' || route.allow === 'signed in' ? [] : (['PERMISSION_DENIED'] as const)),
    ...(route.params ? (['NOT_FOUND'] as const) : []),
    ...(route.demo === 'blocked' ? (['DEMO_READ_ONLY'] as const) : []),
    'VALIDATION_ERROR',
    ...(isRepeatable(route) ? (['CONFLICT'] as const) : []),
    ...(route.limit === 'none' ? [] : (['RATE_LIMITED'] as const)),
    ...route.errors,
    'INTERNAL',
    'ENGINE_UNAVAILABLE',
  ];
}

/** `createClass` → `CreateClass`. */
const typeName = ({ operation }: Route): string => operation.charAt(0).toUpperCase() + operation.slice(1);

const requiredNames = (schema: TObject | undefined): readonly string[] => schema?.required ?? [];
