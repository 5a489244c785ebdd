// Practice as evidence: the part of a queue in a window, and the recompute after a completed queue.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { skillStatusCapability } from '#assessment/skill-status/index.ts';
import { recomputeStudent } from '#assessment/skill-status/recompute/recompute.ts';
import { readInput } from '#assessment/skill-status/results/stored-input.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { practisingChild, showing, wrong } from '../practice/practising.ts';
import { practiceIn } from './practice-in.ts';

const app = useApp(test);
const { services } = app;
const { owner } = app.database;
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

const yearStart = '2025-08-01T00:00:00.000Z';
const noQueues = {
  add: async () => {},
  work: () => ({ close: async () => {} }),
  ping: async () => {},
  state: async () => ({ waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 }),
  close: async () => {},
};

const evidence = (studentId: number, from: string, to: string) =>
  practiceIn(app, { studentId, from, to }, world.own.organizationId);

const now = () => app.clock.now().toISOString();

async function startedChild() {
  const kid = await practisingChild(app, world.own);
  const { body } = await kid.seed(await kid.finishDiagnostic());
  return { kid, queueId: body.queueId };
}

test('an open queue counts with its answers so far and ends with the last of them', async () => {
  const { kid, queueId } = await startedChild();
  for (let done = 0; done < 3; done++) await kid.step(wrong);
  const answeredAt = now();
  app.clock.advance(60_000);
  const [session, ...others] = await evidence(kid.user.id, yearStart, now());
  assert.equal(others, []);
  assert.equal(session?.session, { sessionId: queueId, source: 'practice', endedAt: answeredAt, analysable: true });
  assert.is(session?.responses.length, 3);
  assert.ok(session?.responses.every(({ correct, answered, analysable }) => !correct && answered && analysable));
  assert.ok((session?.provisionalSubSkills.length ?? 0) > 0, 'the demo bank is provisional throughout');
});

test('answers after the window are not in it', async () => {
  const { kid } = await startedChild();
  for (let done = 0; done < 2; done++) await kid.step();
  const then = now();
  app.clock.advance(1000);
  const seenThen = await evidence(kid.user.id, yearStart, then);
  await kid.workOff(wrong);
  assert.equal(await evidence(kid.user.id, yearStart, then), seenThen);
  assert.is(seenThen[0]?.responses.length, 2);
  assert.is((await evidence(kid.user.id, yearStart, now()))[0]?.responses.length, 15);
  app.clock.advance(1);
  assert.equal(await evidence(kid.user.id, now(), now()), [], 'the last answer is before the window');
});

test('a queue without an answer is no evidence', async () => {
  const { kid } = await startedChild();
  await kid.next();
  assert.equal(await evidence(kid.user.id, yearStart, now()), []);
});

test('marks of doubtful effort: computed from the answers, then read from the log, with equal results', async () => {
  const { kid, queueId } = await startedChild();
  for (let done = 0; done < 14; done++) await kid.step(wrong, done % 2 === 0 ? 300 : 6000);
  const marksOf = async () =>
    (await evidence(kid.user.id, yearStart, now()))[0]?.responses.map((one) => one.behaviourMark);
  const soFar = await marksOf();
  assert.equal(soFar?.slice(0, 4), [true, false, true, false]);
  await kid.step(wrong, 6000);
  const [log] = await owner('rbm_log').where({ source: 'practice', sessionId: queueId });
  assert.ok(log.flags.includes('RBM-01'));
  const marked = (await marksOf())?.flatMap((mark, at) => (mark ? [at + 1] : []));
  assert.equal(marked, log.markedSeqs);
});

test('a hint makes an answer one with support', async () => {
  const { kid, queueId } = await startedChild();
  const served = await kid.workOff(showing('dot_confusion'));
  const [session] = await evidence(kid.user.id, yearStart, now());
  const supported = session?.responses.map(({ support }) => support === 'auto_support');
  assert.equal(
    supported,
    served.map(({ support }) => support !== null),
  );
  assert.ok(supported?.includes(true), queueId);
});

test('practice.completed asks for a recompute, and the run contains the queue', async () => {
  const { kid, queueId } = await startedChild();
  await kid.workOff();
  const { organizationId } = world.own;
  await relayAll(services, noQueues, skillStatusCapability.reactions ?? []);
  const [request] = await owner('sse_recompute_request').where({ studentId: kid.user.id });
  assert.is(request.trigger, 'practice_completed');
  assert.is(request.triggerRef, queueId);
  await recomputeStudent(services, organizationId, kid.user.id);
  const [run] = await owner('sse_run').where({ studentId: kid.user.id });
  const sources = run.input.sessions.map(({ source }: { source: string }) => source).sort();
  assert.equal(sources, ['diagnostic', 'practice']);
  const practised = readInput(run.input).responses.filter(({ sessionId }) => sessionId === queueId);
  assert.is(practised.length, 15);
});

test.run();
