// The start limit, and the responses when the teaser cannot be served.
import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { teaserJobs } from '#assessment/teaser/starts/jobs.ts';
import { inContext } from '#core/platform/db.ts';
import { useApp } from '../../harness/http.ts';
import { answers, behindProxy, type ErrorBody, type StartedBody, visitor } from './visitor.ts';

const test = suite('limits of the teaser');
const app = useApp(test, { settings: behindProxy, rules: true });
const { owner } = app.database;

const hashOf = (address: string) => createHmac('sha256', behindProxy.IP_HASH_SALT).update(address).digest('hex');

test('three starts in a sliding hour; the fourth waits until the oldest has left', async () => {
  const guest = visitor(app);
  for (let start = 0; start < 3; start++) {
    assert.is((await guest.start()).status, 201);
    app.clock.advance(600_000);
  }
  const refused = await guest.start<ErrorBody>();
  assert.is(refused.status, 429);
  assert.is(refused.body.code, 'RATE_LIMITED');
  assert.is(refused.body.retryAfter, 1800);
  assert.is(refused.headers.get('retry-after'), '1800');
  app.clock.advance(1_799_500);
  assert.is((await guest.start<ErrorBody>()).body.retryAfter, 1);
  app.clock.advance(500);
  assert.is((await guest.start()).status, 201);
  assert.is((await guest.start<ErrorBody>()).body.retryAfter, 600);
});

test('20 starts at once from one address: exactly three', async () => {
  const guest = visitor(app);
  const replies = await Promise.all(Array.from({ length: 20 }, () => guest.start()));
  assert.is(replies.filter(({ status }) => status === 201).length, 3);
  assert.is(replies.filter(({ status }) => status === 429).length, 17);
});

test('addresses do not share their starts, and are kept as HMAC-SHA256 under IP_HASH_SALT only', async () => {
  const [one, two] = [visitor(app), visitor(app)];
  for (let start = 0; start < 3; start++) await one.start();
  assert.is((await one.start()).status, 429);
  assert.is((await two.start()).status, 201);
  const rows = await owner('teaser_start').where({ addressHash: hashOf(one.address) });
  assert.is(rows.length, 3);
  const everything = JSON.stringify([await owner('teaser_start'), await owner('teaser_session')]);
  assert.not(everything.includes(one.address));
});

test('malformed starts do not count', async () => {
  const guest = visitor(app);
  for (let start = 0; start < 5; start++) assert.is((await guest.start({ grade: 9 })).status, 422);
  for (let start = 0; start < 3; start++) assert.is((await guest.start()).status, 201);
});

const setOf = (grade: number) => owner('teaser_item_set').where({ id: `TEASER-G${grade}@2` });
const brokenSets: readonly (readonly [string, object])[] = [
  ['no active set', { status: 'retired' }],
  ['a set of nine items', { itemIds: Array.from({ length: 9 }, (_, at) => `TEASER-G2-0${at + 1}`) }],
  [
    'a set with an unknown item',
    { itemIds: [...Array.from({ length: 9 }, (_, at) => `TEASER-G2-0${at + 1}`), 'TEASER-G2-77'] },
  ],
  ['a set with an item twice', { itemIds: Array.from({ length: 10 }, () => 'TEASER-G2-01') }],
  [
    'a set with items of another grade',
    { itemIds: Array.from({ length: 10 }, (_, at) => `TEASER-G3-${String(at + 1).padStart(2, '0')}`) },
  ],
  ['a set of another sub-skill than the rules name', { subSkillId: 'DEC_MULTI' }],
  ['a set of a content version that is not there', { version: 99 }],
];
for (const [what, changes] of brokenSets) {
  test(`${what}: 503 TEASER_UNAVAILABLE, which does not count; other grades go on`, async () => {
    const guest = visitor(app);
    const { id: _, grade: __, ...whole } = await setOf(2).first();
    await setOf(2).update(changes);
    for (let start = 0; start < 4; start++) {
      const reply = await guest.start<ErrorBody>({ grade: 2 });
      assert.is(reply.status, 503);
      assert.is(reply.body.code, 'TEASER_UNAVAILABLE');
      assert.is(reply.headers.get('retry-after'), String(reply.body.retryAfter));
    }
    await setOf(2).update(whole);
    assert.is((await owner('teaser_start').where({ addressHash: hashOf(guest.address) })).length, 0);
    assert.is((await guest.start({ grade: 1 })).status, 201);
    assert.is((await guest.start({ grade: 2 })).status, 201);
  });
}

test('starts that cannot be counted: 503 TEASER_UNAVAILABLE, and no session; open sessions can be finished', async () => {
  const guest = visitor(app);
  const session = (await guest.start()).body as StartedBody;
  const sessions = await owner('teaser_session').count({ count: '*' });
  await owner.raw('alter table teaser_start rename to teaser_start_away');
  try {
    const reply = await guest.start<ErrorBody>();
    assert.is(reply.status, 503);
    assert.is(reply.body.code, 'TEASER_UNAVAILABLE');
    assert.equal(await owner('teaser_session').count({ count: '*' }), sessions);
    const finish = { token: session.token, responses: answers(session, 10) };
    assert.is((await guest.finish(session.sessionId, finish)).status, 200);
  } finally {
    await owner.raw('alter table teaser_start_away rename to teaser_start');
  }
  assert.is((await guest.start()).status, 201);
});

test('without rules in force: 503 TEASER_UNAVAILABLE', async () => {
  const now = app.clock.now();
  app.clock.set('2020-01-01T00:00:00.000Z');
  const reply = await visitor(app).start<ErrorBody>();
  app.clock.set(now);
  assert.is(reply.status, 503);
  assert.is(reply.body.code, 'TEASER_UNAVAILABLE');
});

test('starts are deleted after a day', async () => {
  const guest = visitor(app);
  const counted = () => owner('teaser_start').where({ addressHash: hashOf(guest.address) });
  const purge = teaserJobs.schedules?.[0];
  await guest.start();
  await purge?.run(app.services, undefined as never);
  assert.is((await counted()).length, 1);
  app.clock.advance(86_400_001);
  await purge?.run(app.services, undefined as never);
  assert.is((await counted()).length, 0);
});

test('the role of one organization cannot read a row of the teaser', async () => {
  for (const table of ['teaser_item_set', 'teaser_session', 'teaser_lead']) {
    const inside = inContext(app.database.app, { organizationId: 'some-organization' }, (trx) => trx(table));
    const refusal: unknown = await inside.catch((error: unknown) => error);
    assert.match(String(refusal), 'permission denied', table);
    await inContext(app.database.app, 'SUPER', (trx) => trx(table));
  }
});

test.run();
