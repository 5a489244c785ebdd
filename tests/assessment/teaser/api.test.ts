// The teaser over HTTP: start, finish, leads, and the order of refusals.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId, newSecret } from '#core/platform/ids.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { useApp } from '../../harness/http.ts';
import { answers, behindProxy, type ErrorBody, visitor } from './visitor.ts';

const test = suite('teaser over HTTP');
const app = useApp(test, { settings: behindProxy, rules: true });
const { owner } = app.database;

const sessionRow = (id: string) => owner('teaser_session').where({ id }).first();
const errorOf = ({ body }: { body: unknown }) => body as ErrorBody;

async function started(body: object = { grade: 1 }) {
  const guest = visitor(app);
  const reply = await guest.start(body);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return { guest, session: reply.body };
}

test('a start gives ten items of the grade’s sub-skill, without keys, and a token that is stored as its hash', async () => {
  for (const [grade, subSkillId] of [
    [1, 'LK_SOUND'],
    [2, 'DEC_WORD'],
    [3, 'DEC_MULTI'],
    [4, 'RC_LITERAL'],
  ] as const) {
    const { session } = await started({ grade, source: 'spring_fair-2026' });
    assert.equal(Object.keys(session).sort(), ['items', 'sessionId', 'subSkillId', 'token']);
    assert.is(session.subSkillId, subSkillId);
    assert.is(session.items.length, 10);
    for (const item of session.items) assert.equal(Object.keys(item).sort(), ['id', 'itemType', 'options', 'prompt']);
    assert.match(session.token, /^[A-Za-z0-9_-]{43}$/);
    const row = await sessionRow(session.sessionId);
    assert.is(row.tokenHash, sha256Hex(session.token));
    assert.not('organizationId' in row);
    assert.equal([row.itemSetId, row.itemSetVersion], [`TEASER-G${grade}@2`, 2]);
    assert.is(row.source, 'spring_fair-2026');
    assert.not(JSON.stringify(row).includes(session.token));
  }
});

const badStarts: object[] = [
  {},
  { grade: 0 },
  { grade: 5 },
  { grade: 1.5 },
  { grade: '1' },
  { grade: 1, source: 'Upper' },
  { grade: 1, source: '' },
  { grade: 1, source: 'a'.repeat(41) },
  { grade: 1, extra: true },
];
test('a malformed start is 422', async () => {
  const guest = visitor(app);
  for (const body of badStarts) assert.is((await guest.start(body)).status, 422, JSON.stringify(body));
});

test('every route refuses a request with an Authorization header', async () => {
  for (const path of ['/sessions', `/sessions/${newId()}/finish`, '/leads']) {
    for (const authorization of ['Bearer x', 'nonsense', '']) {
      const reply = await app.post(`/api/teaser${path}`, { nonsense: 1 }, { headers: { authorization } });
      assert.is(reply.status, 422, path);
      assert.equal(errorOf(reply).details, [{ field: 'authorization', issue: 'not_accepted' }]);
    }
  }
});

test('finish returns band, label, description and disclaimer only', async () => {
  const { guest, session } = await started({ grade: 3 });
  const { status, body } = await guest.finish(session.sessionId, {
    token: session.token,
    responses: answers(session, 5),
  });
  assert.is(status, 200);
  assert.equal(body, {
    band: 'approaching',
    bandLabelAr: 'مؤشر القراءة: في الطريق',
    bandDescriptionAr: 'تقدم جيد مع حاجة إلى تدريب منتظم.',
    disclaimerAr: 'هذا مؤشر أولي سريع وليس تشخيصًا، ولا يغني عن التقييم الكامل داخل المدرسة.',
  });
  const row = await sessionRow(session.sessionId);
  assert.is(row.status, 'completed');
  assert.is(row.theta, 0);
  assert.is(row.ruleVersion, 'scoring/measurement@1');
});

test('a session that was started with the first version of the items is completed with them', async () => {
  const { guest, session } = await started({ grade: 4 });
  const pinTo = (version: number) =>
    inContext(owner, 'SUPER', (trx) =>
      trx('teaser_session')
        .where({ id: session.sessionId })
        .update({ itemSetId: 'TEASER-G4@1', itemSetVersion: version }),
    );
  const finish = () => guest.finish(session.sessionId, { token: session.token, responses: answers(session, 10) });
  await pinTo(99);
  assert.is((await finish()).status, 503, 'the version of the session is what counts');
  await pinTo(1);
  const { status, body } = await finish();
  assert.equal([status, body.band], [200, 'meets']);
});

const words: readonly (readonly [number, string, string, string])[] = [
  [10, 'meets', 'يُتقن', 'مهارات متينة في هذه العينة القصيرة.'],
  [3, 'below', 'يحتاج دعم', 'يفيده دعم إضافي في هذه المهارة.'],
  [0, 'severe', 'يحتاج دعم مكثف', 'يفيده دعم مكثف ومتابعة قريبة.'],
];
for (const [right, band, label, description] of words) {
  test(`${right} right answers give ${band}`, async () => {
    const { guest, session } = await started();
    const { body } = await guest.finish(session.sessionId, {
      token: session.token,
      responses: answers(session, right),
    });
    assert.is(body.band, band);
    assert.is(body.bandLabelAr, `مؤشر القراءة: ${label}`);
    assert.is(body.bandDescriptionAr, description);
  });
}

test('unanswered items are wrong', async () => {
  const { guest, session } = await started();
  const responses = answers(session, 10).slice(0, 8);
  const { body } = await guest.finish(session.sessionId, { token: session.token, responses });
  assert.is(body.band, 'meets');
  const other = await started();
  const few = answers(other.session, 10).slice(0, 1);
  const result = await other.guest.finish(other.session.sessionId, { token: other.session.token, responses: few });
  assert.is(result.body.band, 'severe');
});

test('finish, in order: 404 unknown session, 401 foreign token, 422 items, 409 completed', async () => {
  const { guest, session } = await started();
  const other = await started({ grade: 2 });
  const right = { token: session.token, responses: answers(session, 4) };
  const foreign = { itemId: 'TEASER-G2-01', selectedOptionIndex: 0 };
  const { sessionId: id } = session;
  assert.is((await guest.finish(newId(), right)).status, 404);
  assert.is((await guest.finish('not-an-id', right)).status, 404);
  assert.is((await guest.finish(id, { responses: right.responses })).status, 422, 'the token is part of the shape');
  const stolen = await guest.finish(id, { token: other.session.token, responses: [foreign] });
  assert.is(stolen.status, 401, 'the token comes before the items');
  assert.is(errorOf(stolen).code, 'TOKEN_INVALID');
  assert.is((await guest.finish(id, { token: newSecret(), responses: right.responses })).status, 401);
  assert.is((await guest.finish(id, right)).status, 200);
  assert.is((await guest.finish(id, { ...right, responses: [foreign] })).status, 422, 'items come before the state');
  const again = await guest.finish(id, right);
  assert.is(again.status, 409);
  assert.equal(errorOf(again).details, [{ field: '', issue: 'completed' }]);
});

test('finish refuses no, too many, foreign and repeated items, and unknown options; nothing is stored', async () => {
  const { guest, session } = await started();
  const [first, ...rest] = answers(session, 10);
  const bad: readonly (readonly [string, unknown[]])[] = [
    ['responses', []],
    ['responses', [...Array(11)].map(() => first)],
    ['responses.1.itemId', [first, first]],
    ['responses.0.itemId', [{ itemId: 'TEASER-G4-01', selectedOptionIndex: 0 }]],
    ['responses.0.itemId', [{ itemId: 'nonsense', selectedOptionIndex: 0 }]],
    ['responses.1.selectedOptionIndex', [rest[0], { ...first, selectedOptionIndex: 3 }]],
    ['responses.0.selectedOptionIndex', [{ ...first, selectedOptionIndex: -1 }]],
    ['responses.0.selectedOptionIndex', [{ ...first, selectedOptionIndex: 0.5 }]],
  ];
  for (const [field, responses] of bad) {
    const reply = await guest.finish(session.sessionId, { token: session.token, responses });
    assert.is(reply.status, 422, JSON.stringify(responses));
    assert.is(errorOf(reply).details?.[0]?.field, field);
  }
  assert.is((await sessionRow(session.sessionId)).status, 'started');
});

test('one of ten concurrent finishes succeeds', async () => {
  const { guest, session } = await started();
  const body = { token: session.token, responses: answers(session, 6) };
  const replies = await Promise.all(Array.from({ length: 10 }, () => guest.finish(session.sessionId, body)));
  assert.is(replies.filter(({ status }) => status === 200).length, 1);
  assert.is(replies.filter(({ status }) => status === 409).length, 9);
});

test('a session is scored with its pinned set and rules', async () => {
  const { guest, session } = await started({ grade: 4 });
  const set = { id: 'TEASER-G4@2' };
  await owner('teaser_item_set').where(set).update({ status: 'retired', itemIds: [] });
  const { body } = await guest.finish(session.sessionId, { token: session.token, responses: answers(session, 9) });
  assert.is(body.band, 'meets');
  const itemIds = session.items.map(({ id }) => id);
  await owner('teaser_item_set').where(set).update({ status: 'active', itemIds });
});

const leadOf = (sessionId: string) => owner('teaser_lead').where({ sessionId }).first('email', 'whatsapp', 'source');

test('a lead is 201 without a body; the email is trimmed and lower-cased', async () => {
  const { guest, session } = await started();
  const { sessionId, token } = session;
  const reply = await guest.lead({ sessionId, token, email: '  Parent.One@Example.ORG ', source: 'poster' });
  assert.is(reply.status, 201);
  assert.is(reply.body, undefined);
  assert.equal(await leadOf(sessionId), { email: 'parent.one@example.org', whatsapp: null, source: 'poster' });
});

test('one lead a session: given fields overwrite, absent ones stay, before and after the finish', async () => {
  const { guest, session } = await started();
  const { sessionId, token } = session;
  await guest.lead({ sessionId, token, email: 'a@example.org', source: 'poster' });
  await guest.lead({ sessionId, token, whatsapp: '+966501234567' });
  assert.equal(await leadOf(sessionId), { email: 'a@example.org', whatsapp: '+966501234567', source: 'poster' });
  await guest.finish(sessionId, { token, responses: answers(session, 1) });
  assert.is((await guest.lead({ sessionId, token, email: 'b@example.org' })).status, 201);
  assert.equal(await leadOf(sessionId), { email: 'b@example.org', whatsapp: '+966501234567', source: 'poster' });
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, at) => guest.lead({ sessionId, token, email: `p${at}@example.org` })),
  );
  for (const { status } of all) assert.is(status, 201);
  assert.is((await owner('teaser_lead').where({ sessionId })).length, 1);
});

test('leads, in order: 422 shape, 404 unknown session, 401 foreign token', async () => {
  const { guest, session } = await started();
  const { sessionId, token } = session;
  assert.is((await guest.lead({ sessionId: newId(), token: 'x', email: 'nonsense' })).status, 422);
  assert.is((await guest.lead({ sessionId: newId(), email: 'a@example.org' })).status, 422);
  assert.is((await guest.lead({ sessionId: newId(), token: 'x', email: 'a@example.org' })).status, 404);
  const stolen = await guest.lead({ sessionId, token: newSecret(), email: 'a@example.org' });
  assert.is(stolen.status, 401);
  assert.is(errorOf(stolen as { body: unknown }).code, 'TOKEN_INVALID');
  const neither = await guest.lead({ sessionId, token, source: 'poster' });
  assert.is(neither.status, 422);
  assert.is(errorOf(neither as { body: unknown }).details?.[0]?.field, 'email');
  assert.is(await leadOf(sessionId), undefined);
});

const badEmails = ['', ' ', 'a', 'a@b', 'a@b.c', 'a b@example.org', 'a@@example.org', `${'a'.repeat(250)}@example.org`];
const badNumbers = ['', '0501234567', '966501234567', '+0501234567', '+12345', `+1${'2'.repeat(15)}`, '+96650 1234567'];

test('an email address and a WhatsApp number are checked', async () => {
  const { guest, session } = await started();
  const { sessionId, token } = session;
  for (const email of badEmails) {
    const reply = await guest.lead({ sessionId, token, email });
    assert.is(reply.status, 422, email);
    assert.is(errorOf(reply as { body: unknown }).details?.[0]?.field, 'email');
  }
  for (const whatsapp of badNumbers) {
    const reply = await guest.lead({ sessionId, token, whatsapp });
    assert.is(reply.status, 422, whatsapp);
    assert.is(errorOf(reply as { body: unknown }).details?.[0]?.field, 'whatsapp');
  }
  for (const body of [
    { email: `${'a'.repeat(242)}@example.org` },
    { whatsapp: '+1234567' },
    { whatsapp: `+1${'2'.repeat(14)}` },
  ])
    assert.is((await guest.lead({ sessionId, token, ...body })).status, 201, JSON.stringify(body));
});

test('two visitors at one address with equal Idempotency-Keys are independent', async () => {
  const headers = { 'x-forwarded-for': newId(), 'idempotency-key': '1' };
  const start = () => app.post<{ sessionId: string; token: string }>('/api/teaser/sessions', { grade: 1 }, { headers });
  const [one, other] = [await start(), await start()];
  assert.equal([one.status, other.status], [201, 201]);
  assert.is.not(one.body.sessionId, other.body.sessionId);
  assert.is.not(one.body.token, other.body.token);
  assert.not.ok(other.headers.has('idempotency-replayed'));
});

test('nothing is written outside the teaser’s own tables', async () => {
  const before = await rowCounts();
  const { guest, session } = await started();
  const { sessionId, token } = session;
  await guest.finish(sessionId, { token, responses: answers(session, 7) });
  await guest.lead({ sessionId, token, email: 'a@example.org' });
  const after = await rowCounts();
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  assert.equal(changed.sort(), ['teaser_lead', 'teaser_session', 'teaser_start']);
});

/** Row counts of every table except the general rate limit, which counts every request. */
async function rowCounts(): Promise<Record<string, number>> {
  const { rows } = await owner.raw(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'rate_limit'",
  );
  const counts = rows.map(async ({ name }: { name: string }) => {
    const [row] = await owner(name).count({ count: '*' });
    return [name, row?.count] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

test('finish: an unknown session is 404 for every body', async () => {
  for (const body of [{}, { token: 5 }, { nonsense: true }]) {
    const { status } = await app.post(`/api/teaser/sessions/${'a'.repeat(24)}/finish`, body);
    assert.is(status, 404, JSON.stringify(body));
  }
});

test.run();
