// timeout: 240s
// Language rules over HTTP: what a text may say, versions that replace each other, and nothing stated without a set.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { loadRules } from '#rules/rulesets/files.ts';
import { installRules } from '#rules/rulesets/install.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { shippedCases, shippedRules } from '../../rules/language/sets.ts';
import { type Backoffice, buildBackoffice, type JsonReply } from '../workbench/backoffice.ts';

const test = suite('language rules over HTTP');
const app = useApp(test, { rules: true });
let office: Backoffice;
let world: World;
test.before(async () => {
  office = await buildBackoffice(app);
  world = await buildWorld(app);
});

interface Row {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly state: string;
  readonly rules: readonly { readonly id: string }[];
  readonly createdBy: number | null;
  readonly deactivatedAt: string | null;
}
const validate = (text: string, tier: string): Promise<JsonReply> =>
  office.author.post('/api/language-rules/validate', { text, tier });
const rows = async (): Promise<Row[]> => (await office.author.get('/api/language-rules')).body.items as Row[];
const active = async (key: string): Promise<Row | undefined> =>
  (await rows()).find((row) => row.key === key && row.state === 'active');
const post = (key: string, rules: unknown): Promise<JsonReply> =>
  office.author.post('/api/language-rules', { key, rules });
const catching = (id: string, phrase: string) => ({
  ...{ id, tiers: ['student'], match: { phrases: [phrase] }, action: 'block', reasonCode: 'blame' },
});

test('validate answers what the set of the tier says, and by which version', async () => {
  const { status, body } = await validate('الطفل ضَعيفٌ في القراءة', 'parent');
  assert.is(status, 200);
  assert.equal(body, {
    safe: false,
    violations: [{ ruleId: 'FAM-DEF-01', start: 6, end: 12, action: 'block', reasonCode: 'deficit_label' }],
    rewritten: null,
    ruleVersion: 'language/family@2',
  });
  assert.equal((await validate('', 'student')).body, {
    ...{ safe: true, violations: [], rewritten: null, ruleVersion: 'language/student@2' },
  });
  const blocked = await validate('طالب ضعيف', 'ui');
  assert.equal(
    [blocked.body.safe, blocked.body.rewritten],
    [false, null],
    'a word in its place would break the sentence',
  );
});

test('every case of the shipped sets, asked over HTTP in samples', async () => {
  for (const key of ['staff', 'family', 'student'] as const) {
    for (const one of shippedCases(key).filter((_, at) => at % 12 === 0)) {
      const { body } = await validate(one.text, one.tier);
      assert.equal([body.safe, body.rewritten], [one.safe, one.rewritten], one.name);
    }
  }
});

test('a text has at most 2,000 characters, however they are coded', async () => {
  assert.is((await validate('🌟'.repeat(2_000), 'ui')).status, 200);
  assert.is((await validate('🌟'.repeat(2_001), 'ui')).status, 422);
  assert.is((await validate('كتاب', 'everybody')).status, 422);
});

test('teachers and administrators may ask; principals, students and parents may not', async () => {
  const status = async (persona: 'TEACHER' | 'ADMIN' | 'PRINCIPAL' | 'STUDENT' | 'PARENT' | 'MANAGER') =>
    (
      await app.post(
        '/api/language-rules/validate',
        { text: 'كتاب', tier: 'ui' },
        { token: world.own.people[persona].token },
      )
    ).status;
  assert.equal(
    [
      await status('TEACHER'),
      await status('ADMIN'),
      await status('PRINCIPAL'),
      await status('STUDENT'),
      await status('PARENT'),
    ],
    [200, 200, 403, 403, 403],
  );
});

test('a new version is in force at once, the prior one is retired, and texts that it catches are reported', async () => {
  const before = await active('student');
  const reply = await post('student', [...shippedRules('student'), catching('STU-NEW-01', 'قراءة الكلمات')]);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  assert.is(reply.body.version, 3);
  assert.is(reply.body.state, 'active');
  assert.is(reply.body.createdBy, office.author.id);
  const affected = reply.body.affected as { id: string; tier: string; ruleIds: string[] }[];
  assert.ok(
    affected.some(({ id, ruleIds }) => id === 'catalogue/subskills/WORD_READING' && ruleIds.includes('STU-NEW-01')),
  );
  assert.ok(affected.every(({ tier }) => tier === 'student'));
  const old = (await rows()).find(({ id }) => id === before?.id);
  assert.is(old?.state, 'retired');
  assert.ok(old?.deactivatedAt);
  assert.is((await validate('قراءة الكلمات', 'student')).body.ruleVersion, 'language/student@3');
  assert.is((await validate('قراءة الكلمات', 'student')).body.safe, false);
  const versions = await office.author.get('/api/admin/rule-sets/language/student/versions');
  assert.equal(
    (versions.body.items as { version: number; state: string }[]).map(({ version, state }) => [version, state]),
    [
      [3, 'active'],
      [2, 'retired'],
      [1, 'published'],
    ],
  );
});

test('no version lets a digit or a code reach parents: earlier cases are answered by every later one', async () => {
  const lax = shippedRules('family').filter(({ id }) => id !== 'FAM-NUM-01');
  const reply = await post('family', lax);
  assert.is(reply.status, 422);
  assert.ok(reply.body.details?.some(({ issue }) => issue === 'CASE_FAILED'));
  assert.is((await active('family'))?.version, 2);
});

test('what no set may hold: unknown keys, no rules, patterns that try again, replacements that do not pass', async () => {
  const rules = shippedRules('staff');
  assert.is((await post('context-flags', rules)).status, 422);
  assert.is((await post('nobody', rules)).status, 422);
  assert.is((await post('staff', [])).status, 422);
  const one = (more: object) => post('staff', [...rules, { ...catching('NEW-01', 'كلمة'), tiers: ['ui'], ...more }]);
  for (const more of [
    { match: { pattern: '(a+)+' } },
    { match: { pattern: '(?=a)b' } },
    { match: { phrases: ['%'] } },
    { tiers: ['parent'] },
    { action: 'rewrite' },
    { replacementAr: 'كتاب' },
    { action: 'rewrite', replacementAr: 'غبي' },
    { id: rules[0]?.id },
    { unknown: 1 },
  ]) {
    assert.is((await one(more)).status, 422, JSON.stringify(more));
  }
  assert.is((await active('staff'))?.version, 2);
});

test('two at once: numbers without a gap, one in force', async () => {
  const rules = shippedRules('staff');
  const replies = await Promise.all(
    [1, 2, 3].map((at) => post('staff', [...rules, { ...catching(`NEW-0${at}`, `كلمة ${at}`), tiers: ['ui'] }])),
  );
  const statuses = replies.map(({ status }) => status);
  assert.ok(
    statuses.every((status) => status === 201 || status === 409),
    String(statuses),
  );
  assert.ok(statuses.includes(201));
  const staff = (await rows()).filter(({ key }) => key === 'staff');
  assert.equal(
    staff.map(({ version }) => version),
    staff.map((_, at) => staff.length - at),
  );
  assert.is(staff.filter(({ state }) => state === 'active').length, 1);
  assert.is(staff[0]?.state, 'active');
});

test('a set that is taken away leaves nothing to say: 503, also after a start; again the same answer', async () => {
  const row = await active('family');
  const path = `/api/language-rules/${row?.id}/deactivate`;
  const first = await office.author.request('PATCH', path, {});
  assert.is(first.status, 200);
  assert.is(first.body.state, 'retired');
  assert.ok(first.body.deactivatedAt);
  app.clock.advance(60_000);
  const again = await office.author.request('PATCH', path, {});
  assert.equal(again.body, first.body);
  const refused = await validate('كتاب', 'parent');
  assert.is(refused.status, 503);
  assert.is(refused.body.code, 'ENGINE_UNAVAILABLE');
  assert.is((await validate('كتاب', 'student')).status, 200, 'the other sets stand');
  const shipped = await loadRules('rules');
  await inContext(app.database.owner, 'SUPER', (trx) => installRules(trx, shipped, app.clock.now()));
  assert.is((await validate('كتاب', 'parent')).status, 503, 'a start adds no pin that was taken away');
  const set = await office.author.get('/api/admin/rule-sets/language/family/versions');
  assert.is((set.body.items as { state: string }[])[0]?.state, 'retired');
  assert.is((await app.request('GET', '/readyz')).status, 200);
  const back = await post(
    'family',
    shippedRules('family').map((rule) => ({ ...rule, id: rule.id.replace('FAM-', 'FAN-') })),
  );
  assert.is(back.status, 201, JSON.stringify(back.body).slice(0, 300));
  assert.is((await validate('كتاب', 'parent')).status, 200);
});

test('an id of nothing is 404; the list turns its pages', async () => {
  assert.is(
    (await office.author.request('PATCH', `/api/language-rules/l${'0'.repeat(23)}/deactivate`, {})).status,
    404,
  );
  const all = await rows();
  const first = await office.author.get('/api/language-rules?limit=2');
  const next = await office.author.get(`/api/language-rules?limit=100&cursor=${String(first.body.nextCursor)}`);
  const ids = [...(first.body.items as Row[]), ...(next.body.items as Row[])].map(({ id }) => id);
  assert.equal(
    ids,
    all.map(({ id }) => id),
  );
});

test.run();
