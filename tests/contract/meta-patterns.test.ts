// Length before pattern: no request can make a pattern or a format run for a long time.
import type { TSchema } from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { checkJson } from '#core/http/checks/validation.ts';
import { type Schema, schemasIn } from './answers/schemas.ts';
import { adversarialFillings } from './requests/fillings.ts';

const limitMs = 50;
const fillings = Object.entries(adversarialFillings(200_000));

/** Every schema that validates requests, with its path. */
const requestSchemas = allRoutes().flatMap((route) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    [...schemasIn(route[part] && JSON.parse(JSON.stringify(route[part])))].map(
      ([at, schema]) => [`${route.operation} ${part} ${at}`, schema] as const,
    ),
  ),
);
const costly = requestSchemas.filter(([, { pattern, format }]) => pattern !== undefined || format !== undefined);

/** The same pattern occurs in many schemas. */
function distinct(entries: readonly (readonly [string, Schema])[]): (readonly [string, Schema])[] {
  return [...new Map(entries.map(([at, schema]) => [JSON.stringify(schema), [at, schema] as const])).values()];
}

/** Returns the processor time of the fastest of three runs, because load of the machine is not work of the pattern. */
function fastestMs(work: () => unknown): number {
  const runs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1_000;
  });
  return Math.min(...runs);
}

function assertQuick(what: string, work: (text: string) => unknown): void {
  for (const [filling, text] of fillings) {
    const ms = fastestMs(() => work(text));
    assert.ok(ms < limitMs, `${what}: ${ms.toFixed(0)} ms on ${filling}`);
  }
}

test('patterns and formats are found', () => {
  assert.ok(costly.length > 100);
  assert.ok(costly.some(([at]) => at.startsWith('createUser body')));
});

test('every string with a pattern or a format has a maxLength', () => {
  assert.equal(
    costly.filter(([, { maxLength }]) => maxLength === undefined).map(([at]) => at),
    [],
  );
});

test('every list of different items has a maxItems', () => {
  const lists = requestSchemas.filter(([, { uniqueItems }]) => uniqueItems === true);
  assert.equal(
    lists.filter(([, { maxItems }]) => maxItems === undefined).map(([at]) => at),
    [],
  );
});

for (const [at, schema] of distinct(costly)) {
  const { pattern, format } = schema;

  test(`${at}: 200 KB of any text are refused at once`, () => {
    const check = checkJson(schema as TSchema);
    assertQuick(at, (text) => assert.is.not(check(text).length, 0));
  });

  test(`${at}: ${pattern ?? format} is linear without a length limit too`, () => {
    if (typeof pattern === 'string') assertQuick(at, (text) => new RegExp(pattern, 'u').test(text));
    if (format !== undefined) assertQuick(at, checkJson({ type: 'string', format } as TSchema));
  });
}

test('the patterns of names are linear: a name may be as long as the body', () => {
  const names = new Set(requestSchemas.flatMap(([, schema]) => Object.keys(schema.patternProperties ?? {})));
  assert.ok(names.size > 0);
  for (const pattern of names) assertQuick(pattern, (text) => new RegExp(pattern, 'u').test(text));
});

test.run();
