// timeout: 180s
// API and worker are killed in the middle of a lesson: everything that was acknowledged is stored, everything else may
// be sent again, and the lesson continues to its end.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HttpClient, httpClient } from '../harness/fetch.ts';
import { useApp } from '../harness/http.ts';
import { onDatabase, type Program, ready, usePrograms } from '../start/program.ts';
import { answerTo, itemRefs, type Json, lessonsOf, noLimits, type Person } from '../teaching/live-lessons/lesson.ts';

const app = useApp(test, { rules: true, settings: noLimits });
const { lesson } = lessonsOf(app);
const run = usePrograms(test);

/** The keys of the test's own service, so that its tokens are valid in the other process too. */
const keys = {
  TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64'),
  ...{ TOKEN_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString('base64'), IP_HASH_SALT: 'test' },
};

interface Running {
  readonly programs: readonly Program[];
  readonly http: HttpClient;
}

async function start(): Promise<Running> {
  const environment = { ...onDatabase(app.database), ...keys, ...noLimits };
  const api = run('src/main.ts', { ...environment, WORKERS: 'none' });
  const worker = run('workers/main.ts', environment);
  const [, address = ''] = await api.until(ready);
  await worker.until(/Workers are running/);
  return { programs: [api, worker], http: httpClient(() => address) };
}

async function killAll({ programs }: Running): Promise<void> {
  for (const { child } of programs) child.kill('SIGKILL');
  await Promise.all(programs.map((program) => program.ended()));
}

test('kill -9 of API and worker: nothing that was acknowledged is lost, and the lesson ends as it would have', async () => {
  app.clock.set(new Date());
  const at = await lesson({ students: 4, prepared: true });
  const path = (rest: string) => `/api/sync/sessions/${at.liveId}${rest}`;
  const sent: { readonly student: Person; readonly answer: Json }[] = [];
  const acknowledged: unknown[] = [];

  async function answers({ http }: Running, student: Person): Promise<void> {
    for (const itemRef of itemRefs) {
      const answer = answerTo(itemRef);
      sent.push({ student, answer });
      const { status } = await http.post<Json>(path('/responses'), { responses: [answer] }, student);
      if (status === 201) acknowledged.push(answer.clientResponseId);
    }
  }

  const first = await start();
  for (const { id: studentId } of at.students) {
    assert.is((await first.http.post(path('/ism-run'), { studentId }, at.teacher)).status, 201);
  }
  const working = Promise.allSettled(at.students.map((student) => answers(first, student)));
  while (acknowledged.length < 6) await new Promise((resolve) => setTimeout(resolve, 5));
  await killAll(first);
  const cut = (await working).filter(({ status }) => status === 'rejected').length;
  assert.ok(cut > 0, 'requests were in progress at the kill');

  const second = await start();
  try {
    const stored = new Set((await at.rows('live_response', 'ledgerNo')).map((row) => row.clientResponseId));
    assert.equal(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    );
    for (const { student, answer } of sent) {
      const reply = await second.http.post<Json>(path('/responses'), { responses: [answer] }, student);
      const duplicates = stored.has(answer.clientResponseId) ? 1 : 0;
      assert.equal([reply.status, reply.body.duplicates], [201, duplicates]);
    }
    const { status } = await second.http.post(path('/control'), { action: 'end' }, at.teacher);
    assert.is(status, 200);
  } finally {
    await killAll(second);
  }
  assert.is((await at.rows('live_response', 'ledgerNo')).length, sent.length);
  const seqs = (await at.rows('live_event', 'seq')).map(({ seq }) => seq);
  assert.equal(
    seqs,
    seqs.map((_, place) => place + 1),
  );
  const segments = await at.rows('live_segment', 'segmentNo');
  assert.is(segments.length, 2);
});

test.run();
