// Ways to break the body of a request.
import type { Route } from '#core/http/route.ts';
import { pathOf, type Request } from './entry.ts';
import type { Malformed } from './malformed.ts';
import type { Random } from './random.ts';

type Json = Record<string, unknown>;
type BreakBody = (body: Json, random: Random, route: Route) => Omit<Malformed, 'path'>;

export function breakBody(route: Route, request: Request, random: Random): Malformed {
  const body = structuredClone((request.body ?? {}) as Json);
  const ways = route.body && Object.keys(body).length > 0 ? [...anyBody, ...filledBody] : anyBody;
  return { path: pathOf(route, request), ...random.pick(ways)(body, random, route) };
}

const json = (what: string, value: unknown) => ({ what, bytes: JSON.stringify(value) });
const maxBodyBytes = 256 * 1024;

const notJson: BreakBody = (_body, random) => {
  const bytes = random.pick([
    '{',
    '{"a":}',
    '{"a":1,}',
    "{'a':1}",
    'NaN',
    '\u0000',
    '\uFEFF',
    '{"a":1}{}',
    '<a/>',
    '%7B%7D',
  ]);
  return { what: `not JSON: ${JSON.stringify(bytes)}`, bytes };
};

const wrongEncoding: BreakBody = (body, random) => {
  const text = JSON.stringify({ ...body, nonsense: 'é' });
  const encoding = random.pick(['latin1', 'utf16le'] as const);
  return { what: `encoded as ${encoding}`, bytes: new Uint8Array(Buffer.from(text, encoding)) };
};

const foreignType: BreakBody = (body, random) => {
  const type = random.pick([
    'text/plain',
    'application/xml',
    'application/json; charset=utf-16',
    'multipart/form-data',
    '*/*',
  ]);
  return { ...json(`content type ${type}`, { ...body, nonsense: 1 }), headers: { 'content-type': type } };
};

const compressed: BreakBody = (body, random) => {
  const encoding = random.pick(['gzip', 'br', 'deflate', 'nonsense']);
  return { ...json(`content encoding ${encoding}`, body), bytes: '{}', headers: { 'content-encoding': encoding } };
};

const noObject: BreakBody = (_body, random) => {
  const value = random.pick<unknown>([1, -1.5, 'text', true, false, null, [1], [[]], [{}]]);
  return json(`the body is ${JSON.stringify(value)}`, value);
};

const extra: BreakBody = (body, random) => {
  const name = random.pick([
    'nonsense',
    '__proto__',
    'constructor',
    'toString',
    'organization_id',
    'id',
    '',
    '\u202e',
    'a.b',
  ]);
  const text = JSON.stringify({ ...body, extraHere: random.pick<unknown>([1, 'x', null, {}, []]) });
  return { what: `extra property ${JSON.stringify(name)}`, bytes: text.replace('"extraHere"', JSON.stringify(name)) };
};

const deep: BreakBody = (_body, random) => {
  const depth = random.pick([65, 100, 1_000, 20_000]);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const);
  return { what: `${depth} deep`, bytes: `{"nonsense":${open.repeat(depth)}1${close.repeat(depth)}}` };
};

const large: BreakBody = (body) => json('too large', { ...body, nonsense: 'x'.repeat(maxBodyBytes) });

const noText: BreakBody = (body, random) => {
  const bad = random.pick(['a\u0000b', '\ud800', '\udfff\ud800', 'a\udc00']);
  const key = Object.keys(body).find((name) => typeof body[name] === 'string') ?? 'nonsense';
  return json(`${key} is ${JSON.stringify(bad)}`, { ...body, [key]: bad });
};

const anyBody: readonly BreakBody[] = [notJson, wrongEncoding, foreignType, compressed, noObject, extra, deep, noText];

const wrongType: BreakBody = (body, random) => {
  const key = random.pick(Object.keys(body));
  const value = random.pick<unknown>([{}, { a: 1 }, [[]], [{}], [null]]);
  return json(`${key} = ${JSON.stringify(value)}`, { ...body, [key]: value });
};

const otherScalar: BreakBody = (body, random) => {
  const key = random.pick(Object.keys(body));
  const value =
    typeof body[key] === 'string' ? random.pick<unknown>([1, true, 0]) : random.pick<unknown>(['x', true, '']);
  return json(`${key} = ${JSON.stringify(value)}`, { ...body, [key]: value });
};

/** Outside the range of every field. The last one is not even finite. */
const hugeNumber: BreakBody = (body, random) => {
  const key = random.pick(Object.keys(body));
  const number = random.pick(['1e308', '-1e308', '9007199254740993', '-9007199254740993', '1e400', '0.1e-300', '-0.5']);
  return { what: `${key} = ${number}`, bytes: JSON.stringify({ ...body, [key]: 'HERE' }).replace('"HERE"', number) };
};

const missing: BreakBody = (body, random, route) => {
  const required = (route.body as { required?: readonly string[] } | undefined)?.required ?? [];
  const key = required.length > 0 ? random.pick(required) : undefined;
  if (key === undefined) return json('extra property', { ...body, nonsense: 1 });
  const { [key]: _gone, ...rest } = body;
  return json(`${key} is missing`, rest);
};

const filledBody: readonly BreakBody[] = [wrongType, otherScalar, hugeNumber, missing, large];
