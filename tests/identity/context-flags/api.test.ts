// Setting, changing, ending and listing the flags of a student over HTTP.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildStudent, buildTeacher, signIn, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { eventFlagIds, type FlagBody, listed, note } from './flags.ts';

const app = useApp(test);
const { owner } = app.database;
let world: World;
let student: UserRow;

/** 11:00 in Riyadh. */
const now = '2026-01-15T08:00:00.000Z';

test.before(async () => {
  world = await buildWorld(app);
});

test.before.each(async () => {
  app.clock.set(now);
  student = await buildStudent(owner, world.own.classRow);
});

const teacher = () => world.own.people.TEACHER;
const set = (body: unknown, headers = {}) => note(app, teacher(), student.id, body, headers);
const list = (query = '') => listed(app, teacher(), student.id, query);
const period = ({ effectiveFrom, effectiveTo, active }: FlagBody) => [effectiveFrom, effectiveTo, active];

test('a flag is set from today on, to the end of the school year', async () => {
  const { status, body } = await set({ flagCode: 'recent_transfer' });
  assert.is(status, 201, JSON.stringify(body));
  const { flagId, ...rest } = body;
  assert.ok(Number.isInteger(flagId));
  assert.equal(rest, {
    ...{ studentId: student.id, flagCode: 'recent_transfer', effect: 'review' },
    ...{ effectiveFrom: '2026-01-15', effectiveTo: null, active: true, setBy: teacher().id, setAt: now },
  });
  assert.equal((await list()).body, { items: [body], nextCursor: null });
});

const effects: Readonly<Record<string, 'review' | 'none'>> = {
  recent_transfer: 'review',
  hearing_follow_up: 'review',
  vision_follow_up: 'review',
  speech_support: 'none',
  long_absence: 'review',
  home_language_other: 'none',
  first_year_arabic: 'review',
  accommodation_extra_time: 'none',
  accommodation_large_print: 'none',
  temporary_illness: 'review',
};

for (const [flagCode, effect] of Object.entries(effects)) {
  const asks = effect === 'review' ? 'one recompute each time it is set, changed and ended' : 'no recompute, ever';
  test(`${flagCode} has effect ${effect}: ${asks}`, async () => {
    const replies = [
      await set({ flagCode }),
      await set({ flagCode, effectiveTo: '2026-02-01' }),
      await set({ flagCode, ended: true }),
    ];
    assert.equal(
      replies.map(({ status, body }) => [status, body.effect]),
      [201, 201, 201].map((status) => [status, effect]),
    );
    const ids = replies.map(({ body }) => body.flagId);
    assert.equal(await eventFlagIds(app, student), effect === 'review' ? ids : []);
  });
}

test('a newer row of the code replaces the period of the older one, and leaves other codes alone', async () => {
  await set({ flagCode: 'long_absence', effectiveFrom: '2026-01-01', effectiveTo: '2026-03-01' });
  await set({ flagCode: 'speech_support' });
  const later = await set({ flagCode: 'long_absence', effectiveFrom: '2026-02-01', effectiveTo: '2026-02-10' });
  assert.equal(period(later.body), ['2026-02-01', '2026-02-10', false]);
  const { items } = (await list()).body;
  assert.equal(
    items.map((one) => [one.flagCode, ...period(one)]),
    [
      ['long_absence', '2026-02-01', '2026-02-10', false],
      ['speech_support', '2026-01-15', null, true],
      ['long_absence', '2026-01-01', '2026-03-01', false],
    ],
  );
  app.clock.set('2026-02-05T08:00:00.000Z');
  const token = await signIn(app, teacher());
  const then = (await listed(app, { token }, student.id)).body.items;
  assert.equal(
    then.map(({ active }) => active),
    [true, true, false],
  );
});

test('an ended flag no longer holds, and its period ends today', async () => {
  await set({ flagCode: 'temporary_illness', effectiveFrom: '2026-01-10' });
  const ended = await set({ flagCode: 'temporary_illness', ended: true });
  assert.equal([ended.status, ...period(ended.body)], [201, '2026-01-10', '2026-01-15', false]);
  assert.equal(
    (await list()).body.items.map(({ active }) => active),
    [false, false],
  );
  const again = await set({ flagCode: 'temporary_illness' });
  assert.equal(period(again.body), ['2026-01-15', null, true]);
});

test('nothing to end (never set, already ended, expired): 409 not_set, and nothing is appended', async () => {
  const refused = async (flagCode: string) => {
    const { status, body } = await set({ flagCode, ended: true });
    assert.equal([status, body.code, body.details?.[0]?.issue], [409, 'CONFLICT', 'not_set'], flagCode);
  };
  await refused('long_absence');
  await set({ flagCode: 'recent_transfer' });
  await set({ flagCode: 'recent_transfer', ended: true });
  await refused('recent_transfer');
  await set({ flagCode: 'vision_follow_up', effectiveFrom: '2025-09-01', effectiveTo: '2026-01-14' });
  await refused('vision_follow_up');
  assert.is((await list()).body.items.length, 3);
});

const wrong: readonly (readonly [string, object, string])[] = [
  ['no code', {}, 'flagCode'],
  ['a code of another type', { flagCode: 7 }, 'flagCode'],
  ['a code that is null', { flagCode: null }, 'flagCode'],
  ['a day that is none', { flagCode: 'long_absence', effectiveFrom: '2026-02-30' }, 'effectiveFrom'],
  ['a moment', { flagCode: 'long_absence', effectiveFrom: now }, 'effectiveFrom'],
  ['a number for a day', { flagCode: 'long_absence', effectiveTo: 20260201 }, 'effectiveTo'],
  ['a word for ended', { flagCode: 'long_absence', ended: 'yes' }, 'ended'],
  ['before the school year', { flagCode: 'long_absence', effectiveFrom: '2025-07-31' }, 'effectiveFrom'],
  ['after the school year', { flagCode: 'long_absence', effectiveTo: '2026-08-01' }, 'effectiveTo'],
  ['an end before the beginning', { flagCode: 'long_absence', effectiveTo: '2026-01-14' }, 'effectiveTo'],
  ['ended with a day', { flagCode: 'long_absence', ended: true, effectiveTo: '2026-01-15' }, 'effectiveTo'],
];

for (const [name, body, field] of wrong) {
  test(`${name}: VALIDATION_ERROR names ${field}, and nothing is appended`, async () => {
    const reply = await set(body);
    const fields = reply.body.details?.map((detail) => detail.field);
    assert.equal(
      [reply.status, reply.body.code, fields],
      [422, 'VALIDATION_ERROR', [field]],
      JSON.stringify(reply.body),
    );
    assert.equal((await list()).body.items, []);
    assert.equal(await eventFlagIds(app, student), []);
  });
}

test('the list is paged, newest first; an invalid cursor is refused', async () => {
  const made: number[] = [];
  for (const flagCode of ['long_absence', 'speech_support', 'long_absence', 'recent_transfer', 'vision_follow_up']) {
    made.unshift((await set({ flagCode })).body.flagId);
  }
  const first = (await list('?limit=2')).body;
  const second = (await list(`?limit=2&cursor=${first.nextCursor}`)).body;
  const third = (await list(`?limit=2&cursor=${second.nextCursor}`)).body;
  const seen = [first, second, third].flatMap(({ items }) => items.map(({ flagId }) => flagId));
  assert.equal([seen, third.nextCursor], [made, null]);
  assert.is((await list('?cursor=W10')).status, 422);
});

test('a second teacher of the class may set flags; the principal of the school and other staff may not', async () => {
  const { people } = world.own;
  const secondary = await buildTeacher(owner, world.own.classRow, 'SECONDARY');
  const ways = [
    [await signIn(app, secondary), 201, 200],
    [people.ADMIN.token, 201, 200],
    [world.superAdmin.token, 201, 200],
    [people.PRINCIPAL.token, 403, 403],
    [people.MANAGER.token, 403, 403],
    [people.PARENT.token, 403, 403],
    [people.STUDENT.token, 403, 403],
    [people['TEACHER elsewhere'].token, 403, 403],
    [world.other.people.ADMIN.token, 404, 404],
  ] as const;
  for (const [token, writes, reads] of ways) {
    const { status } = await note(app, { token }, student.id, { flagCode: 'speech_support' });
    assert.equal([status, (await listed(app, { token }, student.id)).status], [writes, reads]);
  }
});

test('the same request under one key sets one flag', async () => {
  const headers = { 'idempotency-key': `flag-${student.id}` };
  const [first, second] = [
    await set({ flagCode: 'long_absence' }, headers),
    await set({ flagCode: 'long_absence' }, headers),
  ];
  assert.equal(second.body, first.body);
  assert.is(second.headers.get('idempotency-replayed'), 'true');
  assert.is((await eventFlagIds(app, student)).length, 1);
});

test('twelve concurrent writes: each is a row, one holds, and each appends one event', async () => {
  const bodies = Array.from({ length: 12 }, (_, at) => ({
    flagCode: 'long_absence',
    effectiveTo: `2026-02-${String(at + 1).padStart(2, '0')}`,
  }));
  const replies = await Promise.all(bodies.map((body) => set(body)));
  assert.ok(replies.every(({ status }) => status === 201));
  const { items } = (await list()).body;
  assert.equal(
    items.map(({ active }) => active),
    [true, ...Array.from({ length: 11 }, () => false)],
  );
  const ids = items.map(({ flagId }) => flagId);
  assert.equal((await eventFlagIds(app, student)).sort(byNumber), [...ids].sort(byNumber));
  assert.equal(new Set(items.map(({ effectiveTo }) => effectiveTo)).size, 12);
});

test('of two concurrent requests to end a flag one succeeds, the other gets not_set', async () => {
  for (let round = 0; round < 5; round += 1) {
    await set({ flagCode: 'long_absence' });
    const replies = await Promise.all([1, 2].map(() => set({ flagCode: 'long_absence', ended: true })));
    assert.equal(replies.map(({ status }) => status).sort(), [201, 409]);
  }
});

test('after an erasure no flag can be set or listed; stored flags remain under the id', async () => {
  await set({ flagCode: 'long_absence' });
  const { token } = world.own.people.ADMIN;
  assert.is((await app.post(`/api/students/${student.id}/erasure`, undefined, { token })).status, 200);
  assert.is((await set({ flagCode: 'long_absence' })).status, 404);
  assert.is((await list()).status, 404);
  assert.is((await owner('context_flag').where({ studentId: student.id })).length, 1);
});

test('the archive of the student contains the flags, who set them, and the lengths of refusals', async () => {
  await set({ flagCode: 'long_absence' });
  await set({ flagCode: 'no such code' });
  const { token } = world.own.people.ADMIN;
  const { body } = await app.get<{ sections: { contextFlags: Record<string, Record<string, unknown>[]> } }>(
    `/api/students/${student.id}/data-export`,
    { token },
  );
  const { context_flag: flags = [], context_flag_refusal: refusals = [] } = body.sections.contextFlags;
  assert.equal(
    flags.map(({ flagCode, setBy }) => [flagCode, setBy]),
    [['long_absence', teacher().id]],
  );
  assert.equal(
    refusals.map(({ length }) => length),
    ['no such code'.length],
  );
});

test('no row is ever changed or removed, not even by the owner', async () => {
  await set({ flagCode: 'long_absence' });
  await set({ flagCode: 'no such code' });
  for (const change of [
    "update context_flag set flag_code = 'x'",
    'delete from context_flag',
    'update context_flag_refusal set length = 0',
    'delete from context_flag_refusal',
  ]) {
    const refusal = await owner.raw(change).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
    assert.match(refusal, /append-only/, change);
  }
});

const byNumber = (left: number, right: number) => left - right;

test.run();
