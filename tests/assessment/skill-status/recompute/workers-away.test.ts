// timeout: 180s
// A diagnostic that ends while no worker process runs, over HTTP: the teacher sees at once that a run is pending, and
// the statuses after a worker process has started.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { schoolYearOfToday } from '../../../harness/clock.ts';
import { useDatabase } from '../../../harness/database.ts';
import { buildClass, buildStudent, buildTeacher, password, passwordHash } from '../../../harness/factories.ts';
import { httpClient, type Reply } from '../../../harness/fetch.ts';
import { installShippedRules } from '../../../harness/rules.ts';
import { onDatabase, ready, usePrograms, within } from '../../../start/program.ts';

const test = suite('workers away');
const database = useDatabase(test);
const run = usePrograms(test);
const { owner } = database;
let address: string | undefined;
const http = httpClient(() => address ?? 'not started');

const good = <Body>({ status, body }: Reply): Body => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
  return body as Body;
};
const signIn = async (email: string | null): Promise<string> =>
  good<{ accessToken: string }>(await http.post('/api/auth/login', { email, password })).accessToken;

/** Takes one whole part, as the child's app does. */
async function takeDiagnostic(token: string): Promise<void> {
  const post = async <Body>(path: string, body: object = {}) =>
    good<Body>(await http.post(`/api/diagnostic-sessions/${path}`, body, { token }));
  const { sessionId } = await post<{ sessionId: string }>('start');
  for (;;) {
    const { served } = await post<{ served: { servedItemId: string } | null }>(`${sessionId}/next-item`);
    if (!served) break;
    const { servedItemId } = served;
    await post(`${sessionId}/responses`, { servedItemId, selectedOptionIndex: 0, latencyMs: 4_000 });
  }
  await post(`${sessionId}/finish`);
}

interface Statuses {
  readonly pending: boolean;
  readonly runId: string | null;
  readonly items: readonly { readonly outcome: string }[];
}

test('pending from the end of the diagnostic until a worker process has evaluated it', async () => {
  await installShippedRules(owner);
  const classRow = await buildClass(owner, { academicYear: schoolYearOfToday() });
  const login = { passwordHash: await passwordHash() };
  const child = await buildStudent(owner, classRow, { email: 'child@example.org', ...login });
  const untouched = await buildStudent(owner, classRow);
  const teacher = await buildTeacher(owner, classRow);
  await owner('app_user').where({ id: teacher.id }).update(login);
  const service = run('src/main.ts', { ...onDatabase(database), WORKERS: 'none' });
  [, address] = await service.until(ready);
  const token = await signIn(teacher.email);
  const statusesOf = async ({ id }: { readonly id: number }) =>
    good<Statuses>(await http.get(`/api/sse/students/${id}/skill-status`, { token }));
  const shown = async (student: { readonly id: number }) => {
    const { pending, runId, items } = await statusesOf(student);
    return { pending, hasRun: runId !== null, decided: items.some(({ outcome }) => outcome === 'decided') };
  };

  const before = { pending: false, hasRun: false, decided: false };
  assert.equal(await shown(child), before);
  await takeDiagnostic(await signIn(child.email));
  assert.equal(await shown(child), { ...before, pending: true });
  assert.equal(await shown(untouched), before, 'no other student waits');

  const worker = run('workers/main.ts', onDatabase(database));
  await within(60_000, 'the worker evaluates', async () => !(await statusesOf(child)).pending);
  assert.equal(await shown(child), { pending: false, hasRun: true, decided: true });
  assert.equal(await shown(untouched), before);
  for (const program of [worker, service]) assert.is((await program.stop()).code, 0);
});

test.run();
