// Valid requests in which one text at a time is far too long: at any depth of the body, and in the query.
import type { Route } from '#core/http/route.ts';
import type { Schema } from '../answers/schemas.ts';
import { pathOf, type Request } from './entry.ts';
import { adversarialFillings } from './fillings.ts';
import type { Malformed } from './malformed.ts';

/** For a body of at most 256 KiB, and for a request line of at most 16 KiB. */
const bodyText = adversarialFillings(200_000)['dots after an at sign'] ?? '';
const queryText = adversarialFillings(6_000)['dots after an at sign'] ?? '';

export interface LongText extends Malformed {
  /** True when the schema limits the length, so that the request must be refused. */
  readonly bounded: boolean;
}

export function longTexts(route: Route, request: Request): LongText[] {
  return [...longBodies(route, request), ...longQueries(route, request)];
}

type Path = readonly (string | number)[];

function longBodies(route: Route, request: Request): LongText[] {
  if (!route.body) return [];
  return [...textsIn(JSON.parse(JSON.stringify(route.body)) as Schema, [])].map(({ at, bounded }) => ({
    what: `${at.join('.')} is ${bodyText.length} characters long`,
    bounded,
    path: pathOf(route, request),
    bytes: JSON.stringify(withText(structuredClone(request.body ?? {}), at)),
  }));
}

function longQueries(route: Route, request: Request): LongText[] {
  const sound = route.method === 'get' || request.body === undefined ? {} : { bytes: JSON.stringify(request.body) };
  return Object.keys(route.query?.properties ?? {}).map((name) => ({
    what: `?${name} is ${queryText.length} characters long`,
    bounded: true,
    path: pathOf(route, { ...request, query: { ...request.query, [name]: queryText } }),
    ...sound,
  }));
}

/**
 * Yields the path of every text: through properties, lists (their first member) and unions, but not names chosen by the
 * caller.
 */
function* textsIn(schema: Schema, at: Path): Generator<{ readonly at: Path; readonly bounded: boolean }> {
  if (schema.type === 'string') yield { at, bounded: schema.maxLength !== undefined };
  for (const [name, inner] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    yield* textsIn(inner, [...at, name]);
  }
  for (const branch of [schema.anyOf, schema.oneOf, schema.allOf].flat()) {
    if (branch) yield* textsIn(branch as Schema, at);
  }
  if (schema.items) yield* textsIn(schema.items as Schema, [...at, 0]);
}

/** Creates missing objects and lists on the path. */
function withText(body: unknown, [head, ...rest]: Path): unknown {
  if (head === undefined) return bodyText;
  if (typeof head === 'number') return [withText(Array.isArray(body) ? body[0] : undefined, rest)];
  const object = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return { ...object, [head]: withText(object[head], rest) };
}
