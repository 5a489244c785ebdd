// timeout: 180s
// From the finish of a diagnostic to the teacher's read through the real relay and the real queue, on both queue
// backends.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogger } from '#core/platform/process/logger.ts';
import { openQueues, type Queues } from '#core/platform/queue/queue.ts';
import { startWorkers, type Workers } from '../../../../workers/start.ts';
import { eventually } from '../../../harness/eventually.ts';
import { buildTeacher, signIn } from '../../../harness/factories.ts';
import { withRedis } from '../../../harness/needs.ts';
import { answersOf } from '../evidence.ts';
import { type Shell, type Student, useShell } from '../shell.ts';

const finishedAt = '2026-01-10T09:00:00.000Z';
/** Waits until every finished session was requested and every request evaluated. */
const isServed = async (shell: Shell, student: Student) => {
  const { organizationId } = student;
  const waiting = await shell.app.database.owner('outbox').where({ organizationId }).whereNull('relayedAt').first('id');
  const request = await shell.request(student);
  return waiting === undefined && request !== undefined && request.processedSeq === request.requestedSeq;
};

function runOn(store: 'PostgreSQL' | 'Redis', redisUrl: string | undefined): void {
  const test = suite(`recompute through the queue on ${store}`);
  const shell = useShell(test);
  const { database } = shell.app;
  let queues: Queues;
  let workers: Workers;
  test.before(() => {
    const log = createLogger('silent');
    const postgres = { connectionString: database.appUrl };
    queues = openQueues({ log, redisUrl, postgres, prefix: `${database.name}-queue` });
    workers = startWorkers({ services: shell.services, queues, postgres, log });
  });
  test.after(async () => {
    await workers.stop();
    await queues.close();
  });

  test('finish, recompute, read', async () => {
    const student = await shell.student();
    const token = await signIn(shell.app, await buildTeacher(database.owner, student.classRow));
    await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC', DEC_WORD: 'UUUU' }), { finishedAt });
    await eventually('the request is served', () => isServed(shell, student));
    const path = `/api/sse/students/${student.id}/skill-status`;
    const { body } = await shell.http.get<{ items: { subSkillCode: string; status: string | null }[] }>(path, {
      token,
    });
    const decided = body.items.filter(({ status }) => status !== null);
    assert.equal(
      decided.map(({ subSkillCode, status }) => `${subSkillCode} ${status}`),
      ['LK_SOUND adequate', 'DEC_WORD weak_gateway'],
    );
  });

  test('30 diagnostics of 10 students at once: each student ends with all of their evidence, in few runs', async () => {
    const students = await Promise.all(Array.from({ length: 10 }, () => shell.student()));
    const finishes = students.flatMap((student) =>
      [1, 5, 9].map((from) => shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }, from), { finishedAt })),
    );
    await Promise.all(finishes);
    for (const student of students) {
      await eventually('every request is served', () => isServed(shell, student));
      const runs = await shell.rows<{ input: { responses: unknown[] } }>('sse_run', student);
      assert.is(runs.at(-1)?.input.responses.length, 12);
      assert.ok(runs.length <= 3);
    }
  });

  test.run();
}

runOn('PostgreSQL', undefined);
withRedis('recompute through the queue on Redis', (url) => runOn('Redis', url));
