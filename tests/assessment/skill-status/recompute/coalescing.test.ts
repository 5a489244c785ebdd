// Runs of a student are serialized and no request is lost, when requests arrive during runs and workers compete.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { skillStatusCapability } from '#assessment/skill-status/index.ts';
import { recomputeStudent } from '#assessment/skill-status/recompute/recompute.ts';
import { requestRecomputes } from '#assessment/skill-status/recompute/requests.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { answersOf, testBanks } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

const test = suite('coalescing');
const shell = useShell(test);
const { app, services } = shell;
const finishedAt = '2026-01-10T09:00:00.000Z';

const reactions = skillStatusCapability.reactions ?? [];

function ask(student: Student, times = 1): Promise<unknown> {
  const { organizationId, id: studentId } = student;
  const input = { organizationId, studentId, trigger: 'admin', triggerRef: null, at: finishedAt } as const;
  const askOnce = () => inContext(services.db, 'SUPER', (trx) => requestRecomputes(trx, [input]));
  return Promise.all(Array.from({ length: times }, askOnce));
}

/** Services whose next run pauses (while its evidence is read) until it is released. */
function pausedServices() {
  let letGo = () => {};
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reads = 0;
  const banks = testBanks();
  const paused: Services = {
    ...services,
    itemBanks: {
      ...banks,
      async current() {
        reads += 1;
        arrive();
        await gate;
        return banks.current();
      },
    },
  };
  return { paused, arrived, letGo, readsOf: () => reads };
}

const run = (by: Services, { organizationId, id }: Student) => recomputeStudent(by, organizationId, id);

async function studentWithEvidence(): Promise<Student> {
  const student = await shell.student();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt, announced: false });
  return student;
}

test('ten requests during a run give one further run, and another worker returns at once', async () => {
  const student = await studentWithEvidence();
  await ask(student);
  const { paused, arrived, letGo, readsOf } = pausedServices();
  const running = run(paused, student);
  await arrived;
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }, 5), { finishedAt, announced: false });
  await ask(student, 10);
  await run(services, student);
  assert.is((await shell.rows('sse_run', student)).length, 0, 'the student is locked: no other run');
  letGo();
  await running;
  assert.is(readsOf(), 2, 'one further run for ten requests');
  assert.is((await shell.rows('sse_run', student)).length, 2);
  const request = await shell.request(student);
  assert.is(request?.requestedSeq, 11);
  assert.is(request?.processedSeq, 11);
});

test('a request never waits for a run', async () => {
  const student = await studentWithEvidence();
  await ask(student);
  const { paused, arrived, letGo } = pausedServices();
  const running = run(paused, student);
  await arrived;
  // The run continues only after another request, so a request that waited for it would never return.
  await ask(student).finally(letGo);
  await running;
});

test('requests that race with the end of a run are all served: 20 rounds of requests and two workers', async () => {
  const student = await studentWithEvidence();
  for (let round = 0; round < 20; round += 1) {
    const askThenRun = async () => {
      await ask(student);
      await run(services, student);
    };
    await Promise.all([askThenRun(), askThenRun(), askThenRun()]);
    const request = await shell.request(student);
    assert.is(request?.processedSeq, request?.requestedSeq, `round ${round}`);
  }
  assert.is((await shell.rows('sse_run', student)).length, 1, 'nothing new, no further rows');
});

test('two workers at once append every row once', async () => {
  const students = await Promise.all(Array.from({ length: 5 }, studentWithEvidence));
  for (const student of students) await ask(student);
  await Promise.all(students.flatMap((student) => [run(services, student), run(services, student)]));
  for (const student of students) {
    assert.is((await shell.rows('sse_run', student)).length, 1);
    assert.is((await shell.rows('sse_skill_snapshot', student)).length, 1);
  }
});

test('the relay turns events into one request and one job a student, keeping the trigger with the highest priority', async () => {
  const student = await studentWithEvidence();
  const { organizationId, id: studentId } = student;
  const event = (topic: string, payload: object) => {
    return { organizationId, topic, payload: JSON.stringify({ studentId, ...payload }), createdAt: finishedAt };
  };
  await inContext(app.database.owner, 'SUPER', (trx) =>
    trx('outbox').insert([
      event('student.grade_changed', { classId: 7 }),
      event('diagnostic.finished', { sessionId: 'session-1' }),
      event('something.else', {}),
    ]),
  );
  const jobs: unknown[] = [];
  await relayAll(services, { ...noQueues, add: async (added) => void jobs.push(...added) }, reactions);
  assert.equal(jobs, [{ queue: 'recompute', id: `recompute-${studentId}-1`, data: { organizationId, studentId } }]);
  const request = await shell.request(student);
  assert.is(request?.trigger, 'diagnostic_finished');
  assert.is(request?.triggerRef, 'session-1');
  assert.is(request?.requestedSeq, 1);
});

test('a run is never as of a time before its trigger when process clocks differ', async () => {
  const student = await shell.student();
  const ahead = new Date(app.clock.now().getTime() + 5_000).toISOString();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt: ahead });
  await relayAll(services, noQueues, reactions);
  await run(services, student);
  const [stored] = await shell.rows<{ asOf: string; evaluatedSubSkills: string[] }>('sse_run', student);
  assert.is(stored?.asOf, ahead);
  assert.equal(stored?.evaluatedSubSkills, ['LK_SOUND']);
});

test('a failure is recorded, stays pending, keeps no rows, and is cleared by a success', async () => {
  const student = await studentWithEvidence();
  await ask(student);
  const failing: Services = {
    ...services,
    rules: { ...services.rules, at: () => Promise.reject(new RangeError('no such rule')) },
  };
  const thrown = await run(failing, student).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.instance(thrown, RangeError);
  const failed = await shell.request(student);
  assert.is(failed?.lastError, 'RangeError: no such rule');
  assert.is(failed?.processedSeq, 0);
  assert.is((await shell.rows('sse_run', student)).length, 0);
  await run(services, student);
  const served = await shell.request(student);
  assert.is(served?.lastError, null);
  assert.is(served?.processedSeq, 1);
});

test('the sweep finds requests that have waited for more than 10 s, those that failed last', async () => {
  await inContext(app.database.owner, 'SUPER', (trx: Trx) =>
    trx('sse_recompute_request').update({ processedSeq: trx.ref('requested_seq') }),
  );
  const waiting = await shell.student();
  const failed = await shell.student();
  const fresh = await shell.student();
  const now = app.clock.now().getTime();
  const requestOf = ({ organizationId, id: studentId }: Student, agoMs: number, lastError: string | null = null) => ({
    ...{ organizationId, studentId, requestedSeq: 1, trigger: 'admin', lastError },
    requestedAt: new Date(now - agoMs).toISOString(),
  });
  await inContext(app.database.owner, 'SUPER', (trx) =>
    trx('sse_recompute_request').insert([
      requestOf(failed, 60_000, 'RangeError: x'),
      requestOf(waiting, 10_001),
      requestOf(fresh, 10_000),
    ]),
  );
  const added: string[] = [];
  const queues = {
    ...noQueues,
    add: async (jobs: readonly { id: string }[]) => void added.push(...jobs.map(({ id }) => id)),
  };
  await skillStatusCapability.schedules?.[0]?.run(services, queues);
  assert.equal(added, [`recompute-${waiting.id}-1`, `recompute-${failed.id}-1`]);
});

const noQueues = {
  add: async () => {},
  work: () => ({ close: async () => {} }),
  ping: async () => {},
  state: async () => ({ waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 }),
  close: async () => {},
};

test.run();
