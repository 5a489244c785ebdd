// Benchmark profiles over HTTP: written and published by one person, put in force by another, each swap whole.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { type Backoffice, buildBackoffice, type JsonReply } from '../workbench/backoffice.ts';

const test = suite('benchmark profiles over HTTP');
const app = useApp(test, { rules: true });
let office: Backoffice;
let world: World;
test.before(async () => {
  office = await buildBackoffice(app);
  world = await buildWorld(app);
});

const path = '/api/admin/benchmark-profiles';
const cuts = { meets: 60, approaching: 40, below: 20 };
const cell = { country: 'SA', grade: 2, measureCode: 'ORF_WCPM', season: 'BOY' };
const expected = { cuts, source: 'A norm of a country.', titleAr: 'معيار الطلاقة: الصف الثاني' };
const create = (more: object = {}) => office.author.post(path, { ...cell, ...expected, ...more });
const act = (
  id: unknown,
  action: 'publish' | 'activate',
  by = action === 'publish' ? office.author : office.approver,
) => by.post(`${path}/${id}/${action}`, {});
const patch = (id: unknown, body: object) => office.author.request('PATCH', `${path}/${id}`, body);
const listed = async (query: string) => (await office.author.get(`${path}?${query}`)).body.items as JsonReply['body'][];
const audit = async (id: unknown) => (await office.author.get(`${path}/${id}/audit`)).body.items as JsonReply['body'][];
const refused = ({ status, body }: JsonReply) => [status, body.details?.[0]?.issue];
const resolve = (query: string) =>
  app.get<JsonReply['body']>(`/api/standards/benchmark-profiles/resolve?${query}`, {
    token: world.own.people.TEACHER.token,
  });
const ofCell = 'country=SA&grade=2&measureCode=ORF_WCPM&season=BOY';

test('what a release brought is listed: active, by no one, in the order of keys', async () => {
  const all = await listed('limit=100');
  const shipped = await app.database.owner('rule_version').where({ family: 'benchmark' }).count('* as n').first();
  assert.is(all.length, Number(shipped?.n));
  assert.equal(
    all.map(({ key }) => key),
    all.map(({ key }) => key).toSorted(),
  );
  for (const { createdBy, retiredAt } of all) assert.equal([createdBy, retiredAt], [null, null]);
  const inForce = all.filter(({ status }) => status === 'active').map(({ key }) => key);
  assert.equal(inForce, [...new Set(all.map(({ key }) => key))], 'each cell has one in force, and one only');
  const [first] = await listed('key=orf-wcpm-global-g2-boy&status=active');
  assert.equal((await office.author.get(`${path}/${first?.id}`)).body, first);
  assert.equal(
    (await audit(first?.id)).map(({ action, actorUserId, fromVersion, toVersion }) => [
      ...[action, actorUserId, fromVersion, toVersion],
    ]),
    [
      ['published', null, null, first?.version],
      ['activated', null, null, first?.version],
    ],
  );
});

test('the pages of the list turn', async () => {
  const first = await office.author.get(`${path}?limit=5`);
  const next = await office.author.get(`${path}?limit=100&cursor=${first.body.nextCursor}`);
  const ids = [first, next].flatMap(({ body }) => (body.items as { id: string }[]).map(({ id }) => id));
  assert.equal(
    ids,
    (await listed('limit=100')).map(({ id }) => id),
  );
});

test('a life: draft, published, active, retired, active again', async () => {
  const made = await create();
  assert.is(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body;
  assert.equal(made.body, {
    ...{
      id,
      key: 'orf-wcpm-sa-g2-boy',
      version: 1,
      ...cell,
      ...expected,
      status: 'draft',
      createdBy: office.author.id,
    },
    ...{ createdAt: app.clock.now().toISOString(), publishedAt: null, activatedAt: null, retiredAt: null },
  });
  assert.equal(refused(await create()), [409, 'draft_open']);
  assert.equal(refused(await act(id, 'activate')), [409, 'not_published']);
  assert.equal((await resolve(ofCell)).body.resolvedBy, 'global_fallback');
  const changed = await patch(id, { cuts: { meets: 61, approaching: 40, below: 20 } });
  assert.equal([changed.status, changed.body.cuts], [200, { meets: 61, approaching: 40, below: 20 }]);
  app.clock.advance(1_000);
  const published = await act(id, 'publish');
  assert.is(published.status, 200, JSON.stringify(published.body));
  assert.equal([published.body.status, published.body.version, published.body.activatedAt], ['published', 1, null]);
  assert.equal(refused(await act(id, 'publish')), [409, 'not_draft']);
  assert.equal(refused(await patch(id, { source: 'Later.' })), [409, 'not_draft']);
  assert.is((await resolve(ofCell)).body.resolvedBy, 'global_fallback', 'published is not in force');
  app.clock.advance(1_000);
  const active = await act(id, 'activate');
  assert.equal([active.status, active.body.status], [200, 'active']);
  assert.equal(refused(await act(id, 'activate')), [409, 'already_active']);
  assert.equal((await resolve(ofCell)).body, {
    ...{ key: 'orf-wcpm-sa-g2-boy', version: 1, ...cell, cuts: { meets: 61, approaching: 40, below: 20 } },
    ...{ source: expected.source, status: 'active', resolvedBy: 'exact' },
  });

  const second = (await create({ cuts: null })).body.id;
  await act(second, 'publish');
  app.clock.advance(1_000);
  assert.is((await act(second, 'activate')).body.status, 'active');
  assert.equal(
    [(await resolve(ofCell)).body.version, (await resolve(ofCell)).body.cuts],
    [2, null],
    'null is the answer',
  );
  const old = (await office.author.get(`${path}/${id}`)).body;
  assert.equal([old.status, old.retiredAt], ['retired', app.clock.now().toISOString()]);
  app.clock.advance(1_000);
  assert.is((await act(id, 'activate', office.editor)).body.status, 'active', 'a swap is taken back');
  const [by, other] = [office.author.id, office.approver.id];
  const shown = (entries: readonly JsonReply['body'][]) =>
    entries.map(({ action, actorUserId, fromVersion, toVersion }) => [action, actorUserId, fromVersion, toVersion]);
  assert.equal(shown(await audit(id)), [
    ...[['created', by, null, 1] as const, ['updated', by, null, 1] as const, ['published', by, null, 1] as const],
    ...[['activated', other, null, 1] as const, ['retired', other, 1, 2] as const],
    ['activated', office.editor.id, 2, 1],
  ]);
  assert.equal(shown(await audit(second)), [
    ...[['created', by, null, 2] as const, ['published', by, null, 2] as const, ['activated', other, 1, 2] as const],
    ['retired', office.editor.id, 2, 1],
  ]);
  const first = await office.author.get(`${path}/${id}/audit?limit=4`);
  const rest = await office.author.get(`${path}/${id}/audit?cursor=${first.body.nextCursor}`);
  assert.equal(shown([...(first.body.items as []), ...(rest.body.items as [])]), shown(await audit(id)));
});

test('every swap is reported, whichever way it came: here and in the workbench', async () => {
  const reported = () =>
    app.database.owner('outbox').where({ topic: 'standards.benchmark_activated' }).orderBy('id').select('payload');
  const key = 'orf-wcpm-sa-g2-boy';
  assert.equal(
    (await reported()).map(({ payload }) => payload),
    [
      { benchmarkProfileKey: key, fromVersion: null, toVersion: 1 },
      { benchmarkProfileKey: key, fromVersion: 1, toVersion: 2 },
      { benchmarkProfileKey: key, fromVersion: 2, toVersion: 1 },
    ],
  );
  const body = { versions: { [`benchmark/${key}`]: 2 }, reason: 'policy_change' };
  const inWorkbench = await office.author.post('/api/admin/rule-bundles', body);
  assert.is(inWorkbench.status, 201);
  assert.equal((await reported()).at(-1)?.payload, { benchmarkProfileKey: key, fromVersion: 1, toVersion: 2 });
  assert.is((await listed(`key=${key}&status=active`))[0]?.version, 2);
});

test('two activations at once, and two drafts, and two publications: one wins, the cell is never without a version', async () => {
  const grade = { grade: 4, season: null };
  const drafts = await Promise.all([create(grade), create(grade)]);
  assert.equal(drafts.map(({ status }) => status).toSorted(), [201, 409]);
  const one = drafts.find(({ status }) => status === 201)?.body.id;
  const publications = await Promise.all([act(one, 'publish'), act(one, 'publish')]);
  assert.equal(publications.map(refused).toSorted(), [
    [200, undefined],
    [409, 'not_draft'],
  ]);
  const two = (await create(grade)).body.id;
  await act(two, 'publish');
  const swaps = await Promise.all([
    ...[act(one, 'activate'), act(two, 'activate'), act(one, 'activate', office.secondApprover)],
    act(two, 'activate', office.secondApprover),
  ]);
  for (const swap of swaps)
    assert.ok(swap.status === 200 || refused(swap)[1] === 'already_active', JSON.stringify(swap.body));
  const active = await listed('key=orf-wcpm-sa-g4-any&status=active');
  assert.is(active.length, 1);
  const timeline: { versions: Record<string, number> }[] = await app.database
    .owner('rule_activation as a')
    .join('rule_bundle as b', 'b.id', 'a.bundleId')
    .orderBy('a.id')
    .select('b.versions');
  const held = timeline.map(({ versions }) => versions['benchmark/orf-wcpm-sa-g4-any'] ?? null);
  assert.is(held.lastIndexOf(null) < held.findIndex((version) => version !== null), true);
});

test('the order of resolving: the cell, the country, the world; every part is needed', async () => {
  const by = async (query: string) => (await resolve(`measureCode=ORF_WCPM&${query}`)).body.resolvedBy;
  assert.is(await by('country=SA&grade=2&season=BOY'), 'exact');
  assert.is(await by('country=SA&grade=4&season=EOY'), 'country_default');
  assert.is(await by('country=EG&grade=4&season=EOY'), 'global_fallback');
  for (const query of [
    ...['grade=2&season=BOY', 'country=SA&season=BOY', 'country=SA&grade=2', 'country=sa&grade=2&season=BOY'],
    ...['country=ZZ&grade=2&season=BOY', 'country=SA&grade=5&season=BOY', 'country=SA&grade=2&season=ANY', 'x=1'],
  ]) {
    assert.is((await resolve(`measureCode=ORF_WCPM&${query}`)).status, 422, query);
  }
  assert.is((await resolve('country=SA&grade=2&season=BOY&measureCode=OTHER')).status, 422);
});

test('what no profile can be', async () => {
  const other = { grade: 1, season: 'EOY' };
  for (const wrong of [
    ...[{ cuts: { meets: 20, approaching: 40, below: 10 } }, { cuts: { meets: 40, approaching: 40, below: 10 } }],
    ...[{ cuts: { meets: 40, approaching: 20, below: -1 } }, { cuts: { meets: 4000, approaching: 20, below: 1 } }],
    ...[{ cuts: { meets: 40 } }, { grade: 0 }, { country: 'XX' }, { season: 'SUMMER' }, { measureCode: 'MAZE' }],
    ...[{ source: '  ' }, { titleAr: '' }, { titleAr: 'معيار ٢' }, { titleAr: 'Benchmark' }, { unknown: 1 }],
  ]) {
    assert.is((await create({ ...other, ...wrong })).status, 422, JSON.stringify(wrong));
  }
  const { id } = (await create(other)).body;
  for (const wrong of [{}, { country: 'SA' }, { cuts: { meets: 1, approaching: 2, below: 0 } }]) {
    assert.is((await patch(id, wrong)).status, 422, JSON.stringify(wrong));
  }
  assert.is((await office.author.get(`${path}/${'a'.repeat(24)}`)).status, 404);
  assert.is((await office.author.get(`${path}?status=open`)).status, 422);
});

test('the report to a ministry is not there', async () => {
  const status = async (persona: 'MANAGER' | 'TEACHER') =>
    (await app.get('/api/standards/ministry-report', { token: world.own.people[persona].token })).status;
  assert.equal([await status('MANAGER'), await status('TEACHER')], [501, 403]);
});

test.run();
