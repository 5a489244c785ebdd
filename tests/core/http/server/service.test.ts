// What operators see of the assembled service: liveness, readiness with reasons, metrics.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Envelope } from '#core/http/server/envelope.ts';
import { useApp } from '../../../harness/http.ts';

const bare = suite('no rules in force');
const withoutRules = useApp(bare);

bare('the process is alive and says that it is not ready, and why', async () => {
  assert.equal((await withoutRules.get('/healthz')).body, { status: 'ok' });
  const { status, body, headers } = await withoutRules.get<Envelope>('/readyz');
  assert.equal([status, body.code, headers.get('retry-after')], [503, 'ENGINE_UNAVAILABLE', String(body.retryAfter)]);
  assert.match(body.message, 'rules');
  assert.not.match(body.message, 'database');
});

bare.run();

const complete = suite('rules in force');
const service = useApp(complete, { rules: true });

complete('the service is ready', async () => {
  const { status, body } = await service.get<{ status: string; checks: Record<string, string> }>('/readyz');
  assert.is(status, 200);
  assert.is(body.status, 'ready');
  assert.equal([body.checks.database, body.checks.rules], ['ok', 'ok']);
});

complete('requests are counted by operation', async () => {
  await service.get('/healthz');
  const { body } = await service.get<string>('/metrics');
  assert.match(body, /http_request_seconds_count\{operation="getLiveness",method="GET",status="200"\} [1-9]/);
});

complete.run();
