// The student's diagnostic over HTTP: its states, its refusals, and two devices at once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildStudent, signIn } from '../../../harness/factories.ts';
import { type TestApp, useApp } from '../../../harness/http.ts';
import { buildWorld, type Person, type World } from '../../../harness/world.ts';
import { child, type ErrorBody, type NextBody, rightIndex, type ServedBody, wrongIndex } from './child.ts';

const test = suite('diagnostic over HTTP');
const app: TestApp = useApp(test);
/** A student of the world's class. */
const grade = 1;
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

/** A new student of the class, so that tests are independent. */
async function newChild() {
  const user = await buildStudent(app.database.owner, world.own.classRow);
  const person: Person = { ...user, token: await signIn(app, user) };
  return { person, ...child(app, person) };
}

const issueOf = (body: unknown) => (body as ErrorBody).details?.[0]?.issue;

test('start gives the first part of the season; a repeated start gives the open session', async () => {
  const kid = await newChild();
  const started = await kid.start();
  assert.is(started.status, 201);
  assert.is(started.body.formCode, `DIAG-G${grade}-P1`);
  assert.is(started.body.partIndex, 1);
  assert.is(started.body.activeMsCap, 900_000);
  assert.is(started.body.progress.answered, 0);
  const again = await kid.start();
  assert.is(again.status, 200);
  assert.is(again.body.sessionId, started.body.sessionId);
  assert.is(again.body.resumed, true);
});

test('20 starts at once make one session', async () => {
  const kid = await newChild();
  const all = await Promise.all(Array.from({ length: 20 }, () => kid.start()));
  assert.equal([...new Set(all.map(({ body }) => body.sessionId))].length, 1);
  assert.is(all.filter(({ status }) => status === 201).length, 1);
  assert.is(all.filter(({ status }) => status === 200).length, 19);
});

test('a served item carries no key, difficulty, pattern or sub-skill', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const { body } = await kid.next(session.sessionId);
  assert.is(body.outcome, 'item_served');
  assert.equal(Object.keys(body.served ?? {}).sort(), [
    'expectedSeconds',
    'itemId',
    'itemType',
    'options',
    'prompt',
    'seq',
    'servedItemId',
  ]);
  assert.match(body.served?.itemId ?? '', /^[0-9a-f]{16}$/);
  for (const option of body.served?.options ?? [])
    assert.equal(Object.keys(option).sort(), ['audioUrl', 'index', 'speech', 'text']);
});

test('until it is answered, the current item is returned', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const first = await kid.next(session.sessionId);
  const second = await kid.next(session.sessionId);
  assert.is(second.body.served?.servedItemId, first.body.served?.servedItemId);
  const parallel = await Promise.all(Array.from({ length: 10 }, () => kid.next(session.sessionId)));
  for (const { body } of parallel) assert.is(body.served?.servedItemId, first.body.served?.servedItemId);
});

test('a repeated response gets an equal answer, a different one CONFLICT', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const served = (await kid.next(session.sessionId)).body.served as ServedBody;
  app.clock.advance(2000);
  const response = { servedItemId: served.servedItemId, selectedOptionIndex: rightIndex(served), latencyMs: 2000 };
  const first = await kid.answer(session.sessionId, response);
  assert.is(first.status, 200);
  await kid.answerMany(session.sessionId, 1);
  const again = await kid.answer(session.sessionId, response);
  assert.equal(again.body, first.body);
  const other = await kid.answer(session.sessionId, { ...response, selectedOptionIndex: wrongIndex(served) });
  assert.is(other.status, 409);
  assert.is(issueOf(other.body), 'answered');
});

test('two devices that answer one item differently: one is accepted', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const served = (await kid.next(session.sessionId)).body.served as ServedBody;
  app.clock.advance(1500);
  const answers = await Promise.all(
    served.options.map(({ index }) =>
      kid.answer(session.sessionId, { servedItemId: served.servedItemId, selectedOptionIndex: index, latencyMs: 1500 }),
    ),
  );
  assert.is(answers.filter(({ status }) => status === 200).length, 1);
  assert.is(answers.filter(({ status }) => status === 409).length, served.options.length - 1);
  assert.is((await kid.read(session.sessionId)).body.progress.answered, 1);
});

test('foreign or unserved items, a missing option and a bad shape are 422 and write nothing', async () => {
  const kid = await newChild();
  const stranger = await newChild();
  const { body: session } = await kid.start();
  const { body: foreign } = await stranger.start();
  const served = (await kid.next(session.sessionId)).body.served as ServedBody;
  const theirs = (await stranger.next(foreign.sessionId)).body.served as ServedBody;
  const bad: object[] = [
    { servedItemId: theirs.servedItemId, selectedOptionIndex: 0, latencyMs: 1 },
    { servedItemId: 'a'.repeat(24), selectedOptionIndex: 0, latencyMs: 1 },
    { servedItemId: served.servedItemId, selectedOptionIndex: served.options.length, latencyMs: 1 },
    { servedItemId: served.servedItemId, selectedOptionIndex: 0, skipped: true, latencyMs: 1 },
    { servedItemId: served.servedItemId, skipped: false, latencyMs: 1 },
    { servedItemId: served.servedItemId, selectedOptionIndex: 0, latencyMs: 900_001 },
    { servedItemId: served.servedItemId, selectedOptionIndex: 0 },
  ];
  for (const body of bad) assert.is((await kid.answer(session.sessionId, body)).status, 422, JSON.stringify(body));
  assert.is((await kid.read(session.sessionId)).body.progress.answered, 0);
});

test('another student’s session is 403, another organization’s and an unknown one 404', async () => {
  const kid = await newChild();
  const other = await newChild();
  const { body: session } = await other.start();
  const abroad = child(app, world.other.people.STUDENT);
  assert.is((await kid.read(session.sessionId)).status, 403);
  assert.is((await kid.finish(session.sessionId)).status, 403);
  assert.is((await abroad.read(session.sessionId)).status, 404);
  assert.is((await kid.read('a'.repeat(24))).status, 404);
});

test('four right answers end a sub-skill, so six sub-skills take 24 items; then the session is complete', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  assert.is(await kid.answerMany(session.sessionId, 40), 'session_complete');
  assert.is((await kid.read(session.sessionId)).body.progress.answered, 24);
  const finished = await kid.finish(session.sessionId);
  const expected = {
    sessionId: session.sessionId,
    status: 'FINISHED',
    finishReason: 'completed',
    answered: 24,
    nextFormCode: `DIAG-G${grade}-P2`,
  };
  assert.equal(finished.body, expected);
  assert.equal((await kid.finish(session.sessionId)).body, expected, 'a repeated finish gives an equal result');
  const late = await kid.next(session.sessionId);
  assert.is(late.status, 409);
  assert.is(issueOf(late.body), 'finished');
});

test('finish without an answer is CONFLICT no_responses; skips count as served, not as answered', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  assert.is(issueOf((await kid.finish(session.sessionId)).body), 'no_responses');
  const served = (await kid.next(session.sessionId)).body.served as ServedBody;
  await kid.answer(session.sessionId, { servedItemId: served.servedItemId, skipped: true, latencyMs: 10 });
  const finished = await kid.finish(session.sessionId);
  assert.is(finished.status, 200);
  assert.equal((finished.body as { answered: number; finishReason: string }).answered, 0);
  assert.is((finished.body as { finishReason: string }).finishReason, 'stopped_early');
});

test('finish twice at once finishes once: one outbox row, one estimate row a sub-skill', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  await kid.answerMany(session.sessionId, 5);
  const answers = await Promise.all(Array.from({ length: 10 }, () => kid.finish(session.sessionId)));
  for (const { status } of answers) assert.is(status, 200);
  const events = await app.database
    .owner('outbox')
    .where({ topic: 'diagnostic.finished' })
    .whereRaw("payload->>'sessionId' = ?", [session.sessionId]);
  assert.is(events.length, 1);
  const estimates = await app.database.owner('diagnosticEstimate').where({ sessionId: session.sessionId });
  assert.is(estimates.length, 2);
});

test('active time excludes pauses', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const served = (await kid.next(session.sessionId)).body.served as ServedBody;
  app.clock.advance(4000);
  const at = app.clock.now().toISOString();
  assert.equal(
    (
      await kid.events(session.sessionId, [
        { type: 'pause', at },
        { type: 'pause', at },
      ])
    ).body,
    {
      accepted: 1,
      status: 'PAUSED',
    },
  );
  app.clock.advance(600_000);
  assert.equal((await kid.events(session.sessionId, [{ type: 'resume', at: app.clock.now().toISOString() }])).body, {
    accepted: 1,
    status: 'IN_PROGRESS',
  });
  app.clock.advance(1000);
  await kid.answer(session.sessionId, {
    servedItemId: served.servedItemId,
    selectedOptionIndex: 0,
    latencyMs: 605_000,
  });
  assert.is((await kid.read(session.sessionId)).body.activeMsUsed, 5000);
});

test('next-item ends a pause', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  await kid.events(session.sessionId, [{ type: 'pause', at: app.clock.now().toISOString() }]);
  assert.is((await kid.read(session.sessionId)).body.status, 'PAUSED');
  await kid.next(session.sessionId);
  assert.is((await kid.read(session.sessionId)).body.status, 'IN_PROGRESS');
});

test('a child who listens three times to each item has not guessed; a repeated request changes nothing', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const counted: number[] = [];
  for (let no = 0; no < 6; no += 1) {
    const { servedItemId, ...item } = (await kid.next(session.sessionId)).body.served as ServedBody;
    const servedMs = app.clock.now().getTime();
    app.clock.advance(9000);
    const taps = [1000, 1400, 1800].map((afterMs) => ({
      ...{ type: 'audio_replay', servedItemId, at: new Date(servedMs + afterMs).toISOString(), durationMs: 3000 },
    }));
    assert.equal((await kid.events(session.sessionId, taps)).body, { accepted: 3, status: 'IN_PROGRESS' });
    assert.equal((await kid.events(session.sessionId, taps)).body, { accepted: 0, status: 'IN_PROGRESS' });
    const before = (await kid.read(session.sessionId)).body.activeMsUsed;
    const selectedOptionIndex = rightIndex({ servedItemId, ...item });
    await kid.answer(session.sessionId, { servedItemId, selectedOptionIndex, latencyMs: 9000 });
    counted.push((await kid.read(session.sessionId)).body.activeMsUsed - before);
  }
  // Heard from second 1 to 4.8.
  assert.equal(counted, Array(6).fill(5200));
  const rows = await app.database.owner('diagnosticResponse').where({ sessionId: session.sessionId });
  assert.equal([...new Set(rows.map((row) => row.heardMs))], [9000]);
  await kid.finish(session.sessionId);
  const [log] = await app.database.owner('rbmLog').where({ sessionId: session.sessionId });
  assert.equal([log.flags, log.facts.replayOveruseItems, log.facts.rapid], [['RBM-07'], 6, 0]);
});

test('two equal replays of one request are two; one of another item, moment or length is no repeat', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const { servedItemId } = (await kid.next(session.sessionId)).body.served as ServedBody;
  app.clock.advance(5000);
  const at = app.clock.now().toISOString();
  const replay = { type: 'audio_replay', servedItemId, at };
  const accepted = async (...events: object[]) =>
    ((await kid.events(session.sessionId, events)).body as { accepted: number }).accepted;
  assert.is(await accepted(replay, replay), 2);
  assert.is(await accepted({ ...replay, durationMs: 0 }), 0, 'a length that is left out is 0');
  assert.is(await accepted({ ...replay, durationMs: 1 }), 1);
  assert.is(await accepted({ type: 'audio_replay', at }), 1);
  assert.is(await accepted({ ...replay, at: new Date(Date.parse(at) - 1).toISOString() }), 1);
});

test('events outside the session so far are 422 and no event of the batch is stored', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const now = app.clock.now();
  const inTime = { type: 'pause', at: now.toISOString() };
  for (const at of [new Date(now.getTime() + 1000), new Date(now.getTime() - 1000)]) {
    const refused = await kid.events(session.sessionId, [inTime, { type: 'focus_lost', at: at.toISOString() }]);
    assert.is(refused.status, 422);
    assert.is((refused.body as ErrorBody).details?.[0]?.field, 'events.1.at');
  }
  assert.is((await kid.read(session.sessionId)).body.status, 'IN_PROGRESS');
});

test('at 15 active minutes the cap is reached; the served item may still be answered', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const first = (await kid.next(session.sessionId)).body.served as ServedBody;
  app.clock.advance(899_999);
  await kid.answer(session.sessionId, { servedItemId: first.servedItemId, selectedOptionIndex: 0, latencyMs: 899_999 });
  const second = (await kid.next(session.sessionId)).body;
  assert.is(second.outcome, 'item_served', 'an open sub-skill goes on while time is left');
  app.clock.advance(60_000);
  const served = second.served as ServedBody;
  const accepted = await kid.answer(session.sessionId, {
    servedItemId: served.servedItemId,
    selectedOptionIndex: 0,
    latencyMs: 60_000,
  });
  assert.is(accepted.status, 200);
  assert.equal((await kid.next(session.sessionId)).body.outcome, 'time_cap_reached');
  assert.is(((await kid.finish(session.sessionId)).body as { finishReason: string }).finishReason, 'time_cap');
});

test('a sub-skill that cannot get four items in the time left is not opened', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  const first = (await kid.next(session.sessionId)).body.served as ServedBody;
  app.clock.advance(830_000);
  await kid.answer(session.sessionId, {
    servedItemId: first.servedItemId,
    selectedOptionIndex: rightIndex(first),
    latencyMs: 830_000,
  });
  await kid.answerMany(session.sessionId, 3, rightIndex, 1000);
  assert.is((await kid.next(session.sessionId)).body.outcome, 'time_cap_reached', '67 s left, 80 s needed');
});

test('after 24 hours the session is EXPIRED and refuses every write; a new start creates a new session', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  await kid.answerMany(session.sessionId, 2);
  const served = (await kid.next(session.sessionId)).body.served as ServedBody;
  app.clock.advance(24 * 3_600_000);
  assert.is((await kid.read(session.sessionId)).body.status, 'EXPIRED');
  const writes = [
    await kid.next(session.sessionId),
    await kid.answer(session.sessionId, { servedItemId: served.servedItemId, selectedOptionIndex: 0, latencyMs: 1 }),
    await kid.events(session.sessionId, [{ type: 'pause', at: app.clock.now().toISOString() }]),
    await kid.finish(session.sessionId),
  ];
  for (const { status, body } of writes) {
    assert.is(status, 409);
    assert.is(issueOf(body), 'expired');
  }
  const anew = await kid.start();
  assert.is(anew.status, 201);
  assert.is.not(anew.body.sessionId, session.sessionId);
});

test('forms: another grade’s and unknown ones are 422, another than the open one is CONFLICT', async () => {
  const kid = await newChild();
  assert.is((await kid.start({ formCode: 'DIAG-G2-P1' })).status, 422);
  assert.is((await kid.start({ formCode: 'DIAG-G1-P99' })).status, 422);
  await kid.start({ formCode: `DIAG-G${grade}-P2` });
  for (const formCode of ['DIAG-G2-P1', 'DIAG-G1-P99', 'nonsense']) {
    assert.is((await kid.start({ formCode })).status, 422, formCode);
  }
  const other = await kid.start({ formCode: `DIAG-G${grade}-P1` });
  assert.is(other.status, 409);
  assert.is(issueOf(other.body), 'session_open');
});

test('a student without a class is CONFLICT no_grade', async () => {
  const kid = await newChild();
  await app.database.owner('enrollment').where({ studentId: kid.person.id }).delete();
  const refused = await kid.start();
  assert.is(refused.status, 409);
  assert.is(issueOf(refused.body), 'no_grade');
});

test('all parts finished: window_complete; a named part may be taken again', async () => {
  const kid = await newChild();
  let formCode = '';
  for (;;) {
    const started = await kid.start();
    if (started.status === 409) {
      assert.is(issueOf(started.body), 'window_complete');
      break;
    }
    formCode = started.body.formCode;
    await kid.answerMany(started.body.sessionId, 1);
    await kid.finish(started.body.sessionId);
    app.clock.advance(60_000);
  }
  assert.is((await kid.start({ formCode })).status, 201);
});

test('skipping every item closes each sub-skill after six served ones', async () => {
  const kid = await newChild();
  const { body: session } = await kid.start();
  let last: NextBody | undefined;
  for (let served = 0; served <= 36; served++) {
    last = (await kid.next(session.sessionId)).body;
    if (!last.served) break;
    await kid.answer(session.sessionId, { servedItemId: last.served.servedItemId, skipped: true, latencyMs: 5 });
  }
  assert.is(last?.outcome, 'session_complete');
  assert.equal(last?.progress, { answered: 0, maxItems: 36 });
});

test.run();
