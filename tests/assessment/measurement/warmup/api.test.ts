// The warm-up over HTTP: plan, states, refusals.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadItemBank } from '#assessment/content/items/files.ts';
import { trainingAnswers } from '#assessment/measurement/warmup/queries.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { buildClass, buildUser, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { child, type ErrorBody, rightIndex, wrongIndex } from '../diagnostics/child.ts';
import { type Kid, kidOf, newKid, type WarmupBody } from './kid.ts';

const test = suite('warm-up over HTTP');
/** The expected values were computed with the first bank. */
const app = useApp(test, { content: { bankVersion: 1 } });
const { owner } = app.database;
const bank = await loadItemBank('rules', 1);
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

const kid = () => newKid(app, world.own.classRow);
const issueOf = ({ body }: { body: unknown }) => (body as ErrorBody).details?.[0]?.issue;
const fieldOf = ({ body }: { body: unknown }) => (body as ErrorBody).details?.[0]?.field;
const answer = (seq: number, atMs: number, itemId: string, selectedOptionIndex = 0) => ({
  seq,
  type: 'answer',
  atMs,
  itemId,
  selectedOptionIndex,
});

async function started(someone?: Kid) {
  const who = someone ?? (await kid());
  const { status, body } = await who.start();
  assert.is(status, 201);
  return { who, warmup: body, id: body.warmupSessionId };
}

const firstId = ({ items }: WarmupBody, at = 0) => items[at]?.itemId ?? '';

test('a first warm-up: 60 seconds, quick items of the grade’s first part, nearest to −1 logit first', async () => {
  const { warmup } = await started();
  assert.equal(Object.keys(warmup).sort(), [
    'durationSeconds',
    'items',
    'remainingMs',
    'sessionType',
    'status',
    'warmupSessionId',
  ]);
  const { sessionType, status, durationSeconds, remainingMs, items } = warmup;
  assert.equal(
    { sessionType, status, durationSeconds, remainingMs },
    {
      sessionType: 'TRAINING',
      status: 'RUNNING',
      durationSeconds: 60,
      remainingMs: 60_000,
    },
  );
  const firstPart = ['LK_SOUND', 'PA_BLEND', 'DEC_SYLLABLE', 'DEC_WORD', 'LIS_LITERAL', 'VOC_MEANING'];
  const quick = bank.items.filter(
    ({ subSkillCode, gradeBand, expectedSeconds }) =>
      firstPart.includes(subSkillCode) && gradeBand === 'G12' && expectedSeconds <= 15,
  );
  const distance = (difficulty: number) => Math.round(Math.abs(difficulty + 1) * 1e4);
  quick.sort((a, b) => distance(a.difficulty) - distance(b.difficulty) || (a.id < b.id ? -1 : 1));
  assert.equal(
    items.map(({ itemId }) => itemId),
    quick.slice(0, 20).map(({ publicId }) => publicId),
  );
});

test('a warm-up shows no key, difficulty, pattern or sub-skill', async () => {
  const { warmup } = await started();
  for (const item of warmup.items) {
    const keys = ['expectedSeconds', 'itemId', 'itemType', 'options', 'prompt', 'seq', 'servedItemId'];
    assert.equal(Object.keys(item).sort(), keys);
    for (const option of item.options)
      assert.equal(Object.keys(option).sort(), ['audioUrl', 'index', 'speech', 'text']);
  }
});

test('with stored thetas the plan is made of their sub-skills, each at its newest theta less one logit', async () => {
  const who = await kid();
  await storeTheta(who, '2025-11-01T08:00:00.000Z', { VOC_MEANING: 2.5, LK_SOUND: 1 });
  await storeTheta(who, '2025-12-01T08:00:00.000Z', { VOC_MEANING: 0.4, LK_FORM: null });
  await storeTheta(who, '2025-05-01T08:00:00.000Z', { LK_FORM: 1 }, '2024-2025');
  const { warmup } = await started(who);
  const items = warmup.items.map(({ itemId }) => bank.find(itemId));
  assert.equal([...new Set(items.map((item) => item?.subSkillCode))], ['VOC_MEANING']);
  const distances = items.map((item) => Math.round(Math.abs((item?.difficulty ?? 9) + 0.6) * 1e4));
  assert.is(distances[0], 0, 'an item at −0.6 = 0.4 − 1 comes first');
  assert.equal(
    distances,
    [...distances].sort((a, b) => a - b),
  );
});

test('nothing quick enough in the stored sub-skills: no_eligible_item, and no session', async () => {
  const who = await kid();
  await storeTheta(who, '2025-11-01T08:00:00.000Z', { LK_SOUND: 0 });
  const reply = await who.start();
  assert.is(reply.status, 200);
  assert.equal(reply.body as unknown, { outcome: 'no_eligible_item', served: null });
  assert.equal(await owner('warmup_session').where({ studentId: who.person.id }), []);
});

test('a start returns the open warm-up of either type; 20 concurrent starts create one', async () => {
  const who = await kid();
  const all = await Promise.all(Array.from({ length: 20 }, () => who.start()));
  assert.is(all.filter(({ status }) => status === 201).length, 1);
  assert.is(all.filter(({ status }) => status === 200).length, 19);
  assert.is(new Set(all.map(({ body }) => body.warmupSessionId)).size, 1);
  app.clock.advance(5_000);
  const again = await who.start({ sessionType: 'INTERVENTION_PRACTICE' });
  assert.is(again.status, 200);
  assert.is(again.body.sessionType, 'TRAINING');
  assert.is(again.body.remainingMs, 55_000);
  assert.equal(again.body.items, all[0]?.body.items);
});

test('a missing or unknown type is 422, and a student without a class CONFLICT no_grade', async () => {
  const who = await kid();
  for (const body of [{}, { sessionType: 'training' }, { sessionType: null }, { sessionType: 'TRAINING', x: 1 }])
    assert.is((await who.start(body)).status, 422, JSON.stringify(body));
  const user = await buildUser(owner, 'STUDENT', { organizationId: world.own.organizationId });
  const homeless = kidOf(app, { ...user, token: await signIn(app, user) });
  assert.is(issueOf(await homeless.start()), 'no_grade');
});

test('events: new numbers are accepted, known numbers are duplicates with any content', async () => {
  const { who, warmup, id } = await started();
  app.clock.advance(4_000);
  const batch = [answer(1, 1_500, firstId(warmup)), { seq: 2, type: 'skip', atMs: 3_000, itemId: firstId(warmup, 1) }];
  assert.equal((await who.events(id, batch)).body, {
    accepted: 2,
    duplicates: 0,
    status: 'RUNNING',
    remainingMs: 56_000,
  });
  const again = [...batch, answer(3, 4_000, firstId(warmup, 2)), { ...answer(3, 100, 'nonsense'), atMs: 0 }];
  assert.equal((await who.events(id, again)).body, {
    accepted: 1,
    duplicates: 3,
    status: 'RUNNING',
    remainingMs: 56_000,
  });
  assert.is((await owner('warmup_event').where({ sessionId: id })).length, 3);
});

test('the same batch ten times at once is recorded once', async () => {
  const { who, warmup, id } = await started();
  const batch = [1, 2, 3].map((seq) => answer(seq, seq * 1_000, firstId(warmup, seq)));
  const replies = await Promise.all(Array.from({ length: 10 }, () => who.events(id, batch)));
  assert.equal(replies.map(({ body }) => body.accepted).sort(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
  assert.is((await owner('warmup_event').where({ sessionId: id })).length, 3);
});

test('an item may be named by the bank’s own id too', async () => {
  const { who, warmup, id } = await started();
  const bankId = bank.find(firstId(warmup))?.id ?? '';
  assert.is((await who.events(id, [answer(1, 0, bankId)])).body.accepted, 1);
});

test('falling times, items outside the plan and impossible answers are 422, and nothing of the batch is kept', async () => {
  const { who, warmup, id } = await started();
  await who.events(id, [answer(5, 5_000, firstId(warmup))]);
  const good = answer(10, 6_000, firstId(warmup, 1));
  const planned = new Set(warmup.items.map(({ itemId }) => itemId));
  const unplanned = bank.items.find(({ publicId }) => !planned.has(publicId))?.publicId ?? '';
  const bad: readonly (readonly [string, object])[] = [
    ['events.1.atMs', answer(11, 5_999, firstId(warmup, 2))],
    ['events.1.atMs', answer(4, 5_001, firstId(warmup, 2))],
    ['events.1.itemId', answer(11, 7_000, unplanned)],
    ['events.1.itemId', answer(11, 7_000, 'nonsense')],
    ['events.1.itemId', { seq: 11, type: 'answer', atMs: 7_000, selectedOptionIndex: 0 }],
    ['events.1.selectedOptionIndex', answer(11, 7_000, firstId(warmup, 2), 3)],
    ['events.1.selectedOptionIndex', { seq: 11, type: 'answer', atMs: 7_000, itemId: firstId(warmup, 2) }],
    ['events.1.selectedOptionIndex', { ...answer(11, 7_000, firstId(warmup, 2)), type: 'skip' }],
    ['events.1.seq', answer(0, 7_000, firstId(warmup, 2))],
    ['events.1.atMs', answer(11, 60_001, firstId(warmup, 2))],
    ['events.1.type', { seq: 11, type: 'focus_lost', atMs: 7_000 }],
  ];
  for (const [field, event] of bad) {
    const reply = await who.events(id, [good, event]);
    assert.is(reply.status, 422, JSON.stringify(event));
    assert.is(fieldOf(reply), field);
  }
  assert.is((await who.events(id, [])).status, 422);
  const many = Array.from({ length: 101 }, (_, at) => ({ seq: at + 20, type: 'pause', atMs: 7_000 }));
  assert.is((await who.events(id, many)).status, 422);
  assert.is((await owner('warmup_event').where({ sessionId: id })).length, 1);
});

test('pauses stop the clock; resume starts it again', async () => {
  const { who, id } = await started();
  app.clock.advance(10_000);
  const paused = await who.events(id, [{ seq: 1, type: 'pause', atMs: 10_000 }]);
  assert.equal(paused.body, { accepted: 1, duplicates: 0, status: 'PAUSED', remainingMs: 50_000 });
  app.clock.advance(120_000);
  const found = await who.start();
  assert.is(found.body.status, 'PAUSED');
  assert.is(found.body.remainingMs, 50_000);
  assert.equal((await who.resume(id)).body, { status: 'RUNNING', remainingMs: 50_000 });
  app.clock.advance(20_000);
  assert.equal((await who.resume(id)).body, { status: 'RUNNING', remainingMs: 30_000 }, 'running already');
  await who.events(id, [{ seq: 2, type: 'pause', atMs: 30_000 }]);
  app.clock.advance(60_000);
  const resumed = await who.events(id, [{ seq: 3, type: 'resume', atMs: 30_000 }]);
  assert.equal(resumed.body, { accepted: 1, duplicates: 0, status: 'RUNNING', remainingMs: 30_000 });
});

test('complete after 60 running seconds, or with an event at 60,000 ms: COMPLETED; before: ENDED_EARLY', async () => {
  const patient = await started();
  await patient.who.events(patient.id, [answer(1, 100, firstId(patient.warmup)), { seq: 2, type: 'skip', atMs: 200 }]);
  app.clock.advance(60_000);
  assert.equal((await patient.who.complete(patient.id)).body, { status: 'COMPLETED', answered: 1 });
  const paused = await started();
  app.clock.advance(30_000);
  await paused.who.events(paused.id, [{ seq: 1, type: 'pause', atMs: 30_000 }]);
  app.clock.advance(60_000);
  assert.equal((await paused.who.complete(paused.id)).body, { status: 'ENDED_EARLY', answered: 0 });
  const ahead = await started();
  await ahead.who.events(ahead.id, [answer(1, 60_000, firstId(ahead.warmup))]);
  assert.equal((await ahead.who.complete(ahead.id)).body, { status: 'COMPLETED', answered: 1 });
});

test('a repeated complete gives an equal result; then events and resume are CONFLICT ended, and a new one can start', async () => {
  const { who, warmup, id } = await started();
  app.clock.advance(1_000);
  const replies = await Promise.all(Array.from({ length: 8 }, () => who.complete(id)));
  for (const { status, body } of replies) {
    assert.is(status, 200);
    assert.equal(body, { status: 'ENDED_EARLY', answered: 0 });
  }
  app.clock.advance(700_000);
  assert.equal((await who.complete(id)).body, { status: 'ENDED_EARLY', answered: 0 });
  const late = await who.events(id, [answer(1, 0, firstId(warmup))]);
  assert.is(late.status, 409);
  assert.is(issueOf(late), 'ended');
  assert.is(issueOf(await who.resume(id)), 'ended');
  assert.is((await who.start()).status, 201);
});

test('ten minutes after the start a warm-up can still be resumed; a millisecond later it is EXPIRED for good', async () => {
  const { who, warmup, id } = await started();
  await who.events(id, [answer(1, 0, firstId(warmup)), { seq: 2, type: 'pause', atMs: 0 }]);
  app.clock.advance(600_000);
  assert.is((await who.resume(id)).status, 200);
  app.clock.advance(1);
  const refused = await who.resume(id);
  assert.is(refused.status, 409);
  assert.is(issueOf(refused), 'expired');
  assert.is((await owner('warmup_session').where({ id }).first()).status, 'EXPIRED');
  assert.is(issueOf(await who.events(id, [answer(3, 0, firstId(warmup))])), 'expired');
  assert.equal((await who.complete(id)).body, { status: 'EXPIRED', answered: 1 });
});

test('an abandoned warm-up does not prevent a new one', async () => {
  const { who, warmup, id } = await started();
  app.clock.advance(600_001);
  assert.is(issueOf(await who.events(id, [answer(1, 0, firstId(warmup))])), 'expired');
  const next = await who.start();
  assert.is(next.status, 201);
  assert.is.not(next.body.warmupSessionId, id);
  assert.is((await owner('warmup_session').where({ id }).first()).status, 'EXPIRED');
});

test('an expired warm-up can still be completed', async () => {
  const { who, id } = await started();
  app.clock.advance(700_000);
  assert.equal((await who.complete(id)).body, { status: 'COMPLETED', answered: 0 });
});

test('another student’s warm-up is 403, another organization’s and an unknown one 404', async () => {
  const { id } = await started();
  const other = await kid();
  const abroad = kidOf(app, { ...world.other.people.STUDENT, token: await signIn(app, world.other.people.STUDENT) });
  for (const call of [
    (who: typeof abroad, at: string) => who.complete(at),
    (who: typeof abroad, at: string) => who.resume(at),
  ]) {
    assert.is((await call(other, id)).status, 403);
    assert.is((await call(abroad, id)).status, 404);
    assert.is((await call(other, newId())).status, 404);
  }
  assert.is((await other.events(id, [{ seq: 1, type: 'pause', atMs: 0 }])).status, 403);
});

test('a demo student may warm up', async () => {
  const { STUDENT } = world.demo.people;
  const demo = kidOf(app, { ...STUDENT, token: await signIn(app, STUDENT) });
  const { status, body } = await demo.start();
  assert.is(status, 201);
  assert.is((await demo.complete(body.warmupSessionId)).status, 200);
});

test('a warm-up writes to no table of estimates, statuses or events', async () => {
  const tables = ['diagnostic_estimate', 'diagnostic_session', 'diagnostic_response', 'sse_run', 'rbm_log', 'outbox'];
  const counts = () => Promise.all(tables.map(async (table) => (await owner(table)).length));
  const before = await counts();
  const { who, warmup, id } = await started();
  await who.events(id, [answer(1, 500, firstId(warmup))]);
  await who.complete(id);
  assert.equal(await counts(), before);
});

test('trainingAnswers: answers of TRAINING warm-ups of the school year, with key, time and attempt', async () => {
  const who = await kid();
  const { warmup, id } = await started(who);
  const [one, two] = warmup.items;
  if (!one || !two) throw new Error('no items');
  await who.events(id, [
    answer(1, 2_000, one.itemId, wrongIndex(one)),
    { seq: 2, type: 'skip', atMs: 2_500, itemId: two.itemId },
    answer(3, 3_000, two.itemId, rightIndex(two)),
    answer(4, 7_000, one.itemId, rightIndex(one)),
  ]);
  await who.complete(id);
  const practice = await who.start({ sessionType: 'INTERVENTION_PRACTICE' });
  await who.events(practice.body.warmupSessionId, [answer(1, 1_000, one.itemId)]);
  const read = (schoolYear: string) =>
    inContext(app.database.app, { organizationId: world.own.organizationId }, (trx) =>
      trainingAnswers(trx, who.person.id, schoolYear),
    );
  const row = await owner('warmup_session').where({ id }).first();
  const common = {
    sessionId: id,
    startedAt: row.startedAt,
    bankVersion: 'content/item-bank@1',
    receivedAt: row.startedAt,
  };
  const idOf = (served: { itemId: string }) => bank.find(served.itemId)?.id;
  const [first, second] = [
    { ...common, itemId: idOf(one) },
    { ...common, itemId: idOf(two) },
  ];
  assert.equal(await read('2025-2026'), [
    { ...first, selectedOptionIndex: wrongIndex(one), correct: false, atMs: 2_000, latencyMs: 2_000, attempt: 'first' },
    { ...second, selectedOptionIndex: rightIndex(two), correct: true, atMs: 3_000, latencyMs: 500, attempt: 'first' },
    { ...first, selectedOptionIndex: rightIndex(one), correct: true, atMs: 7_000, latencyMs: 4_000, attempt: 'repeat' },
  ]);
  assert.equal(await read('2024-2025'), []);
});

test('thetas of a diagnostic taken over HTTP are what the next warm-up aims at', async () => {
  const classRow = await buildClass(owner, {
    organizationId: world.own.organizationId,
    schoolId: world.own.school.id,
    name: '4A',
    grade: 4,
  });
  const who = await newKid(app, classRow);
  const diagnostic = child(app, who.person);
  const { body } = await diagnostic.start();
  await diagnostic.answerMany(body.sessionId, 40);
  await diagnostic.finish(body.sessionId);
  const { theta } = await owner('diagnostic_estimate')
    .where({ sessionId: body.sessionId, subSkillCode: 'VOC_MEANING' })
    .first();
  const { warmup } = await started(who);
  const items = warmup.items.map(({ itemId }) => bank.find(itemId));
  assert.equal([...new Set(items.map((item) => item?.subSkillCode))], ['VOC_MEANING']);
  const nearest = Math.min(
    ...bank.cell('VOC_MEANING', 'G34').map(({ difficulty }) => Math.abs(difficulty - (theta - 1))),
  );
  assert.ok(Math.abs((items[0]?.difficulty ?? 9) - (theta - 1)) - nearest < 1e-9);
});

/** A finished diagnostic with these thetas (null: too few answers). */
async function storeTheta(
  { person }: Kid,
  finishedAt: string,
  thetas: Readonly<Record<string, number | null>>,
  schoolYear = '2025-2026',
): Promise<void> {
  const { organizationId, id: studentId } = person;
  const id = newId();
  await owner('diagnostic_session').insert({
    id,
    organizationId,
    studentId,
    status: 'FINISHED',
    formCode: 'DIAG-G1-P1',
    partIndex: 1,
    partCount: 5,
    grade: 1,
    gradeBand: 'G12',
    season: 'BOY',
    schoolYear,
    subSkills: Object.keys(thetas),
    seenItemIds: [],
    pinned: '{}',
    startedAt: finishedAt,
    expiresAt: finishedAt,
    finishedAt,
    finishReason: 'completed',
  });
  await owner('diagnostic_estimate').insert(
    Object.entries(thetas).map(([subSkillCode, theta]) => ({
      organizationId,
      schoolYear,
      sessionId: id,
      subSkillCode,
      theta,
      se: theta === null ? null : 0.7,
      n: theta === null ? 2 : 4,
      calibrationProvisional: true,
      stopReason: 'uniform',
      ruleVersion: 'scoring/measurement@1',
    })),
  );
}

test.run();
