// timeout: 180s
// Size before content: each list and map of each body, filled to the body's limit with invalid members, is refused
// within little time and memory, and the service keeps running. Large bodies are parsed in a worker thread, small ones
// in the main thread.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { bodyValue } from '#core/http/checks/body-value.ts';
import { LargeBodies } from '#core/http/checks/large-body.ts';
import { checkJson, refuseInvalidBody } from '#core/http/checks/validation.ts';
import type { Route } from '#core/http/route.ts';
import type { AppError } from '#core/platform/errors.ts';
import { type Schema, schemasIn } from '../answers/schemas.ts';

const [mostMs, mostBytes] = [50, 50 * 1024 * 1024];
const smallBytes = 256 * 1024;
const members = ['{}', '[]', '0', '""'];

const bodies = allRoutes().filter(({ body }) => body !== undefined);
const plain = (route: Route): unknown => JSON.parse(JSON.stringify(route.body));
const schemas = bodies.flatMap((route) =>
  [...schemasIn(plain(route))].map(([at, schema]) => [`${route.operation} ${at}`, schema] as const),
);
const isOf = ({ type }: Schema, name: string) => [type].flat().includes(name);

test('every list, map and text of a body has a bound', () => {
  const unbounded = schemas.filter(([, schema]) => {
    const isText = isOf(schema, 'string') && schema.enum === undefined && schema.const === undefined;
    if (isText && schema.maxLength === undefined) return true;
    if (isOf(schema, 'array') && schema.maxItems === undefined) return true;
    return schema.patternProperties !== undefined && schema.maxProperties === undefined;
  });
  assert.equal(
    unbounded.map(([at]) => at),
    [],
  );
  assert.ok(schemas.length > 500);
});

/** Yields the lists and maps of a schema, each with the JSON text before and after it. */
function* listSites(schema: Schema, before = '', after = ''): Generator<readonly [string, string, boolean]> {
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    for (const option of (schema[keyword] ?? []) as Schema[]) yield* listSites(option, before, after);
  }
  if (isOf(schema, 'array')) {
    yield [before, after, true];
    if (schema.items) yield* listSites(schema.items as Schema, `${before}[`, `]${after}`);
  }
  if (schema.patternProperties !== undefined || schema.properties !== undefined) yield [before, after, false];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  for (const [name, member] of properties) {
    // The property that distinguishes the options of a union is included, else no list in them would be reached.
    const tags = properties.filter(([other, { const: value }]) => other !== name && value !== undefined);
    const beside = tags
      .map(([other, { const: value }]) => `${JSON.stringify(other)}:${JSON.stringify(value)},`)
      .join('');
    yield* listSites(member, `${before}{${beside}${JSON.stringify(name)}:`, `}${after}`);
  }
}

function filled(bytes: number, [before, after, isList]: readonly [string, string, boolean], member: string): Buffer {
  const free = bytes - before.length - after.length - 2;
  const parts: string[] = [];
  for (let used = 0, at = 0; ; at++) {
    const part = isList ? member : `"k${at.toString(36)}":${member}`;
    used += part.length + 1;
    if (used > free) break;
    parts.push(part);
  }
  const text = parts.join(',');
  return Buffer.from(`${before}${isList ? `[${text}]` : `{${text}}`}${after}`);
}

/** Returns the least processor time and allocation of several runs, since other work runs meanwhile. */
function leastCost(work: () => void): { readonly ms: number; readonly bytes: number } {
  let least = { ms: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  for (let run = 0; run < 5 && (least.ms > mostMs || least.bytes > mostBytes); run++) {
    const before = { cpu: process.cpuUsage(), heap: process.memoryUsage().heapUsed };
    work();
    const { user, system } = process.cpuUsage(before.cpu);
    const bytes = process.memoryUsage().heapUsed - before.heap;
    least = { ms: Math.min(least.ms, (user + system) / 1_000), bytes: Math.min(least.bytes, bytes) };
  }
  return least;
}

const sentAs = (bytes: Buffer) => ({
  bytes,
  contentType: 'application/json',
  contentEncoding: 'identity',
  isForm: false,
});

for (const route of bodies) {
  const sites = [...listSites(plain(route) as Schema)];
  test(`${route.operation}: ${sites.length} lists and maps filled to the limit`, () => {
    const check = checkJson(route.body as never);
    const size = Math.min(route.bodyLimitBytes, smallBytes);
    const refuse = (bytes: Buffer) => {
      try {
        refuseInvalidBody(check, bodyValue(sentAs(bytes)), bytes.length);
      } catch (error) {
        assert.is((error as AppError).code, 'VALIDATION_ERROR');
      }
    };
    refuse(Buffer.from('{}'));
    for (const site of sites) {
      for (const member of members) {
        const bytes = filled(size, site, member);
        const cost = leastCost(() => refuse(bytes));
        const what = `${site[0]} of ${member}: ${cost.ms.toFixed(0)} ms, ${(cost.bytes / 1024 / 1024).toFixed(0)} MiB`;
        assert.ok(cost.ms <= mostMs && cost.bytes <= mostBytes, what);
      }
    }
  });
}

const large = bodies.filter(({ bodyLimitBytes }) => bodyLimitBytes > smallBytes);

test('there are routes of large bodies', () => {
  assert.equal(large.map(({ operation }) => operation).sort(), [
    'createRuleChange',
    'examineRuleChange',
    'importBlueprints',
    'importRuleSets',
    'liveImpact',
    'putChangeDocument',
    'submitLmsToken',
    'testLmsConnection',
  ]);
});

const form = (head: string, bytes: number) =>
  Buffer.concat([Buffer.from(`--b\r\n${head}`), Buffer.alloc(bytes, '%0A%0D%22'), Buffer.from('\r\n--b--\r\n')]);

for (const route of large) {
  test(`${route.operation}: filled to the limit, each is refused and the process keeps running`, async () => {
    const reading = new LargeBodies();
    const receive = async (bytes: Buffer, contentType = 'application/json') => {
      const body = {
        mayBeLarge: true,
        release: () => {},
        read: async () => ({ content: { bytes }, sizeBytes: bytes.length }),
      };
      const message = { headers: { 'content-type': contentType } };
      const { content } = await reading.receive(route, { message, body } as never, 1);
      assert.ok('refusal' in content);
      assert.equal([content.refusal.code, content.refusal.status], ['VALIDATION_ERROR', 422]);
    };
    const limit = route.bodyLimitBytes;
    const [deepest] = [...listSites(plain(route) as Schema)].filter(([, , isList]) => isList);
    assert.ok(deepest);
    for (const member of members) await receive(filled(limit, deepest, member));
    await receive(Buffer.from('['.repeat(limit)));
    await receive(Buffer.from(`${'{"a":'.repeat(limit / 6)}0${'}'.repeat(limit / 6)}`));
    if (!route.acceptsForm) return;
    const type = 'multipart/form-data; boundary=b';
    await receive(form('Content-Disposition: form-data; name="', limit - 200), type);
    await receive(Buffer.from(`--b\r\n\r\n`.repeat(limit / 8)), type);
    const part = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n\r\n';
    await receive(Buffer.from(`${part.repeat(limit / part.length - 1)}--b--\r\n`), type);
  });
}

test.run();
