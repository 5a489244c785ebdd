// Blueprints over HTTP: imported by one person, evaluated, published by another, read by teachers.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { approveImport, prepareBatchApproval } from '#teaching/lesson-blueprints/imports/approve.ts';
import type { Blueprint } from '#teaching/lesson-blueprints/index.ts';
import { type BatchRow, findBatch } from '#teaching/lesson-blueprints/rows/batches.ts';
import { type Backoffice, buildBackoffice, type JsonReply } from '../../backoffice/workbench/backoffice.ts';
import { buildTeacher, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { blueprintOf, buildBatch, importBody } from './rows.ts';

const test = suite('imports of blueprints');
const app = useApp(test, { rules: true });
const { owner } = app.database;
const address = '/api/session-blueprints';
let office: Backoffice;
test.before(async () => {
  office = await buildBackoffice(app);
});

const bring = (blueprints: readonly object[], batchCode?: string) =>
  office.author.post(`${address}/import`, importBody(blueprints, batchCode));
const approve = (batchId: unknown, who: 'approver' | 'secondApprover' | 'author' = 'approver') =>
  office[who].post(`${address}/${batchId}/approve`, {});
const outcomeOf = ({ status, body }: JsonReply): string =>
  [status, body.code === 'CONFLICT' ? body.details?.[0]?.issue : (body.code ?? '')].join(' ').trim();
const reportOf = ({ body }: JsonReply) =>
  body.report as { errors: number; warnings: number; blueprints: number; findings: Record<string, string>[] };
const findingsOf = (reply: JsonReply) =>
  reportOf(reply).findings.map(({ ruleId, path, issue }) => [ruleId, path, issue].join(' '));

test('an import of one person is published by another; a blueprint is returned with items, and listed without them', async () => {
  const content = blueprintOf({ blueprintCode: 'WALK-1', bundle_id: 'SUP-DECODE-01', grade: 3 });
  const made = await bring([content], 'WALK');
  assert.is(made.status, 201, JSON.stringify(made.body));
  assert.equal(Object.keys(made.body).sort(), ['batchCode', 'batchId', 'createdAt', 'importedBy', 'report', 'state']);
  assert.equal(made.body.report, { blueprints: 1, errors: 0, warnings: 0, findings: [] });
  assert.is(made.body.state, 'validated');
  assert.is(made.body.importedBy, office.author.id);
  assert.is(outcomeOf(await approve(made.body.batchId, 'author')), '403 PERMISSION_DENIED');
  const { status, body } = await approve(made.body.batchId);
  assert.is(status, 200, JSON.stringify(body));
  const [published] = body.published as { blueprintId: string }[];
  assert.equal(body, {
    ...{ batchId: made.body.batchId, state: 'approved', skipped: [] },
    published: [{ blueprintId: published?.blueprintId, blueprintCode: 'WALK-1', version: 1 }],
  });
  assert.is(outcomeOf(await approve(made.body.batchId)), '409 invalid_transition');
  const token = await signIn(app, await buildTeacher(owner));
  const read = await app.get(`${address}/${published?.blueprintId}`, { token });
  assert.equal(read.body, { blueprintId: published?.blueprintId, version: 1, state: 'active', form: 'A', ...content });
  const { body: list } = await app.get<{ items: object[] }>('/api/sessions/catalog?bundle_id=SUP-DECODE-01', { token });
  const { items, ...entry } = content;
  assert.equal(list.items, [{ blueprintId: published?.blueprintId, version: 1, state: 'active', form: 'A', ...entry }]);
  assert.is((await app.get(`${address}/import`, { token })).status, 403);
});

test('form: A when it is left out, which is no other content than A by name; B is stored and read', async () => {
  const content = blueprintOf({ blueprintCode: 'FORM-1' });
  const publish = async (blueprint: object) =>
    (await approve((await bring([blueprint], 'FORM')).body.batchId)).body as Record<'published' | 'skipped', unknown>;
  await publish(content);
  assert.equal((await publish({ ...content, form: 'A' })).skipped, ['FORM-1']);
  const [second] = (await publish({ ...content, form: 'B' })).published as { blueprintId: string; version: number }[];
  assert.is(second?.version, 2);
  const token = await signIn(app, await buildTeacher(owner));
  assert.is((await app.get<{ form: string }>(`${address}/${second?.blueprintId}`, { token })).body.form, 'B');
  const unknown = await bring([{ ...content, form: 'C' }], 'FORM');
  assert.equal([unknown.status, unknown.body.details?.[0]?.field], [422, 'blueprints.0.form']);
});

test('a new version supersedes the previous one, and equal content is skipped', async () => {
  const [first, second] = [blueprintOf({ blueprintCode: 'NEXT-1' }), blueprintOf({ blueprintCode: 'NEXT-2' })];
  const { body: before } = await approve((await bring([first, second])).body.batchId);
  const changed = { ...second, titleAr: 'نَقْرَأُ مَرَّةً أُخْرَى' };
  const again = await bring([first, changed]);
  assert.equal(findingsOf(again), ['BPV-20 blueprints.0 same_as_published']);
  assert.equal([again.body.state, reportOf(again).warnings], ['validated', 1]);
  const { body: after } = await approve(again.body.batchId);
  const [published] = after.published as { blueprintId: string; version: number }[];
  assert.equal([published?.version, after.skipped], [2, ['NEXT-1']]);
  const old = (before.published as { blueprintId: string; blueprintCode: string }[]).find(
    ({ blueprintCode }) => blueprintCode === 'NEXT-2',
  );
  const state = async (id: string | undefined) => (await office.author.get(`${address}/${id}`)).body.state;
  assert.equal([await state(old?.blueprintId), await state(published?.blueprintId)], ['superseded', 'active']);
  const superseded = await office.author.get(`${address}/${old?.blueprintId}`);
  assert.is(superseded.body.titleAr, second.titleAr);
});

const faulty: readonly [string, Partial<Blueprint>, readonly string[]][] = [
  [
    'BPV-01: a bundle that cannot be assigned',
    { bundle_id: 'NIO-CORE-01' },
    [
      'BPV-01 bundle_id',
      'BPV-02 stepNo',
      'BPV-03 deliveryModes.0',
      'BPV-03 deliveryModes.1',
      'BPV-04 targetSubSkillCodes.0',
    ],
  ],
  ['BPV-02: another role than that of the step', { sessionRole: 'MAINTENANCE' }, ['BPV-02 sessionRole']],
  ['BPV-03: a grade that the bundle does not serve', { grade: 4 }, ['BPV-03 grade']],
  ['BPV-04: another skill group', { anchorSkillGroup: 'LK_SOUNDS' }, ['BPV-04 anchorSkillGroup']],
  ['BPV-05: minutes that do not add up', { durationMinutes: 21 }, ['BPV-05 durationMinutes']],
  ['BPV-09: a title that no child should read', { titleAr: 'أنت غبي' }, ['BPV-09 titleAr']],
];
for (const [name, change, expected] of faulty) {
  test(name, async () => {
    const found = findingsOf(await bring([blueprintOf(), blueprintOf(change)]));
    assert.equal(
      found.map((finding) => finding.replace(/ [a-z_]+$/, '').replace('blueprints.1.', '')),
      expected,
    );
  });
}

test('BPV-10: a repeated code; one invalid blueprint of 200 prevents the approval of all', async () => {
  const twice = blueprintOf({ blueprintCode: 'TWICE-1' });
  assert.equal(findingsOf(await bring([twice, blueprintOf(), twice])), [
    'BPV-10 blueprints.0.blueprintCode code_repeated',
    'BPV-10 blueprints.2.blueprintCode code_repeated',
  ]);
  const many = Array.from({ length: 200 }, (_, at) => blueprintOf({ blueprintCode: `MANY-${at}` }));
  const bad = many.map((one, at) => (at === 137 ? { ...one, stepNo: 99 } : one));
  const made = await bring(bad, 'MANY');
  assert.equal([made.status, made.body.state, reportOf(made).errors], [201, 'invalid', 1]);
  assert.equal(findingsOf(made), ['BPV-02 blueprints.137.stepNo step_mismatch']);
  assert.is(outcomeOf(await approve(made.body.batchId)), '409 invalid_transition');
  assert.is(Number((await owner('session_blueprint').whereLike('blueprintCode', 'MANY-%').count())[0]?.count), 0);
});

test('a body outside the schema is refused with its path, and nothing is stored', async () => {
  const before = await owner('blueprint_batch').count();
  const heard = blueprintOf();
  const item = { ...heard.items[0], taskType: 'mcq_audio' };
  const refusals: [object, string][] = [
    [importBody([]), 'blueprints'],
    [{ ...importBody([heard]), formatVersion: 2 }, 'formatVersion'],
    [importBody([heard], 'small'), 'batchCode'],
    [importBody([{ ...heard, extra: 1 }]), 'blueprints.0.extra'],
    [importBody([{ ...heard, titleAr: ' ' }]), 'blueprints.0.titleAr'],
    [importBody([{ ...heard, segments: [] }]), 'blueprints.0.segments'],
    [importBody([heard, { ...heard, items: [item] }]), 'blueprints.1.items.0.speechAr'],
    [importBody([{ ...heard, items: [{ ...item, taskType: 'passage_mcq' }] }]), 'blueprints.0.items.0.passageAr'],
    [importBody([{ ...heard, scaffoldTier: 'Level_9' }]), 'blueprints.0.scaffoldTier'],
    [importBody([{ ...heard, blueprintCode: "X'; drop table session_blueprint" }]), 'blueprints.0.blueprintCode'],
    [importBody(Array.from({ length: 1_001 }, () => heard)), 'blueprints'],
  ];
  for (const [body, field] of refusals) {
    const reply = await office.author.post(`${address}/import`, body);
    assert.equal(
      [reply.status, reply.body.details?.[0]?.field],
      [422, field],
      JSON.stringify(reply.body).slice(0, 300),
    );
  }
  assert.equal(await owner('blueprint_batch').count(), before);
});

test('an import supersedes the pending one of the same code; of two concurrent ones one is pending', async () => {
  const first = await bring([blueprintOf()], 'SAME');
  const replies = await Promise.all([bring([blueprintOf()], 'SAME'), bring([blueprintOf()], 'SAME')]);
  assert.equal(
    replies.map(({ status }) => status),
    [201, 201],
  );
  const rows = await owner('blueprint_batch').where({ batchCode: 'SAME' }).select('state', 'content');
  assert.equal(rows.map(({ state, content }) => [state, content !== null].join()).sort(), [
    'superseded,false',
    'superseded,false',
    'validated,true',
  ]);
  assert.is(outcomeOf(await approve(first.body.batchId)), '409 invalid_transition');
  await bring([blueprintOf({ stepNo: 99 })], 'SAME');
  const after = await owner('blueprint_batch').where({ batchCode: 'SAME' }).select('state');
  assert.equal(after.map(({ state }) => state).sort(), ['invalid', 'superseded', 'superseded', 'superseded']);
});

test('of two concurrent approvals one publishes', async () => {
  const content = blueprintOf({ blueprintCode: 'ONCE-1' });
  const { body } = await bring([content]);
  const outcomes = await Promise.all([approve(body.batchId), approve(body.batchId, 'secondApprover')]);
  assert.equal(outcomes.map(outcomeOf).sort(), ['200', '409 invalid_transition']);
  assert.is(Number((await owner('session_blueprint').where({ blueprintCode: 'ONCE-1' }).count())[0]?.count), 1);
});

test('two batches with one code approved concurrently: versions without a gap, one of them active', async () => {
  const one = await bring([blueprintOf({ blueprintCode: 'GAP-1', titleAr: 'أَوَّلًا' })]);
  const other = await bring([blueprintOf({ blueprintCode: 'GAP-1', titleAr: 'ثَانِيًا' })]);
  const outcomes = await Promise.all([approve(one.body.batchId), approve(other.body.batchId, 'secondApprover')]);
  assert.equal(outcomes.map(outcomeOf), ['200', '200']);
  const rows = await owner('session_blueprint').where({ blueprintCode: 'GAP-1' }).orderBy('version');
  assert.equal(
    rows.map(({ version, state }) => [version, state]),
    [
      [1, 'superseded'],
      [2, 'active'],
    ],
  );
});

test('a batch that the rules in force refuse is not published, nor one that was evaluated by other rules', async () => {
  const stale = await buildBatch(owner, { blueprints: [blueprintOf({ blueprintCode: 'STALE-1', stepNo: 99 })] });
  assert.is(outcomeOf(await approve(stale)), '409 no_longer_valid');
  const id = await buildBatch(owner, { blueprints: [blueprintOf({ blueprintCode: 'STALE-2' })] });
  const refusal = await inContext(app.database.app, 'SUPER', async (trx) => {
    const row = (await findBatch(trx, id)) as BatchRow;
    const evaluate = await prepareBatchApproval(app.services, trx, row, app.clock.now());
    return approveImport(app.services, trx, row, { ...(await evaluate()), bundleId: 'other' } as never, 7);
  }).catch((error: unknown) => (error instanceof AppError ? error.details?.[0]?.issue : error));
  assert.is(refusal, 'rules_moved');
  assert.is(Number((await owner('session_blueprint').whereLike('blueprintCode', 'STALE-%').count())[0]?.count), 0);
  assert.equal(await owner('blueprint_batch').whereIn('id', [stale, id]).distinct('state'), [{ state: 'validated' }]);
});

test('the catalogue is paged and combines filters', async () => {
  const wanted = [1, 2, 3].map((no) =>
    blueprintOf({ blueprintCode: `PAGE-${no}`, bundle_id: 'CIB-BROAD-01', deliveryModes: ['teacher_led_small_group'] }),
  );
  await approve((await bring(wanted)).body.batchId);
  const filter = 'bundle_id=CIB-BROAD-01&grade=2&sessionRole=EXPLICIT_TEACHING&deliveryMode=teacher_led_small_group';
  const read = async (query: string) => (await office.author.get(`/api/sessions/catalog?${query}`)).body;
  const first = await read(`${filter}&limit=2`);
  const second = await read(`${filter}&limit=2&cursor=${first.nextCursor}`);
  const codes = [first, second].flatMap(({ items }) =>
    (items as Blueprint[]).map(({ blueprintCode }) => blueprintCode),
  );
  assert.equal([codes, second.nextCursor], [['PAGE-1', 'PAGE-2', 'PAGE-3'], null]);
  for (const odd of ['grade=3', 'sessionRole=MAINTENANCE', 'deliveryMode=blended']) {
    assert.equal((await read(`bundle_id=CIB-BROAD-01&${odd}`)).items, [], odd);
  }
  assert.is((await office.author.get('/api/sessions/catalog?cursor=W10')).status, 422);
});

test('a word that no catalogue has is refused, since an empty list would hide a typing error', async () => {
  const words = ['bundle_id=BND-DECODE-09', 'bundle_id=bnd-decode-01', 'sessionRole=PLAY', 'sessionRole=maintenance'];
  for (const word of [...words, 'deliveryMode=none', 'grade=5', 'colour=red']) {
    for (const query of [word, `grade=2&${word}`]) {
      const { status, body } = await office.author.get(`/api/sessions/catalog?${query}`);
      assert.equal([status, body.code], [422, 'VALIDATION_ERROR'], query);
      assert.equal(
        body.details?.map(({ field }) => field),
        [word.split('=')[0]],
        query,
      );
    }
  }
});

test('imports are listed newest first and returned one by one', async () => {
  app.clock.advance(1_000);
  const made = await bring([blueprintOf()]);
  const { body } = await office.approver.get(`${address}/import?limit=1`);
  assert.equal(body.items, [made.body]);
  assert.equal((await office.approver.get(`${address}/import/${made.body.batchId}`)).body, made.body);
  const next = await office.approver.get(`${address}/import?limit=1&cursor=${body.nextCursor}`);
  assert.not.equal(next.body.items, body.items);
});

test.run();
