// Batches of maximum size: one byte more is refused, and other requests are served while the largest is evaluated.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSuperAdmin, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { blueprintOf, importBody } from './rows.ts';

const test = suite('the largest imports');
const app = useApp(test, { rules: true });
const { owner } = app.database;
const address = '/api/session-blueprints/import';
const mostBytes = 5 * 1024 * 1024;
let token: string;
test.before(async () => {
  token = await signIn(app, await buildSuperAdmin(owner));
});

interface Imported {
  readonly state: string;
  readonly details?: readonly { readonly issue: string }[];
  readonly report: { readonly blueprints: number; readonly errors: number; readonly findings: readonly object[] };
}
const send = (bytes: string | Uint8Array<ArrayBuffer>) => app.request<Imported>('POST', address, { token, bytes });

test('5 MiB and one byte are refused before the body is parsed', async () => {
  const { status, body } = await send(new Uint8Array(mostBytes + 1).fill(0x78));
  assert.equal([status, body.details?.[0]?.issue], [422, `is larger than ${mostBytes} bytes`]);
  assert.is((await send(new Uint8Array(mostBytes).fill(0x78))).body.details?.[0]?.issue, 'is not JSON');
  assert.equal(await owner('blueprint_batch'), []);
});

/** Each script is different, so that every text is checked. */
const script = (at: number) =>
  Array.from({ length: 40 }, (_, no) => `نقرأ السطر ${at * 40 + no} معًا.`)
    .join(' ')
    .slice(0, 350);
const many = (count: number, overrides: object = {}) =>
  Array.from({ length: count }, (_, at) => {
    const one = blueprintOf({ blueprintCode: `MANY-${at}`, ...overrides });
    return { ...one, segments: one.segments.map((segment) => ({ ...segment, scriptAr: script(at) })) };
  });

test('1,000 blueprints in 5 MiB are imported while other requests are served', async () => {
  const text = JSON.stringify(importBody(many(1_000), 'LARGEST'));
  const padding = mostBytes - Buffer.byteLength(text);
  assert.ok(padding >= 0, String(padding));
  const order: string[] = [];
  const noted = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const answer = await work;
    order.push(name);
    return answer;
  };
  const imported = noted('import', send(text + ' '.repeat(padding)));
  for (let turn = 0; turn < 3; turn += 1) await noted('other', app.get('/api/sessions/catalog', { token }));
  const { status, body } = await imported;
  assert.equal([status, body.state, body.report.blueprints, body.report.errors], [201, 'validated', 1_000, 0]);
  assert.equal(order, ['other', 'other', 'other', 'import']);
});

test('a report counts all findings and lists a thousand, errors first', async () => {
  const bad = many(150, { stepNo: 99, durationMinutes: 30, items: [] });
  const { body } = await send(JSON.stringify(importBody(bad, 'WORST')));
  assert.is(body.state, 'invalid');
  // Per blueprint: an unknown step, wrong minutes, six undefined items.
  assert.equal([body.report.errors, body.report.findings.length], [1_200, 1_000]);
});

test.run();
