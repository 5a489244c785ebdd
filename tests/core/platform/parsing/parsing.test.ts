// timeout: 180s
// Texts of callers that would use all memory or time end their thread at most, and are refused with the reason.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exceededBound } from '#core/platform/parsing/json-size.ts';
import { startParsing } from '#core/platform/parsing/parsing.ts';
import { startWorkerPool } from '#core/platform/process/worker-pool.ts';

const test = suite('parsing');
const parsing = startParsing();
test.after(() => parsing.stop());
const mib = 1024 * 1024;
const endless = { values: 1e9, members: 1e9, depth: 1e9 };

/** Returns `begin`, then `part` as often as `bytes` allow, then `end`. */
function filled(bytes: number, begin: string, part: string, end: string): Buffer {
  const times = Math.floor((bytes - begin.length - end.length + 1) / (part.length + 1));
  return Buffer.from(`${begin}${Array(times).fill(part).join(',')}${end}`);
}

/** About the largest accepted number of values, in the forms that take the most memory. */
const most = 499_000;
const named = (at: number) => `{"${at.toString(36)}":0}`;
const hostile: readonly (readonly [string, () => Buffer])[] = [
  ['20 MiB of {}', () => filled(20 * mib, '{"a":[', '{}', ']}')],
  ['20 MiB of []', () => filled(20 * mib, '{"a":[', '[]', ']}')],
  ['20 MiB of 0', () => filled(20 * mib, '{"a":[', '0', ']}')],
  ['20 MiB of ""', () => filled(20 * mib, '{"a":[', '""', ']}')],
  ['20 MiB of nested lists', () => Buffer.from('['.repeat(10 * mib) + ']'.repeat(10 * mib))],
  ['20 MiB of nested maps', () => Buffer.from(`${'{"a":'.repeat(3 * mib)}0${'}'.repeat(3 * mib)}`)],
  ['one value too many', () => Buffer.from(`[${Array(500_000).fill('0').join(',')}]`)],
];
const borne: readonly (readonly [string, () => string])[] = [
  [
    'empty maps',
    () =>
      `[${Array(most / 2)
        .fill('{}')
        .join(',')}]`,
  ],
  [
    'empty lists',
    () =>
      `[${Array(most / 2)
        .fill('[]')
        .join(',')}]`,
  ],
  ['maps with a name of their own each', () => `[${Array.from({ length: most / 2 }, (_, at) => named(at)).join(',')}]`],
  ['one map', () => `{${Array.from({ length: most }, (_, at) => `"${at.toString(36)}":0.5`).join(',')}}`],
  ['numbers as names', () => `{${Array.from({ length: most }, (_, at) => `"${at * 4001}":0`).join(',')}}`],
  ['Arabic texts', () => `[${Array(most).fill('"كتاب كبير"').join(',')}]`],
  ['fractions', () => `[${Array(most).fill('0.5').join(',')}]`],
  [
    'maps of ten names each',
    () =>
      `[${Array.from({ length: most / 11 }, (_, at) => `{${Array.from({ length: 10 }, (_, k) => `"${(at * 10 + k).toString(36)}":0`).join(',')}}`).join(',')}]`,
  ],
];

for (const [what, text] of hostile) {
  test(`${what}: too complex, and the next text is read`, async () => {
    assert.equal(await parsing.json(text()), { fault: 'too_complex' });
    assert.equal(await parsing.json(Buffer.from('{"a":1}')), { value: { a: 1 } });
  });
}

for (const [what, text] of borne) {
  test(`as many values as are let through, ${what}: half of the heap is enough`, async () => {
    const half = startWorkerPool({ program: 'workers/parsing/worker.ts', data: null, count: 1, heapMb: 128 });
    const bytes = Buffer.from(text());
    assert.is(exceededBound(bytes, { ...endless, values: 500_000 }), undefined);
    const { value } = (await half.run('json', { bytes, bounds: endless })) as { value?: unknown };
    assert.type(value, 'object');
    await half.stop();
  });
}

test('one string of 20 MiB is returned unchanged', async () => {
  const long = 'QUJD'.repeat(5 * mib - 10);
  assert.equal(await parsing.json(Buffer.from(JSON.stringify({ long }))), { value: { long } });
});

test('invalid UTF-8 and invalid JSON are distinguished', async () => {
  for (const bytes of [Buffer.from('{"a":'), Buffer.from([0x22, 0xff, 0x22]), Buffer.from('')])
    assert.equal(await parsing.json(bytes), { fault: 'no_json' });
});

test('bounds hold for all values, for the members of one list, and for the depth', () => {
  const of = (text: string, bounds: object) => exceededBound(Buffer.from(text), { ...endless, ...bounds });
  assert.is(of('{"classes":[{},{},{}]}', { members: 3 }), undefined);
  assert.is(of('{"classes":[{},{},{},{}]}', { members: 3 }), 'members');
  assert.is(of('["a,b,c,d,\\"[[{,"]', { members: 1, values: 2, depth: 1 }), undefined);
  assert.is(of('[1,[2],3]', { values: 5 }), undefined);
  assert.is(of('[1,[2],3,4]', { values: 4 }), 'values');
  assert.is(of('[[[]]]', { depth: 3 }), undefined);
  assert.is(of('[[[]]]', { depth: 2 }), 'depth');
  assert.is(of('"\\\\\\\\","', { values: 2 }), undefined);
});

test('the number of values of a JSON text is never underestimated', () => {
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, member) => sum + count(member), 1)
      : 1;
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (value) => {
      const bytes = Buffer.from(JSON.stringify(value));
      assert.is(exceededBound(bytes, { ...endless, values: count(value) - 1 }), 'values');
    }),
  );
});

test('two are parsed at once, a third waits, and one that waits too long gets retryAfter', async () => {
  const brief = startParsing({ waitMs: 1 });
  const asked = await Promise.allSettled(Array.from({ length: 6 }, () => brief.json(filled(mib / 2, '[', '0', ']'))));
  const refused = asked.filter(({ status }) => status === 'rejected');
  assert.is(asked.length - refused.length, 2);
  for (const { reason } of refused as PromiseRejectedResult[])
    assert.equal([reason.code, reason.status, reason.retryAfter > 0], ['ENGINE_UNAVAILABLE', 503, true]);
  await brief.stop();
});

test.run();
