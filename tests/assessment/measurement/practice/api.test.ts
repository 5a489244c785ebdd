// Practice over HTTP: queues, serving, refusals.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import type { ErrorBody } from '../diagnostics/child.ts';
import { itemOf, practisingChild, right, wrong } from './practising.ts';

const app = useApp(test);
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

const newChild = () => practisingChild(app, world.own);
const issueOf = (body: unknown) => (body as ErrorBody).details?.[0]?.issue;
const completions = (studentId: number) =>
  app.database
    .owner('outbox')
    .where({ topic: 'practice.completed' })
    .whereRaw("(payload->>'studentId')::bigint = ?", [studentId]);

test('without a queue: null, and nothing to serve', async () => {
  const kid = await newChild();
  assert.equal((await kid.current()).body, { queue: null });
  assert.equal((await kid.next()).body, { outcome: 'no_eligible_item', served: null, support: null });
});

test('seed: 201, a repeated seed 200 with the existing queue, an unfinished diagnostic 409', async () => {
  const kid = await newChild();
  const { body: open } = await kid.diagnostic.start();
  const early = await kid.seed(open.sessionId);
  assert.is(early.status, 409);
  assert.is(issueOf(early.body), 'not_finished');
  const sessionId = await kid.finishDiagnostic();
  const first = await kid.seed(sessionId);
  assert.is(first.status, 201);
  assert.equal(Object.keys(first.body).sort(), ['answered', 'itemBudget', 'queueId', 'status']);
  assert.is(first.body.itemBudget, 15);
  const again = await kid.seed(sessionId);
  assert.is(again.status, 200);
  assert.equal(again.body, first.body);
  assert.equal((await kid.current()).body.queue, first.body);
});

test('20 seeds at once make one queue', async () => {
  const kid = await newChild();
  const sessionId = await kid.finishDiagnostic();
  const all = await Promise.all(Array.from({ length: 20 }, () => kid.seed(sessionId)));
  assert.is(new Set(all.map(({ body }) => body.queueId)).size, 1);
  assert.is(all.filter(({ status }) => status === 201).length, 1);
});

test('a teacher seeds for a student of the class; another student may not', async () => {
  const kid = await newChild();
  const stranger = await newChild();
  const sessionId = await kid.finishDiagnostic();
  assert.is((await stranger.seed(sessionId)).status, 403);
  const path = `/api/practice/queues/seed/${sessionId}`;
  const { people } = world.own;
  assert.is((await app.post(path, {}, { token: people['TEACHER elsewhere'].token })).status, 403);
  assert.is((await app.post(path, {}, { token: people.TEACHER.token })).status, 201);
  assert.is((await kid.current()).body.queue?.status, 'ACTIVE');
});

test('a newer diagnostic’s queue replaces the active one, whose open item can no longer be answered', async () => {
  const kid = await newChild();
  const first = await kid.seed(await kid.finishDiagnostic());
  await kid.step();
  const out = (await kid.next()).body.served;
  const second = await kid.seed(await kid.finishDiagnostic());
  assert.is(second.status, 201);
  assert.is.not(second.body.queueId, first.body.queueId);
  const late = await kid.submit({ servedItemId: out?.servedItemId, selectedOptionIndex: 0, latencyMs: 10 });
  assert.is(late.status, 409);
  assert.is(issueOf(late.body), 'replaced');
  const rows = await app.database.owner('practice_queue').where({ studentId: kid.user.id }).orderBy('seq');
  assert.equal(
    rows.map(({ status }) => status),
    ['REPLACED', 'ACTIVE'],
  );
  assert.is((await completions(kid.user.id)).length, 0, 'replacing asks for no recompute');
});

test('targets take turns; the student sees only correctness and the remaining count', async () => {
  const kid = await newChild();
  await kid.seed(await kid.finishDiagnostic());
  const subSkills: string[] = [];
  for (let done = 0; done < 6; done++) {
    const { body } = await kid.next();
    assert.ok(body.served);
    assert.equal(Object.keys(body.served).sort(), [
      'expectedSeconds',
      'itemId',
      'itemType',
      'options',
      'prompt',
      'seq',
      'servedItemId',
    ]);
    subSkills.push(itemOf(body.served).subSkillCode);
    app.clock.advance(3000);
    const isRight = done % 2 === 0;
    const answer = {
      servedItemId: body.served.servedItemId,
      selectedOptionIndex: (isRight ? right : wrong)(body.served),
      latencyMs: 3000,
    };
    const feedback = await kid.submit(answer);
    assert.equal(feedback.body, {
      accepted: true,
      feedbackCode: isRight ? 'well_done' : 'keep_going',
      remaining: 14 - done,
    });
  }
  assert.is(new Set(subSkills.slice(0, 3)).size, 3);
  assert.equal(subSkills.slice(0, 3), subSkills.slice(3));
});

test('the 15th answer completes the queue: one event, one behaviour log, queue_complete from then on', async () => {
  const kid = await newChild();
  const { body: queue } = await kid.seed(await kid.finishDiagnostic());
  const served = await kid.workOff();
  assert.is(served.length, 15);
  assert.equal((await kid.current()).body.queue, { ...queue, status: 'COMPLETED', answered: 15 });
  assert.equal((await kid.next()).body, { outcome: 'queue_complete', served: null, support: null });
  assert.is((await completions(kid.user.id)).length, 1);
  const logs = await app.database.owner('rbm_log').where({ source: 'practice', sessionId: queue.queueId });
  assert.is(logs.length, 1);
});

test('a repeated answer, even the last one, gets an equal response; another answer 409', async () => {
  const kid = await newChild();
  await kid.seed(await kid.finishDiagnostic());
  for (let done = 0; done < 14; done++) await kid.step();
  const last = (await kid.next()).body.served;
  assert.ok(last);
  const answer = { servedItemId: last.servedItemId, selectedOptionIndex: right(last), latencyMs: 0 };
  const first = await kid.submit(answer);
  assert.equal(first.body, { accepted: true, feedbackCode: 'well_done', remaining: 0 });
  assert.equal((await kid.submit(answer)).body, first.body);
  const other = await kid.submit({ ...answer, selectedOptionIndex: wrong(last) });
  assert.is(other.status, 409);
  assert.is(issueOf(other.body), 'answered');
  assert.is((await completions(kid.user.id)).length, 1);
});

test('a completed queue can be followed by another one from its diagnostic', async () => {
  const kid = await newChild();
  const sessionId = await kid.finishDiagnostic();
  const first = await kid.seed(sessionId);
  const before = (await kid.workOff()).map(({ served }) => served?.itemId);
  const second = await kid.seed(sessionId);
  assert.is(second.status, 201);
  assert.is.not(second.body.queueId, first.body.queueId);
  const { served } = (await kid.next()).body;
  assert.not.ok(before.includes(served?.itemId), 'what was practised is remembered');
});

test('skipping uses no budget, and ends when nothing is left', async () => {
  const kid = await newChild();
  await kid.seed(await kid.finishDiagnostic());
  let outcome = '';
  for (let steps = 0; outcome !== 'queue_complete' && steps < 100; steps++) {
    const { body } = await kid.next();
    outcome = body.outcome;
    if (!body.served) continue;
    const { servedItemId } = body.served;
    const feedback = await kid.submit({ servedItemId, skipped: true, latencyMs: 5 });
    assert.equal(feedback.body, { accepted: true, feedbackCode: 'keep_going', remaining: 15 });
  }
  assert.is(outcome, 'queue_complete');
  assert.is((await completions(kid.user.id)).length, 1);
  assert.is((await kid.current()).body.queue?.answered, 0);
});

test('foreign or unserved items and missing options are 422', async () => {
  const kid = await newChild();
  const stranger = await newChild();
  for (const one of [kid, stranger]) await one.seed(await one.finishDiagnostic());
  const mine = (await kid.next()).body.served;
  const theirs = (await stranger.next()).body.served;
  const bad = [
    { servedItemId: theirs?.servedItemId, selectedOptionIndex: 0, latencyMs: 1 },
    { servedItemId: 'a'.repeat(24), selectedOptionIndex: 0, latencyMs: 1 },
    { servedItemId: mine?.servedItemId, selectedOptionIndex: mine?.options.length, latencyMs: 1 },
    { servedItemId: mine?.servedItemId, latencyMs: 1 },
  ];
  for (const body of bad) assert.is((await kid.submit(body)).status, 422, JSON.stringify(body));
  assert.is((await kid.current()).body.queue?.answered, 0);
});

test('two devices that answer one item differently: one is accepted', async () => {
  const kid = await newChild();
  await kid.seed(await kid.finishDiagnostic());
  const served = (await kid.next()).body.served;
  assert.ok(served);
  app.clock.advance(2000);
  const replies = await Promise.all(
    served.options.map(({ index }) =>
      kid.submit({ servedItemId: served.servedItemId, selectedOptionIndex: index, latencyMs: 2000 }),
    ),
  );
  assert.is(replies.filter(({ status }) => status === 200).length, 1);
  assert.is(replies.filter(({ status }) => status === 409).length, served.options.length - 1);
});

test('next-item from ten devices at once serves one item', async () => {
  const kid = await newChild();
  await kid.seed(await kid.finishDiagnostic());
  const replies = await Promise.all(Array.from({ length: 10 }, () => kid.next()));
  assert.is(new Set(replies.map(({ body }) => body.served?.servedItemId)).size, 1);
});

test.run();
