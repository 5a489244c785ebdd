// timeout: 480s
// The operations port of both programs: what machinery asks, on an address of its own, with numbers that move.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '#core/platform/postgres/processes.ts';
import { useDatabase } from '../../harness/database.ts';
import { buildClass, buildStudent } from '../../harness/factories.ts';
import { onDatabase, ready, usePrograms } from '../../start/program.ts';
import { metricOf } from './metric.ts';

const database = useDatabase(test);
const run = usePrograms(test);

async function started(entry: 'src/main.ts' | 'workers/main.ts', answer: RegExp) {
  const port = await freePort();
  const program = run(entry, { ...onDatabase(database), OPS_PORT: String(port), WORKERS: 'none' });
  await program.until(answer);
  return { program, at: (path: string) => fetch(`http://127.0.0.1:${port}${path}`), port };
}

for (const [entry, answer] of [
  ['src/main.ts', ready],
  ['workers/main.ts', /Workers are running/],
] as const) {
  test(`${entry}: alive, ready, measured, and nothing else; closed with the program`, async () => {
    const { program, at } = await started(entry, answer);
    assert.equal(await (await at('/healthz')).json(), { status: 'ok' });
    const readiness = await at('/readyz?verbose');
    assert.is(readiness.status, 200);
    const { checks } = (await readiness.json()) as { readonly checks: Record<string, string> };
    assert.equal(checks, { database: 'ok', rules: 'ok', queue: 'ok', migrations: 'ok' });
    const text = await (await at('/metrics')).text();
    for (const name of [
      'db_pool_used',
      'outbox_oldest_waiting_seconds',
      'recompute_waiting',
      'nodejs_eventloop_lag_seconds',
    ])
      assert.ok(Number.isFinite(metricOf(text, name)), name);
    for (const name of ['queue_waiting', 'queue_active', 'queue_delayed', 'queue_oldest_seconds'])
      assert.is(metricOf(text, name, { queue: 'recompute' }), 0, name);
    assert.ok(metricOf(text, 'rules_in_force', { rule_set: 'ssr/ssr' }) >= 1);
    for (const path of ['/', '/api/auth/me', '/api/docs', '/metrics/x']) assert.is((await at(path)).status, 404, path);
    await program.stop();
    await at('/healthz').then(
      () => assert.unreachable('no one answers'),
      () => {},
    );
  });
}

test('a recompute that no one takes up ages and is counted; a port that is taken is reported in one line', async () => {
  const { program, at, port } = await started('src/main.ts', ready);
  const before = metricOf(await (await at('/metrics')).text(), 'recompute_waiting');
  const classRow = await buildClass(database.owner, { grade: 2 });
  const { id } = await buildStudent(database.owner, classRow);
  await database.owner('sse_recompute_request').insert({
    ...{ organizationId: classRow.organizationId, studentId: id, requestedSeq: 1, trigger: 'admin' },
    requestedAt: new Date(Date.now() - 90_000),
  });
  const text = await (await at('/metrics')).text();
  assert.is(metricOf(text, 'recompute_waiting'), before + 1);
  assert.ok(metricOf(text, 'recompute_freshness_seconds') >= 90);
  const second = run('workers/main.ts', { ...onDatabase(database), OPS_PORT: String(port) });
  assert.is(await second.ended(), 1);
  assert.match(second.output(), /^Cannot start: OPS_PORT is already in use; set another one\.$/m);
  await program.stop();
});

test.run();
