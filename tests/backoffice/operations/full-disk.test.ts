// timeout: 300s
// A disk that has run full under the embedded database: reads go on, writes are refused as what will pass, the probe says
// why, and nothing has to be started again when there is room.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { skipped } from '../../harness/needs.ts';
import { ready, usePrograms, within } from '../../start/program.ts';

const test = suite('full disk');
const run = usePrograms(test);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-full-'));
const size = '420m';
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status === 0;
test.after(() => {
  if (isMounted) spawnSync('umount', ['-l', folder]);
  fs.rmSync(folder, { recursive: true, force: true });
});

const password = 'a long secret of mine';
const person = { email: 'first@example.org', password, fullNameAr: 'مديرة النظام', primaryPersona: 'ADMIN' };

interface Answer {
  readonly status: number;
  readonly body: { readonly retryAfter?: number; readonly checks?: Readonly<Record<string, string>> };
}

async function send(url: string, body?: object, token?: string): Promise<Answer> {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const reply = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  return { status: reply.status, body: (await reply.json().catch(() => ({}))) as Answer['body'] };
}

/** Whatever is free, by blocks that become smaller until nothing fits. */
function fill(file: string): void {
  const descriptor = fs.openSync(file, 'w');
  for (let bytes = 16 * 1024 * 1024; bytes >= 4096; ) {
    try {
      fs.writeSync(descriptor, Buffer.alloc(bytes));
    } catch {
      bytes /= 2;
    }
  }
  fs.closeSync(descriptor);
}

if (!isMounted) skipped('a full disk', 'needs the right to mount a tmpfs');

const scene = isMounted ? test : test.skip;
scene('writes are 503 with retryAfter, reads and readiness go on, and all is well once there is room', async () => {
  const service = run('src/main.ts', { DATA_DIR: folder, PORT: '0', SEED_DEMO: 'false' });
  const [, address = ''] = await service.until(ready);
  const registered = await send(`${address}/api/auth/register`, person);
  assert.is(registered.status, 201);
  const { accessToken } = (registered.body as { tokens: { accessToken: string } }).tokens;
  const filler = path.join(folder, 'filler');
  fill(filler);
  const statuses = new Map<number, number>();
  const write = async (at: number) => {
    const organization = {
      name: `School ${at} ${'x'.repeat(150)}`,
      slug: `school-${at}`,
      country: 'SA',
      defaultLocale: 'ar',
    };
    const answer = await send(`${address}/api/organizations`, organization, accessToken);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return answer;
  };
  let refused: Answer | undefined;
  for (let at = 0; at < 3_000 && !refused; at += 1) {
    const answer = await write(at);
    if (answer.status !== 201) refused = answer;
  }
  assert.is(refused?.status, 503, JSON.stringify([...statuses]));
  assert.ok((refused?.body.retryAfter ?? 0) > 0);
  for (let at = 3_000; at < 3_020; at += 1) await write(at);
  assert.equal(
    [...statuses.keys()].filter((status) => status !== 201 && status !== 503),
    [],
  );
  assert.is((await send(`${address}/api/auth/me`, undefined, accessToken)).status, 200);
  // Readiness keeps its last answer for a second.
  await within(5_000, 'the probe says why', async () => {
    const probe = await send(`${address}/readyz`);
    return probe.status === 200 && probe.body.checks?.database === 'full';
  });
  fs.rmSync(filler);
  await within(
    10_000,
    'a write after there is room',
    async () => (await write(5_000 + Math.round(performance.now()))).status === 201,
  );
  await within(
    30_000,
    'the probe forgets',
    async () => (await send(`${address}/readyz`)).body.checks?.database === 'ok',
  );
  assert.is(service.child.exitCode, null);
  await service.stop();
});

test.run();
