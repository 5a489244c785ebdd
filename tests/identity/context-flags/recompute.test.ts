// timeout: 180s
// The effect of flags on results: through outbox, queue and worker, with the dictionary in force, and replayed byte for byte.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replayRun } from '#assessment/skill-status/index.ts';
import { changesResults } from '#backoffice/workbench/activation/recompute.ts';
import { explainStamp } from '#backoffice/workbench/explain/explainers.ts';
import { inContext, readTransactionIn } from '#core/platform/db.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { openQueues, type Queues } from '#core/platform/queue/queue.ts';
import { studentsFlaggedForReview } from '#identity/context-flags/index.ts';
import { activeRules } from '#rules/rulesets/active.ts';
import type { ValueDocument } from '#rules/rulesets/engine/document/document.ts';
import { startWorkers, type Workers } from '../../../workers/start.ts';
import { answersOf, bundle } from '../../assessment/skill-status/evidence.ts';
import { type Student, useShell } from '../../assessment/skill-status/shell.ts';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import { eventually } from '../../harness/eventually.ts';
import { buildTeacher, signIn } from '../../harness/factories.ts';
import { listed, note } from './flags.ts';

const test = suite('flags and results');
const shell = useShell(test);
const { app } = shell;
const { database } = app;
let queues: Queues;
let workers: Workers;

test.before(() => {
  const log = createLogger('silent');
  const postgres = { connectionString: database.appUrl };
  queues = openQueues({ log, redisUrl: undefined, postgres, prefix: `${database.name}-queue` });
  workers = startWorkers({ services: shell.services, queues, postgres, log });
});
test.after(async () => {
  await workers.stop();
  await queues.close();
});

interface Run {
  readonly id: string;
  readonly trigger: string;
  readonly triggerRef: string | null;
  readonly contextReview: boolean;
  readonly asOf: string;
}

const runs = (student: Student) => shell.rows<Run>('sse_run', student);
const statuses = async (student: Student) =>
  (await shell.rows<{ status: string }>('sse_skill_snapshot', student)).map(({ status }) => status);
/** Waits until the student was requested `times` times and all requests were served. */
const served = (student: Student, times: number) =>
  eventually(`${times} recomputes`, async () => {
    const request = await shell.request(student);
    return request?.requestedSeq === times && request.processedSeq === times;
  });

/** Creates a student who is weak in one sub-skill and was evaluated once. */
async function weakStudent(finishedAt = '2026-01-10T09:00:00.000Z'): Promise<Student> {
  const student = await shell.student();
  await shell.diagnostic(student, answersOf({ LK_SHAPE: 'UUUU' }), { finishedAt });
  await served(student, 1);
  return student;
}

async function noted(student: Student, body: object) {
  const token = await signIn(app, await buildTeacher(database.owner, student.classRow, 'SECONDARY'));
  const reply = await note(app, { token }, student.id, body);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

test.before.each(() => app.clock.set('2026-01-15T08:00:00.000Z'));

test('a flag set over HTTP asks for a review before a label, and no longer once it is ended; one run each', async () => {
  const student = await weakStudent();
  const [label] = await statuses(student);
  assert.match(String(label), /^weak_/);
  const { flagId } = await noted(student, { flagCode: 'hearing_follow_up' });
  await served(student, 2);
  assert.equal(await statuses(student), [label, 'contextual_review']);
  app.clock.advance(60_000);
  const ended = await noted(student, { flagCode: 'hearing_follow_up', ended: true });
  await served(student, 3);
  assert.equal(await statuses(student), [label, 'contextual_review', label]);
  assert.equal(
    (await runs(student))
      .map(({ trigger, triggerRef, contextReview }) => [trigger, triggerRef, contextReview])
      .slice(1),
    [
      ['context_flag_changed', String(flagId), true],
      ['context_flag_changed', String(ended.flagId), false],
    ],
  );
});

test('a flag without effect requests no recompute and changes nothing', async () => {
  const student = await weakStudent();
  await noted(student, { flagCode: 'speech_support' });
  const marker = await weakStudent();
  await noted(marker, { flagCode: 'long_absence' });
  await served(marker, 2);
  assert.is((await shell.request(student))?.requestedSeq, 1, 'while a later one was served');
  await shell.recompute(student);
  assert.is((await runs(student)).length, 1);
});

test('a flag that begins tomorrow causes a run at local midnight without a request', async () => {
  const student = await weakStudent();
  await noted(student, { flagCode: 'long_absence', effectiveFrom: '2026-01-16', effectiveTo: '2026-01-16' });
  await served(student, 2);
  assert.is((await runs(student)).length, 1, 'it does not hold yet');
  app.clock.set('2026-01-15T20:59:50.000Z');
  await shell.recompute(student);
  assert.is((await runs(student)).length, 1, 'it does not hold ten seconds before midnight');
  app.clock.set('2026-01-15T21:00:01.000Z');
  await served(student, 4);
  app.clock.set('2026-01-16T21:00:01.000Z');
  await served(student, 5);
  assert.equal(
    (await runs(student)).map(({ contextReview }) => contextReview),
    [false, true, false],
  );
});

test('every run is replayed byte for byte and explained identically after its flag has ended', async () => {
  const student = await weakStudent();
  await noted(student, { flagCode: 'recent_transfer' });
  await served(student, 2);
  const snapshots = await shell.rows<{ id: number }>('sse_skill_snapshot', student);
  const explained = async () => {
    const explained = [];
    for (const { id } of snapshots) {
      explained.push(await explainStamp(readTransactionIn(database.app, 'SUPER'), shell.services, `skill:${id}`));
    }
    return JSON.stringify(explained);
  };
  const during = await explained();
  assert.match(during, /SSR-02/, 'the rule that the flag triggers');
  app.clock.advance(60_000);
  await noted(student, { flagCode: 'recent_transfer', ended: true });
  await served(student, 3);
  assert.is(await explained(), during);
  for (const { id } of await runs(student)) {
    const { match, mismatches } = await inContext(database.app, student, (trx) => replayRun(trx, activeRules(), id));
    assert.equal([match, mismatches], [true, []]);
  }
});

test('a question about a past moment is answered with what was known at that moment', async () => {
  const student = await weakStudent();
  await noted(student, { flagCode: 'long_absence', effectiveFrom: '2026-01-01', effectiveTo: '2026-01-20' });
  app.clock.set('2026-01-18T08:00:00.000Z');
  await noted(student, { flagCode: 'long_absence', ended: true });
  const at = async (to: string) => {
    const asked = { organizationId: student.organizationId, students: [{ studentId: student.id, to }] };
    const found = await inContext(database.app, student, (trx) => studentsFlaggedForReview(trx, asked, bundle));
    return found.has(student.id);
  };
  assert.is(await at('2026-01-15T07:59:59.999Z'), false, 'it was not set yet, although its period had begun');
  assert.is(await at('2026-01-15T08:00:00.000Z'), true);
  assert.is(await at('2026-01-18T07:59:59.999Z'), true);
  assert.is(await at('2026-01-18T08:00:00.000Z'), false, 'ended');
});

test('in one query, each student is evaluated with their own flags at their own moment', async () => {
  const first = await shell.student();
  const [second, third] = [await shell.classmate(first), await shell.classmate(first)];
  await noted(first, { flagCode: 'long_absence' });
  await noted(second, { flagCode: 'accommodation_extra_time' });
  const students = [first, second, third].map(({ id: studentId }) => ({
    studentId,
    to: app.clock.now().toISOString(),
  }));
  const asked = { organizationId: first.organizationId, students };
  const found = await inContext(database.app, first, (trx) => studentsFlaggedForReview(trx, asked, bundle));
  assert.equal([...found], [first.id]);
});

/** Returns the shipped dictionary with another effect of one code. */
function dictionaryWith(version: number, code: string, effect: string): ValueDocument {
  const shipped = structuredClone(
    bundle.values<ValueDocument & { flags: { code: string; effect: string }[] }>('language/context-flags'),
  );
  const flags = shipped.flags.map((flag) => (flag.code === code ? { ...flag, effect } : flag));
  return { ...shipped, flags, meta: { ...shipped.meta, version } } as unknown as ValueDocument;
}

test('the dictionary in force defines the effect: a later version changes results and requests recomputes', async () => {
  const student = await weakStudent();
  await noted(student, { flagCode: 'speech_support' });
  await putInForce(app, dictionaryWith(2, 'speech_support', 'review'));
  await shell.recompute(student);
  assert.equal(
    (await runs(student)).map(({ contextReview }) => contextReview),
    [false, true],
  );
  const token = await signIn(app, await buildTeacher(database.owner, student.classRow, 'SECONDARY'));
  const { items } = (await listed(app, { token }, student.id)).body;
  assert.equal(
    items.map(({ effect }) => effect),
    ['review'],
  );
  const { services } = app;
  assert.equal(
    ['language/context-flags', 'language/staff'].map((name) => changesResults(services, [name])),
    [true, false],
  );
});

test('without a dictionary no student is evaluated as if there were no flag: the run waits, and the routes return 503', async () => {
  const flagged = await weakStudent();
  await noted(flagged, { flagCode: 'recent_transfer' });
  await served(flagged, 2);
  const plain = await shell.classmate(flagged);
  await shell.diagnostic(plain, answersOf({ LK_SHAPE: 'UUUU' }), { finishedAt: '2026-01-12T09:00:00.000Z' });
  await served(plain, 1);
  app.clock.advance(60_000);
  await withoutDictionary();
  const refused = await shell.recompute(flagged).then(
    () => 'evaluated',
    (error: { code?: string }) => error.code,
  );
  assert.is(refused, 'ENGINE_UNAVAILABLE');
  assert.equal((await runs(flagged)).at(-1)?.contextReview, true);
  await shell.recompute(plain);
  const token = await signIn(app, await buildTeacher(database.owner, flagged.classRow, 'SECONDARY'));
  const replies = [
    await note(app, { token }, flagged.id, { flagCode: 'recent_transfer' }),
    await listed(app, { token }, flagged.id),
  ];
  assert.equal(
    replies.map(({ status, body }) => [status, (body as { code?: string }).code]),
    [503, 503].map((status) => [status, 'ENGINE_UNAVAILABLE']),
  );
});

/** Removes the pin of the dictionary from the bundle. */
async function withoutDictionary(): Promise<void> {
  const at = app.clock.now();
  const { 'language/context-flags': _gone, ...versions } = bundle.versions;
  await inContext(database.owner, 'SUPER', async (trx) => {
    await trx('rule_bundle').insert({ id: 'without-dictionary', versions: JSON.stringify(versions), createdAt: at });
    const activation = { bundleId: 'without-dictionary', activeFrom: at, reason: 'policy_change', kind: 'activate' };
    await trx('rule_activation').insert({ ...activation, createdAt: at });
  });
  app.clock.advance(1_000);
}

test.run();
