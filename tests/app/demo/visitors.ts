// Who comes to see the demo: signs in, reads, tries to change something, and plays a child.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '#app/app.ts';
import { demo, loginsOf, sandbox } from '#app/demo/index.ts';
import { WalkthroughError, walkThrough } from '#app/demo/walkthrough/index.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { openQueues } from '#core/platform/queue/queue.ts';
import { startWorkers } from '../../../workers/start.ts';
import type { NextBody, SessionBody } from '../../assessment/measurement/diagnostics/child.ts';
import type { TestApp } from '../../harness/http.ts';
import { listen } from '../../harness/server.ts';

interface Access {
  readonly organization: { readonly name: string; readonly slug: string };
  readonly logins: readonly { readonly primaryPersona: string; readonly email: string; readonly password: string }[];
  readonly readOnly: boolean;
}

interface Tile {
  readonly counts: Readonly<Record<string, number | null>>;
}

const shown = ({ counts }: Tile) => Object.values(counts).some((count) => (count ?? 0) > 0);

/** Adds the tests of visitors to `test`, in the order of their visits; the demo and the sandbox are there. */
export function visitorsOf<Context>(test: Test<Context>, app: TestApp): void {
  const { owner } = app.database;

  test('access tells logins of every persona, and each signs in as what it says', async () => {
    const { status, body } = await app.get<Access>('/api/demo/access');
    assert.is(status, 200);
    assert.equal(body.organization, { name: demo.name, slug: 'demo' });
    assert.is(body.readOnly, true);
    assert.equal([...new Set(body.logins.map(({ primaryPersona }) => primaryPersona))].sort(), [
      'ADMIN',
      'MANAGER',
      'PARENT',
      'PRINCIPAL',
      'STUDENT',
      'TEACHER',
    ]);
    for (const { primaryPersona, email, password } of body.logins) {
      const token = await signIn(email, password);
      const me = await app.get<{ primaryPersona: string }>('/api/auth/me', { token });
      assert.is(me.body.primaryPersona, primaryPersona);
    }
  });

  test('an administrator finds what is overdue: plans past their end among it', async () => {
    const { body } = await app.get<Access>('/api/demo/access');
    const { email = '', password = '' } = body.logins.find(({ primaryPersona }) => primaryPersona === 'ADMIN') ?? {};
    const token = await signIn(email, password);
    const overdue = await app.get<{ items: { kind: string; daysOverdue: number }[] }>('/api/rti/overdue', { token });
    assert.is(overdue.status, 200, JSON.stringify(overdue.body));
    assert.ok(overdue.body.items.some(({ kind, daysOverdue }) => kind === 'plan' && daysOverdue >= 1));
  });

  test('a manager finds the counts of the seasons that are out: a point of the trend, and tiles of every school', async () => {
    const token = await signInAs('MANAGER');
    const { id: orgId } = await owner('organization').where({ slug: 'demo' }).first('id');
    const { body: trend } = await app.get<{ points: { season: string; tiles: Tile[] }[] }>(
      `/api/orgs/${orgId}/trends`,
      {
        token,
      },
    );
    assert.equal(
      trend.points.map(({ season }) => season),
      ['BOY'],
    );
    assert.ok(trend.points[0]?.tiles.some(shown), 'nothing is shown of the organization');
    const schools: string[] = await owner('school').where({ organizationId: orgId }).pluck('id');
    for (const id of schools) {
      const { body } = await app.get<{ tiles: Tile[] }>(`/api/principal/schools/${id}/overview`, { token });
      assert.ok(body.tiles.some(shown), `nothing is shown of ${id}`);
    }
  });

  test('a change to the demo is DEMO_READ_ONLY, one to the sandbox is done', async () => {
    for (const [spec, expected] of [
      [demo, 403],
      [sandbox, 201],
    ] as const) {
      const admin = loginsOf(spec).find(({ primaryPersona }) => primaryPersona === 'ADMIN');
      const token = await signIn(admin?.email ?? '', admin?.password ?? '');
      const { id: organizationId } = await owner('organization').where({ slug: spec.slug }).first();
      const school = { organizationId, name: 'مدرسة جديدة', country: 'SA' };
      const { status, body } = await app.post<{ code?: string }>('/api/schools', school, { token });
      assert.is(status, expected);
      if (expected === 403) assert.is(body.code, 'DEMO_READ_ONLY');
    }
  });

  test('a student of the demo takes the next part of the diagnostic', async () => {
    const student = loginsOf(demo).find(({ primaryPersona }) => primaryPersona === 'STUDENT');
    const token = await signIn(student?.email ?? '', student?.password ?? '');
    const { status, body } = await app.post<SessionBody>('/api/diagnostic-sessions/start', {}, { token });
    assert.is(status, 201);
    const base = `/api/diagnostic-sessions/${body.sessionId}`;
    const next = await app.post<NextBody>(`${base}/next-item`, {}, { token });
    const answer = { servedItemId: next.body.served?.servedItemId, selectedOptionIndex: 0, latencyMs: 0 };
    assert.is((await app.post(`${base}/responses`, answer, { token })).status, 200);
    assert.is((await app.post(`${base}/finish`, {}, { token })).status, 200);
  });

  test('the walkthrough plays a child and its teacher to the end, and then the next part', async () => {
    const log = createLogger('silent');
    const postgres = { connectionString: app.database.appUrl };
    const queues = openQueues({ log, postgres });
    const workers = startWorkers({ services: app.services, queues, postgres, log });
    const server = await listen(createApp(app.services, log));
    const lines: string[] = [];
    const input = { address: server.url, child: 'careful', student: 7, fast: true, draw: () => {} };
    try {
      for (let turn = 0; turn < 2; turn++) await walkThrough({ ...input, say: (line) => lines.push(line) });
    } finally {
      await server.close();
      await workers.stop();
      await queues.close();
    }
    const formCodes = lines.flatMap((line) => /Starts (DIAG-G1-P\d)/.exec(line)?.[1] ?? []);
    assert.is(new Set(formCodes).size, 2);
    assert.is(lines.filter((line) => line.includes('0 differences, match true')).length, 2);
    assert.is(lines.filter((line) => line.includes('الوعي الصوتي')).length, 2);
  });

  test('without a service the walkthrough says how to start it', async () => {
    const input = {
      address: 'http://127.0.0.1:9',
      child: 'careful',
      student: 1,
      fast: true,
      say: () => {},
      draw: () => {},
    };
    const error: unknown = await walkThrough(input).catch((thrown: unknown) => thrown);
    assert.instance(error, WalkthroughError);
    assert.match((error as Error).message, /npm start/);
  });

  function signInAs(persona: string): Promise<string> {
    const login = loginsOf(demo).find(({ primaryPersona }) => primaryPersona === persona);
    return signIn(login?.email ?? '', login?.password ?? '');
  }

  async function signIn(email: string, password: string): Promise<string> {
    const { status, body } = await app.post<{ accessToken: string }>('/api/auth/login', { email, password });
    assert.is(status, 200, email);
    return body.accessToken;
  }
}
