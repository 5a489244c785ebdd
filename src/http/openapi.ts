// The OpenAPI 3.1 document, derived from the route values alone.
import type { TObject, TSchema } from 'typebox';
import { type ErrorCode, errorStatus } from '../platform/errors.ts';
import type { Route } from './route.ts';
import { ErrorEnvelope } from './schemas.ts';

const signedInErrors: readonly ErrorCode[] = ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'SESSION_REVOKED'];

export function openApiDocument(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
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
      schemas: { Error: plain(ErrorEnvelope) },
    },
  };
}

function operationOf(route: Route): object {
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [route.tag],
    ...(route.allow === 'public' && { security: [] }),
    'x-permissions': permissionsOf(route),
    'x-reach': route.reach,
    'x-demo': route.demo,
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(creates(route) ? [idempotencyKey] : []),
      ...(route.errors.includes('PRECONDITION_FAILED') ? [ifMatch] : []),
    ],
    ...(route.body && { requestBody: requestBody(route.body) }),
    responses: { ...successes(route), ...failures(route) },
  };
}

/** Nothing is kept for callers who are unknown: a repeated request of theirs is a request like any other. */
const creates = (route: Route) => route.method === 'post' && 201 in route.answers && route.allow !== 'public';

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The first answer is kept for 24 hours and given again for the same key and body.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The ETag of what was read: the change is refused when somebody else was faster.',
  schema: { type: 'string' },
};

/** `public`, `signed in`, or which permissions: one of `anyOf` suffices, all of `allOf` are needed. */
function permissionsOf({ allow }: Route): object | string {
  if (typeof allow === 'string') return allow;
  return 'allOf' in allow ? { allOf: allow.allOf } : { anyOf: allow };
}

function parametersOf(schema: TObject | undefined, where: 'path' | 'query'): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || requiredNames(schema).includes(name),
    schema: plain(property as TSchema),
  }));
}

function requestBody(schema: TSchema): object {
  const required = 'required' in schema && Array.isArray(schema.required) && schema.required.length > 0;
  return { required, content: { 'application/json': { schema: plain(schema) } } };
}

const words: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done',
  302: 'Redirect',
};

function successes(route: Route): Record<string, object> {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => {
      const description = words[Number(status)] ?? 'Answer';
      if (Number(status) === 204 || 'not' in schema) return [status, { description }];
      const mediaType = 'contentMediaType' in schema ? String(schema.contentMediaType) : 'application/json';
      return [status, { description, content: { [mediaType]: { schema: plain(schema) } } }];
    }),
  );
}

/** Codes that follow from the route's own fields, and those it names; grouped by status. */
function failures(route: Route): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(errorCodesOf(route))) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

export function errorCodesOf(route: Route): readonly ErrorCode[] {
  return [
    ...(route.allow === 'public' ? [] : signedInErrors),
    ...(route.allow === 'public' || route.allow === 'signed in' ? [] : (['PERMISSION_DENIED'] as const)),
    ...(route.params ? (['NOT_FOUND'] as const) : []),
    ...(route.demo === 'blocked' ? (['DEMO_READ_ONLY'] as const) : []),
    'VALIDATION_ERROR',
    ...(creates(route) ? (['CONFLICT'] as const) : []),
    ...(route.limit === 'none' ? [] : (['RATE_LIMITED'] as const)),
    ...route.errors,
    'INTERNAL',
    'ENGINE_UNAVAILABLE',
  ];
}

/** A schema as plain JSON: TypeBox keeps notes of its own in symbols and hidden properties. */
const plain = (schema: TSchema): object => JSON.parse(JSON.stringify(schema)) as object;

const requiredNames = (schema: TObject | undefined): readonly string[] => schema?.required ?? [];
