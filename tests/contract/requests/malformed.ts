// Breaks a valid request in one way, so that it must be refused.
import type { Route } from '#core/http/route.ts';
import { pathOf, type Request } from './entry.ts';
import { breakBody } from './malformed-body.ts';
import type { Random } from './random.ts';

export interface Malformed {
  /** The defect, for the report of a failure. */
  readonly what: string;
  readonly path: string;
  readonly bytes?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Break = (route: Route, request: Request, random: Random) => Malformed;

/** Returns one broken variant of `request`. */
export function malformed(route: Route, request: Request, random: Random): Malformed {
  const ways: Break[] = [breakQuery];
  if (route.params) ways.push(breakPath, breakPath);
  if (route.allow !== 'public') ways.push(breakToken);
  if (route.method !== 'get') ways.push(breakBody, breakBody, breakBody, breakBody, breakBody, breakBody);
  return random.pick(ways)(route, request, random);
}

/** Percent-encoded. None of them is a valid id. */
const badIds = [
  '0',
  '-1',
  '1.5',
  'abc',
  'null',
  '9007199254740993',
  '99999999999999999999',
  '%00',
  '1%00',
  '%ff',
  '%20',
  '..%2f..%2fetc%2fpasswd',
  "1'--",
  '1%20or%201%3D1',
  '%D9%A1%D9%A2',
  '%EF%BC%91',
  '%F0%9F%98%80',
  '1e3',
  '0x10',
  'A'.repeat(24),
  'a'.repeat(300),
];

function breakPath(route: Route, request: Request, random: Random): Malformed {
  const name = random.pick(Object.keys(route.params?.properties ?? {}));
  const bad = random.pick(badIds);
  const mark = 'BROKENPART';
  const path = pathOf(route, { ...request, params: { ...request.params, [name]: mark } }).replace(mark, bad);
  return { what: `path id ${name} = ${bad}`, path, ...sound(route, request) };
}

const badQueries = [
  'nonsense=1',
  'nonsense=1&nonsense=2',
  '__proto__=1',
  'constructor=1',
  'limit=0',
  'limit=-1',
  'limit=101',
  'limit=1.5',
  'limit=ten',
  'limit=1e400',
  'limit=5&limit=6',
  'cursor=',
  'cursor=%00',
  'cursor=garbage',
  'cursor=W10',
  'cursor=WyIiLCIiLCIiXQ',
  `cursor=${'a'.repeat(600)}`,
  '%ff=%ff',
  '%00=1',
  '=1',
];

function breakQuery(route: Route, request: Request, random: Random): Malformed {
  const bad = random.pick(badQueries);
  const path = pathOf(route, request);
  return {
    what: `query ${bad.slice(0, 40)}`,
    path: `${path}${path.includes('?') ? '&' : '?'}${bad}`,
    ...sound(route, request),
  };
}

const badTokens = [
  '',
  'Bearer',
  'Bearer x',
  'Bearer a.b.c',
  'Basic YTpi',
  'Bearer e30.e30.',
  `Bearer ${'a'.repeat(4000)}.b.c`,
];

function breakToken(route: Route, request: Request, random: Random): Malformed {
  const authorization = random.pick(badTokens);
  return {
    what: `authorization ${authorization.slice(0, 20)}`,
    path: pathOf(route, request),
    ...sound(route, request),
    headers: { authorization },
  };
}

/** Returns the valid body. */
const sound = (route: Route, { body }: Request) =>
  route.method === 'get' || body === undefined ? {} : { bytes: JSON.stringify(body) };
