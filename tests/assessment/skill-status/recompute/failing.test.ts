// A student whose evidence cannot be evaluated does not affect others, is retried with growing delays, and is parked
// with an alert.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeRequests } from '#assessment/skill-status/recompute/queue.ts';
import { recomputeStudents, recomputeWaiting } from '#assessment/skill-status/recompute/recompute.ts';
import { requestRecomputes } from '#assessment/skill-status/recompute/requests.ts';
import { inContext } from '#core/platform/db.ts';
import { overdueJobs } from '#core/platform/requests/requests.ts';
import { answersOf } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

const test = suite('recomputes that fail');
const shell = useShell(test);
const { app, services } = shell;
const { owner } = app.database;
const logged: { organizationId?: string; studentIds?: number[] }[] = [];
const longestWaitMs = 3_600_000;
const soonMs = 10_000;
const studentsOfJob = recomputeRequests.atOnce;
let broken: Student;
let healthy: Student[];

const watched = () => ({
  ...services,
  log: Object.assign(Object.create(services.log), {
    error: (fields: object) => logged.push(fields),
    warn: (fields: object) => logged.push(fields),
  }),
});

const ask = (...students: readonly Student[]) =>
  inContext(owner, 'SUPER', (trx) =>
    requestRecomputes(
      trx,
      students.map(({ id: studentId, organizationId }) => ({
        ...{
          organizationId,
          studentId,
          trigger: 'admin' as const,
          triggerRef: null,
          at: app.clock.now().toISOString(),
        },
      })),
    ),
  );

const dueStudents = () =>
  inContext(owner, 'SUPER', async (trx) => {
    const jobs = await overdueJobs(trx, recomputeRequests, app.clock.now(), soonMs, 100);
    return jobs.map(({ data }) => Number(data.studentId));
  });

const requestOf = ({ id: studentId, organizationId }: Student) =>
  inContext(owner, 'SUPER', (trx) => trx('sse_recompute_request').where({ organizationId, studentId }).first());

/** An answer to an item that is in no bank, which cannot be evaluated. */
test.before(async () => {
  broken = await shell.student();
  healthy = [await shell.classmate(broken), await shell.classmate(broken)];
  const finishedAt = '2026-01-10T09:00:00.000Z';
  const answers = answersOf({ LK_SOUND: 'CCCCU' });
  const unknown = answers.map((answer, at) => ({ ...answer, itemId: `NO_SUCH-${at}` }));
  for (const student of healthy) await shell.diagnostic(student, answers, { finishedAt, announced: false });
  await shell.diagnostic(broken, unknown, { finishedAt, announced: false });
});

test('beside healthy ones in one batch: they are evaluated, and the failure is logged with the student’s id', async () => {
  const all = [broken, ...healthy];
  await recomputeStudents(
    watched(),
    broken.organizationId,
    all.map(({ id }) => id),
  ).then(
    () => assert.unreachable('the failure is thrown when all have had their turn'),
    () => {},
  );
  for (const student of healthy) assert.is((await shell.rows('sse_run', student)).length, 1);
  assert.is((await shell.rows('sse_run', broken)).length, 0);
  const halted = /^recompute_runs_total\{grade="2",halted="(?:true|false)"\} (\d+)$/gm;
  const counted = [...(await services.metrics.registry.metrics()).matchAll(halted)].map(([, count]) => Number(count));
  assert.is(
    counted.reduce((sum, count) => sum + count, 0),
    healthy.length,
  );
  assert.ok(logged.some(({ studentIds = [] }) => studentIds.length === all.length));
  assert.ok(
    logged.some(
      ({ studentIds, organizationId }) => studentIds?.[0] === broken.id && organizationId === broken.organizationId,
    ),
  );
});

test('the sweep waits longer after each failure, and leaves the student alone after ten', async () => {
  const waits: number[] = [];
  for (let failures = 1; failures < 10; failures += 1) {
    const { nextTryAt } = await requestOf(broken);
    waits.push(Date.parse(nextTryAt) - app.clock.now().getTime());
    app.clock.advance(soonMs - 1);
    if (waits.at(-1) !== soonMs) assert.not((await dueStudents()).includes(broken.id));
    app.clock.set(nextTryAt);
    app.clock.advance(1);
    await recomputeWaiting(watched(), broken.organizationId, broken.id).catch(() => {});
  }
  assert.equal(waits.slice(0, 4), [10_000, 20_000, 40_000, 80_000]);
  assert.ok(waits.every((wait) => wait <= longestWaitMs));
  const parked = await requestOf(broken);
  assert.is(parked.attempts, 10);
  assert.ok(parked.parkedAt);
  app.clock.advance(100 * longestWaitMs);
  assert.not((await dueStudents()).includes(broken.id));
  const alerts = await inContext(owner, 'SUPER', (trx) => trx('platform_alert').where({ studentId: broken.id }));
  assert.equal(
    alerts.map(({ code, severity }: { code: string; severity: string }) => `${code} ${severity}`),
    ['RECOMPUTE_PARKED high'],
  );
  assert.match(await services.metrics.registry.metrics(), /^recompute_parked_total 1$/m);
});

test('a job of a student who failed recently does nothing', async () => {
  const before = await requestOf(broken);
  await recomputeWaiting(watched(), broken.organizationId, broken.id);
  assert.equal(await requestOf(broken), before);
});

test('new evidence or other rules unpark a student', async () => {
  await ask(broken);
  const { attempts, parkedAt, nextTryAt } = await requestOf(broken);
  assert.equal([attempts, parkedAt, nextTryAt], [0, null, null]);
  app.clock.advance(2 * soonMs);
  assert.ok((await dueStudents()).includes(broken.id));
});

test('many concurrent requests are served by few jobs, and a failure does not affect others in its job', async () => {
  const ill = await shell.student();
  const well = await Promise.all(Array.from({ length: studentsOfJob + 4 }, () => shell.classmate(ill)));
  const finishedAt = '2026-01-10T09:00:00.000Z';
  const unknown = { subSkillCode: 'LK_SOUND', itemId: 'NO_SUCH', letter: 'C', marked: false } as const;
  await shell.diagnostic(ill, [unknown], { finishedAt, announced: false });
  const stranger = await shell.student();
  const jobs = await ask(ill, ...well, stranger);
  const servedBy = jobs.map(({ data }) => [
    Number(data.studentId),
    ...String(data.others ?? '')
      .split(',')
      .filter(Boolean)
      .map(Number),
  ]);
  assert.equal(
    servedBy.map((ids) => ids.length).sort((a, b) => a - b),
    [1, 5, studentsOfJob],
  );
  assert.equal(servedBy.flat().sort(), [ill, ...well, stranger].map(({ id }) => id).sort());
  const [own] = servedBy.filter((ids) => ids.includes(ill.id));
  const [first = 0, ...others] = own ?? [];
  const thrown = await recomputeWaiting(watched(), ill.organizationId, first, ...others).catch((error: Error) => error);
  assert.instance(thrown, Error);
  for (const student of well.filter(({ id }) => own?.includes(id))) {
    const { processedSeq, requestedSeq } = await requestOf(student);
    assert.is(processedSeq, requestedSeq);
  }
  const { processedSeq, lastError, attempts } = await requestOf(ill);
  assert.equal([processedSeq, attempts], [0, 1]);
  assert.match(lastError, /^EvidenceError/);
});

test('a bundle that changes nothing is still named in judgedUnder', async () => {
  const [student] = healthy;
  if (!student) return assert.unreachable();
  const before = await requestOf(student);
  app.clock.advance(1_000);
  await shell.recompute(student);
  const after = await requestOf(student);
  assert.is((await shell.rows('sse_run', student)).length, 1);
  assert.ok(after.judgedAt > before.judgedAt);
  assert.is(after.judgedBundleId, before.judgedBundleId);
});

test.run();
