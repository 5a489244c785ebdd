// timeout: 180s
// Stored runs executed again over a range: what came out the same is counted, what did not is named row by row.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replayModelOf } from '#backoffice/workbench/replays/model.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { Student } from '../../../assessment/skill-status/shell.ts';
import { buildTeacher, signIn } from '../../../harness/factories.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import {
  always,
  buildRuns,
  byForce,
  copyRuns,
  type ReplayView,
  runIds,
  useReplays,
  withAlteredText,
  withOutcome,
} from './world.ts';

const test = suite('replays');
const world = useReplays(test);
const { shell, owner } = world;
let student: Student;
let neighbour: Student;
let stranger: Student;

test.before(async () => {
  student = await shell.student();
  neighbour = await shell.student({ organizationId: student.organizationId });
  stranger = await shell.student();
  for (const one of [student, neighbour, stranger]) await buildRuns(shell, one);
});

const ofOrganization = () => ({ organizationId: student.organizationId });

test('everything that no one touched comes out the same, in every scope', async () => {
  for (const [scope, runs] of [
    [ofOrganization(), 6],
    [{ schoolId: student.classRow.schoolId }, 3],
    [{ classId: neighbour.classRow.id }, 3],
  ] as const) {
    const { state, progress, counts, rows, nextCursor, attestation } = await world.replay(scope);
    assert.is(state, 'done', JSON.stringify(scope));
    assert.equal(progress, { done: runs, total: runs });
    assert.equal(counts, { same: runs, inputsDiffer: 0, rulesDiffer: 0 });
    assert.equal(rows, []);
    assert.is(nextCursor, null);
    assert.is(attestation, null);
  }
});

test('the range holds runs as of its start and not those as of its end', async () => {
  const day = (text: string) => `2026-01-${text}T07:00:00.000Z`;
  const counted = async (from: string, to: string) => (await world.replay(ofOrganization(), { from, to })).counts.same;
  assert.is(await counted(day('10'), day('12')), 4);
  assert.is(await counted('2026-01-12T10:00:00.000+03:00', day('13')), 2);
  assert.is(await counted(day('13'), day('14')), 0);
});

test('a published text that was altered by force: rules differ, and the rows that it changes are named', async () => {
  const sound = (one: string) => `skills.LK_SOUND.${one}`;
  const { counts, rows } = await withAlteredText(
    owner,
    'ssr/ssr',
    (document) => withOutcome(document, 'SSR-03', 'monitor'),
    () => world.replay({ classId: student.classRow.id }),
  );
  const [first] = await runIds(shell, student);
  assert.equal(counts, { same: 0, inputsDiffer: 0, rulesDiffer: 3 });
  const row = rows.find(({ stampId }) => stampId === `run:${first}`);
  assert.is(row?.verdict, 'rules_differ');
  assert.is(row?.fields[0], 'result');
  assert.ok(row?.fields.includes(sound('status')), String(row?.fields));
  assert.not.ok(row?.fields.some((field) => field.startsWith('codes.') || field === sound('ssrRuleId')));
  assert.is((await world.replay(ofOrganization())).counts.same, 6, 'the right text is back');
});

test('a text that is none, and a version that is not there: the rule versions differ', async () => {
  const { counts, rows } = await withAlteredText(
    owner,
    'bnd/bnd',
    () => 'no document',
    () => world.replay({ classId: student.classRow.id }),
  );
  assert.equal(counts, { same: 0, inputsDiffer: 0, rulesDiffer: 3 });
  assert.ok(rows.every(({ fields }) => fields.join() === 'ruleVersions'));
  const [, runId = ''] = await runIds(shell, student);
  const pinTo = (version: number) =>
    byForce(
      owner,
      'sse_run',
      `update sse_run set rule_versions = rule_versions || '{"pac/pac": ${version}}' where id = ?`,
      [runId],
    );
  await pinTo(77);
  const missing = await world.replay({ classId: student.classRow.id });
  await pinTo(shippedVersion('pac/pac'));
  assert.equal(missing.counts, { same: 2, inputsDiffer: 0, rulesDiffer: 1 });
  assert.equal(missing.rows, [{ stampId: `run:${runId}`, verdict: 'rules_differ', fields: ['ruleVersions'] }]);
});

test('an answer that was changed afterwards: inputs differ in every run that has seen it', async () => {
  const [first, second, third] = await runIds(shell, student);
  const session = await owner('diagnostic_session')
    .where({ studentId: student.id })
    .orderBy('finishedAt', 'desc')
    .first('id');
  const change = (correct: boolean) =>
    byForce(
      owner,
      'diagnostic_response',
      `update diagnostic_response set correct = ?, selected_option_index = ? where session_id = ? and seq = 1`,
      [correct, correct ? 0 : 1, session.id],
    );
  await change(false);
  const { counts, rows } = await world.replay(ofOrganization());
  await change(true);
  assert.equal(counts, { same: 5, inputsDiffer: 1, rulesDiffer: 0 });
  assert.equal(rows, [{ stampId: `run:${third}`, verdict: 'inputs_differ', fields: ['input.responses'] }]);
  assert.ok(first && second);
});

test('a session that was moved out of sight, and one with an item that the item bank does not know', async () => {
  const [, , third] = await runIds(shell, student);
  const session = await owner('diagnostic_session')
    .where({ studentId: student.id })
    .orderBy('finishedAt', 'desc')
    .first('id');
  const moveTo = (finishedAt: string) =>
    byForce(owner, 'diagnostic_session', 'update diagnostic_session set finished_at = ? where id = ?', [
      finishedAt,
      session.id,
    ]);
  await moveTo('2025-01-12T07:00:00.000Z');
  const gone = await world.replay(ofOrganization());
  await moveTo('2026-01-12T07:00:00.000Z');
  assert.equal(gone.rows, [
    { stampId: `run:${third}`, verdict: 'inputs_differ', fields: ['input.sessions', 'input.responses'] },
  ]);
  const setItem = (from: string, to: string) =>
    byForce(
      owner,
      'diagnostic_served_item',
      'update diagnostic_served_item set item_id = ? where session_id = ? and item_id = ?',
      [to, session.id, from],
    );
  await setItem('PA_BLEND-021', 'NOBODY-1');
  const unknown = await world.replay(ofOrganization());
  await setItem('NOBODY-1', 'PA_BLEND-021');
  assert.equal(unknown.counts, { same: 5, inputsDiffer: 1, rulesDiffer: 0 }, 'the others are evaluated all the same');
  assert.equal(unknown.rows[0]?.fields, ['input.responses']);
});

test('a stored input that was changed is not held against the rules; a stored row is', async () => {
  const [runId = ''] = await runIds(shell, student);
  /** Turns the bit around that says whether the answer was right. */
  const turnFirst = () =>
    byForce(
      owner,
      'sse_run',
      `update sse_run set input = jsonb_set(input::jsonb, '{responses,0,3}', to_jsonb((input #>> '{responses,0,3}')::integer # 8))
       where id = ?`,
      [runId],
    );
  await turnFirst();
  const input = await world.replay({ classId: student.classRow.id });
  await turnFirst();
  assert.equal(input.rows, [{ stampId: `run:${runId}`, verdict: 'inputs_differ', fields: ['input'] }]);
  const setHalted = () => byForce(owner, 'sse_run', 'update sse_run set halted = not halted where id = ?', [runId]);
  await setHalted();
  const halted = await world.replay({ classId: student.classRow.id });
  await setHalted();
  assert.equal(halted.rows, [{ stampId: `run:${runId}`, verdict: 'rules_differ', fields: ['run.halted'] }]);
});

test('many runs are worked off in steps, and their rows are read page by page', async () => {
  const crowd = await shell.student();
  await buildRuns(shell, crowd);
  await copyRuns(owner, crowd, 230);
  const replayed = await world.replay({ organizationId: crowd.organizationId });
  assert.equal(replayed.progress, { done: 233, total: 233 });
  assert.equal(replayed.counts, { same: 3, inputsDiffer: 0, rulesDiffer: 230 });
  const seen = new Set<string>();
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
    const query: string = cursor === '' ? 'limit=100' : `limit=100&cursor=${cursor}`;
    const { body } = await world.get<ReplayView>(`/api/admin/replays/${replayed.replayId}?${query}`);
    for (const { stampId } of body.rows) seen.add(stampId);
    cursor = body.nextCursor;
  }
  assert.is(seen.size, 230);
});

test('rows are hashed in the order of their runs, whichever student is first', async () => {
  const one = await shell.student();
  const other = await shell.classmate(one);
  for (const each of [one, other]) await buildRuns(shell, each);
  for (const each of [other, one, other, one]) await copyRuns(owner, each, 30);
  const { replayId } = await world.replay({ organizationId: one.organizationId });
  const { report } = await owner('rule_job').where({ id: replayId }).first('report');
  const kept: { stampId: string; verdict: string; fields: string[] }[] = await owner('rule_replay_row as w')
    .joinRaw("join sse_run r on 'run:' || r.id = w.stamp_id")
    .where('w.jobId', replayId)
    .orderBy('r.seq')
    .select('w.stampId', 'w.verdict', 'w.fields');
  assert.is(kept.length, 120);
  const hash = kept.reduce((before, row) => sha256Hex(before + canonicalJson(row)), '');
  assert.is(report.rowsHash, hash);
});

test('a replay that breaks off goes on where its last step ended', async () => {
  const crowd = await shell.student();
  await buildRuns(shell, crowd);
  await copyRuns(owner, crowd, 147);
  const body = { scope: { organizationId: crowd.organizationId }, ...always };
  const asked = await world.http.post<{ replayId: string }>('/api/admin/replays', body, { token: await world.token() });
  const id = asked.body.replayId;
  let failing = false;
  const { itemBanks } = shell.services;
  const current = async () => {
    const { done } = await owner('rule_job').where({ id }).first('done');
    failing = done === 100;
    if (failing) throw new Error('the process dies');
    return itemBanks.current();
  };
  const dying = { ...shell.services, itemBanks: { ...itemBanks, current } };
  const job = { id, organizationId: crowd.organizationId };
  const thrown = await runJob(dying, [replayModelOf({ request: 100, nightly: 100 })], job).catch(
    (error: Error) => error.message,
  );
  assert.is(thrown, 'the process dies');
  assert.ok(failing);
  const halfway = await world.read(id);
  assert.equal([halfway.state, halfway.progress], ['running', { done: 100, total: 150 }]);
  assert.equal(halfway.counts, { same: 3, inputsDiffer: 0, rulesDiffer: 97 });
  await world.work(id);
  const { state, counts } = await world.read(id);
  assert.equal([state, counts], ['done', { same: 3, inputsDiffer: 0, rulesDiffer: 147 }]);
  assert.is((await owner('rule_replay_row').where({ jobId: id })).length, 147);
});

test('a replay writes nothing but itself', async () => {
  const count = async (table: string) => Number((await owner(table).count('* as n'))[0]?.n);
  const tables = ['sse_run', 'sse_skill_snapshot', 'sse_recompute_request', 'platform_alert', 'rule_attestation'];
  const before = await Promise.all(tables.map(count));
  await world.replay(ofOrganization());
  assert.equal(await Promise.all(tables.map(count)), before);
});

test('unknown scopes and ids: 404; bodies that are not one scope and a range: 422; others than the backoffice: 403', async () => {
  const post = async (body: object, token?: string) =>
    (await world.http.post('/api/admin/replays', body, { token: token ?? (await world.token()) })).status;
  for (const scope of [{ organizationId: newId() }, { schoolId: newId() }, { classId: 987_654_321 }]) {
    assert.is(await post({ scope, ...always }), 404, JSON.stringify(scope));
  }
  const both = { organizationId: student.organizationId, classId: student.classRow.id };
  for (const body of [
    { scope: {}, ...always },
    { scope: both, ...always },
    { scope: ofOrganization(), from: always.to, to: always.from },
    { scope: ofOrganization(), from: always.from, to: always.from },
    { scope: ofOrganization(), from: '2026-06-30T23:59:60Z', to: always.to },
  ]) {
    assert.is(await post(body), 422, JSON.stringify(body));
  }
  assert.is((await world.get(`/api/admin/replays/${newId()}`)).status, 404);
  const teacher = await signIn(shell.app, await buildTeacher(owner, student.classRow));
  assert.is(await post({ scope: ofOrganization(), ...always }, teacher), 403);
});

test.run();
