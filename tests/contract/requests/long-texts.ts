// A sound request whose every text is, one at a time, far too long: in the body as deep as its schema goes, in the query.
import type { Route } from '#core/http/route.ts';
import type { Schema } from '../answers/schemas.ts';
import { pathOf, type Request } from './entry.ts';
import { adversarialFillings } from './fillings.ts';
import type { Malformed } from './malformed.ts';

/** In a body of at most 256 KiB, and in a line of at most 16 KiB. */
const bodyText = adversarialFillings(200_000)['dots after an at sign'] ?? '';
const queryText = adversarialFillings(6_000)['dots after an at sign'] ?? '';

export interface LongText extends Malformed {
  /** The schema says how long it may be, so that it must be refused. */
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

/** Every place for a text: through properties, lists (their first place) and unions; not into names of the caller's own. */
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

/** Makes the objects and lists on the way where the sound body has none. */
function withText(body: unknown, [head, ...rest]: Path): unknown {
  if (head === undefined) return bodyText;
  if (typeof head === 'number') return [withText(Array.isArray(body) ? body[0] : undefined, rest)];
  const object = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return { ...object, [head]: withText(object[head], rest) };
}
