// timeout: 180s
// Nights: each goes on where the last one ended, leaves an attestation in the chain, and raises an alert where something
// differs.
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyChain } from '#backoffice/workbench/replays/chain.ts';
import type { Student } from '../../../assessment/skill-status/shell.ts';
import { buildRuns, byForce, copyRuns, orderNights, type ReplayView, runIds, useReplays } from './world.ts';

const test = suite('nightly replays');
const world = useReplays(test);
const { shell, owner } = world;
let student: Student;
let neighbour: Student;

interface Listed extends ReplayView {
  readonly trigger: string;
  readonly organizationId: string;
  readonly scope: object;
}
interface Link {
  readonly id: number;
  readonly payload: string;
  readonly previousHash: string;
  readonly hash: string;
}
interface Attested {
  readonly jobId: string;
  readonly organizationId: string;
  readonly at: string;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly counts: object;
}

test.before(async () => {
  student = await shell.student();
  neighbour = await shell.student();
  for (const one of [student, neighbour]) await buildRuns(shell, one);
});

/** Orders a night, works off its jobs and answers them. */
async function night(): Promise<Listed[]> {
  shell.app.clock.advance(86_400_000);
  await orderNights(shell.services);
  const open: { id: string }[] = await owner('rule_job').where({ state: 'queued', subject: 'nightly' }).select('id');
  for (const { id } of open) await world.work(id);
  const { body } = await world.get<{ items: Listed[] }>('/api/admin/replays?trigger=nightly&limit=100');
  const ids = new Set(open.map(({ id }) => id));
  return body.items.filter(({ replayId }) => ids.has(replayId));
}

const links = (): Promise<Link[]> =>
  owner('rule_attestation').orderBy('id').select('id', 'payload', 'previousHash', 'hash');

const attested = async () => (await links()).map(({ payload }) => JSON.parse(payload) as Attested);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const alerts = (code: string): Promise<{ organizationId: string; severity: string; kind: string }[]> =>
  owner('platform_alert').where({ code }).orderBy('id');

test('a night replays every organization with runs, and attests what came out', async () => {
  const jobs = await night();
  assert.is(jobs.length, 2);
  for (const { state, counts, trigger, attestation } of jobs) {
    assert.equal([state, trigger], ['done', 'nightly']);
    assert.equal(counts, { same: 3, inputsDiffer: 0, rulesDiffer: 0 });
    assert.match(attestation?.hash ?? '', /^[0-9a-f]{64}$/);
  }
  const [first, second] = await links();
  assert.is(first?.previousHash, '');
  assert.is(second?.previousHash, first?.hash);
  assert.is(second?.hash, sha256(`${second?.previousHash}${second?.payload}`));
  const found = (await attested()).find(({ organizationId }) => organizationId === student.organizationId);
  const seqs = (await shell.rows<{ seq: number }>('sse_run', student)).map(({ seq }) => seq);
  assert.equal([found?.fromSeq, found?.toSeq], [seqs[0], seqs[2]]);
  assert.equal(await alerts('REPLAY_MISMATCH'), []);
});

test('the list tells nights from requests, and holds their attestation', async () => {
  shell.app.clock.advance(1_000);
  const asked = await world.replay({ organizationId: student.organizationId });
  const { body } = await world.get<{ items: Listed[] }>('/api/admin/replays');
  assert.is(body.items[0]?.replayId, asked.replayId);
  assert.is(body.items[0]?.attestation, null);
  const requests = await world.get<{ items: Listed[] }>('/api/admin/replays?trigger=request');
  assert.equal(
    requests.body.items.map(({ replayId }) => replayId),
    [asked.replayId],
  );
  const nights = await world.get<{ items: Listed[]; nextCursor: string }>('/api/admin/replays?trigger=nightly&limit=1');
  assert.ok(nights.body.nextCursor);
  const single = await world.read(nights.body.items[0]?.replayId ?? '');
  assert.equal(single.attestation, nights.body.items[0]?.attestation);
});

test('a mismatch raises one critical alert in its organization', async () => {
  const [runId = ''] = await runIds(shell, neighbour);
  const tile = (status: string) =>
    byForce(
      owner,
      'sse_run',
      "update sse_run set tiles = jsonb_set(tiles, '{6,status}', to_jsonb(?::text)) where id = ?",
      [status, runId],
    );
  const { status } = await owner('sse_macro_snapshot').where({ runId, tileCode: 'GLOBAL' }).first('status');
  await tile('Severe');
  await night();
  await tile(status);
  const raised = await alerts('REPLAY_MISMATCH');
  assert.equal(
    raised.map(({ organizationId, kind, severity }) => [organizationId, kind, severity]),
    [[neighbour.organizationId, 'qa', 'critical']],
  );
  const newest = (await attested()).filter(({ organizationId }) => organizationId === neighbour.organizationId).at(-1);
  assert.equal(newest?.counts, { same: 2, inputsDiffer: 0, rulesDiffer: 1 });
});

test('an organization whose night still runs is left out of the next', async () => {
  shell.app.clock.advance(86_400_000);
  await orderNights(shell.services);
  await orderNights(shell.services);
  const open: { id: string }[] = await owner('rule_job').where({ state: 'queued', subject: 'nightly' }).select('id');
  assert.is(open.length, 2);
  for (const { id } of open) await world.work(id);
});

test('the chain tells when a link was changed, dropped, slipped in or cut off at the end', async () => {
  const chain = await links();
  const newest = chain.at(-1)?.hash ?? '';
  const [first, second, third] = chain;
  assert.ok(first && second && third);
  assert.equal(verifyChain(chain, '', newest), { holds: true, newestHash: newest });
  const rewritten = { ...second, payload: second.payload.replace('"same":3', '"same":4') };
  const broken = (list: readonly Link[], at: number | null) =>
    assert.equal(verifyChain(list, '', newest), { holds: false, brokenAt: at });
  broken([first, rewritten, ...chain.slice(2)], second.id);
  const rehashed = { ...rewritten, hash: sha256(`${rewritten.previousHash}${rewritten.payload}`) };
  assert.is.not(rehashed.hash, second.hash);
  broken([first, rehashed, ...chain.slice(2)], third.id);
  broken([first, ...chain.slice(2)], third.id);
  broken(chain.slice(1), second.id);
  const slipped = { id: 0, payload: '{}', previousHash: first.hash, hash: sha256(`${first.hash}{}`) };
  broken([first, slipped, ...chain.slice(1)], second.id);
  broken(chain.slice(0, -1), null);
  assert.equal(verifyChain([], ''), { holds: true, newestHash: '' });
});

test('the database refuses a link that continues another one, and each night notices a chain changed by force', async () => {
  const chain = await links();
  const wrong = { payload: '{}', previousHash: chain[0]?.hash ?? '', hash: sha256(`${chain[0]?.hash}{}`) };
  const thrown = await owner('rule_attestation')
    .insert({ ...wrong, at: new Date() })
    .then(
      () => null,
      (error: Error) => error.message,
    );
  assert.match(thrown ?? '', /continues the newest one/);
  const second = chain[1];
  assert.ok(second);
  const payload = second.payload.replace('"same":3', '"same":2');
  assert.is.not(payload, second.payload);
  const store = (text: string) =>
    byForce(owner, 'rule_attestation', 'update rule_attestation set payload = ?, hash = ? where id = ?', [
      text,
      sha256(second.previousHash + text),
      second.id,
    ]);
  await store(payload);
  await night();
  await night();
  await store(second.payload);
  const raised = await alerts('ATTESTATION_BROKEN');
  assert.equal(
    raised.map(({ organizationId, severity }) => [organizationId, severity]),
    [
      [null, 'critical'],
      [null, 'critical'],
    ],
  );
});

test('a night that does not reach the end is followed by one that goes on there, and then around', async () => {
  await copyRuns(owner, student, 700);
  const seqs: number[] = (
    await owner('sse_run').where({ organizationId: student.organizationId }).orderBy('seq').select('seq')
  ).map(({ seq }) => seq);
  assert.is(seqs.length, 703);
  const ofStudent = async () => {
    const own = (await night()).find(({ organizationId }) => organizationId === student.organizationId);
    const { fromSeq, toSeq } = (await attested()).find(({ jobId }) => jobId === own?.replayId) ?? {};
    return { done: own?.progress.done, from: seqs.indexOf(fromSeq ?? 0), to: seqs.indexOf(toSeq ?? 0) };
  };
  assert.equal(await ofStudent(), { done: 500, from: 3, to: 502 }, 'the three before had their nights');
  assert.equal(await ofStudent(), { done: 500, from: 503, to: 299 });
});

test.run();
