// Reads of assignments: one, those of a student, and the board of a class.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildPrincipal, signIn } from '../../../harness/factories.ts';
import { confirmed, type Json, monday, type Pupil, reported, usePlans } from '../workflow/draft-bodies.ts';

const test = suite('reads of assignments');
const plans = usePlans(test);
const { app } = plans.shell;
const { owner } = app.database;

interface List {
  readonly items: readonly Json[];
  readonly nextCursor: string | null;
}

let pupil: Pupil;
let ids: string[];
/** Five assignments of three students, a minute apart. */
test.before(async () => {
  app.clock.set(monday);
  pupil = await plans.pupil();
  const others = [await plans.classmate(pupil), await plans.classmate(pupil)];
  ids = [];
  for (const one of [pupil, ...others]) {
    app.clock.advance(60_000);
    ids.push(await plans.given(one));
  }
  app.clock.advance(60_000);
  ids.push(await plans.given(pupil, { bundle_id: 'SUP-LETTER-01', startOn: '2026-02-01', ...confirmed }));
  await plans.review(pupil, { assignmentId: ids[0] ?? '', action: 'stop', reasonCode: 'Need_Changed' });
  app.clock.advance(60_000);
  ids.push(await plans.given(pupil));
});

const get = async (path: string) => app.get<List>(path, { token: await signIn(app, pupil.teacher) });
const board = (query = '') => get(`/api/classes/${pupil.classRow.id}/bundle-assignments${query}`);
const places = ({ body }: { readonly body: List }) =>
  body.items.map(({ assignmentId }) => ids.indexOf(String(assignmentId)));

test('the board of a class: newest activation first, ended ones too', async () => {
  assert.equal(places(await board()), [4, 3, 2, 1, 0]);
});

test('filters of the board, alone and together', async () => {
  assert.equal(places(await board('?state=active')), [4, 2, 1]);
  assert.equal(places(await board('?state=stopped')), [0]);
  assert.equal(places(await board('?bundle_id=SUP-LETTER-01')), [3]);
  assert.equal(places(await board('?bundle_id=BND-DECODE-01&state=active')), [4, 2, 1]);
  assert.equal(places(await board('?trackStatus=not_applicable')), [3, 0]);
  assert.equal(places(await board('?trackStatus=off_track')), []);
  for (const query of ['?state=gone', '?trackStatus=lost', '?bundle_id=NO-SUCH-01', '?cursor=x', '?more=1']) {
    assert.is((await board(query)).status, 422, query);
  }
});

test('pages neither repeat nor leave out', async () => {
  const first = await board('?limit=2');
  const second = await board(`?limit=2&cursor=${first.body.nextCursor}`);
  const third = await board(`?limit=2&cursor=${second.body.nextCursor}`);
  assert.equal([places(first), places(second), places(third)], [[4, 3], [2, 1], [0]]);
  assert.is(third.body.nextCursor, null);
});

test('those of a student, by state', async () => {
  const own = (query = '') => get(`/api/students/${pupil.id}/bundle-assignments${query}`);
  assert.equal(places(await own()), [4, 3, 0]);
  assert.equal(places(await own('?state=scheduled')), [3]);
  assert.is((await own('?bundle_id=BND-DECODE-01')).status, 422);
});

test('one shape: the same in the board, in the list of the student and alone', async () => {
  const { body } = await board();
  for (const item of body.items) {
    assert.equal((await get(`/api/bundle-assignments/${item.assignmentId}`)).body, item);
  }
  const keys = new Set(body.items.map((item) => Object.keys(item).join()));
  assert.is(keys.size, 1);
});

test('a principal of the school reads; a malformed id is nothing', async () => {
  const token = await signIn(app, await buildPrincipal(owner, { ...pupil.classRow, id: pupil.classRow.schoolId }));
  for (const path of [
    `/api/bundle-assignments/${ids[0]}`,
    `/api/students/${pupil.id}/bundle-assignments`,
    `/api/classes/${pupil.classRow.id}/bundle-assignments`,
  ]) {
    assert.is((await app.get(path, { token })).status, 200, path);
  }
  assert.equal(reported(await get('/api/bundle-assignments/no-id')), [404, 'NOT_FOUND']);
});

test('monitoring counts from the newest reading since the start; an ended assignment is not monitored', async () => {
  const monitored = async (id = ids[4]) => {
    const { items } = (await board()).body;
    return items.find(({ assignmentId }) => assignmentId === id)?.monitoring;
  };
  const due = { measureCode: 'ORF_WCPM', everyDays: 14 };
  assert.equal(await monitored(), { ...due, nextDueOn: '2026-01-26', overdue: false });
  app.clock.set('2026-01-27T08:00:00.000Z');
  assert.equal(await monitored(), { ...due, nextDueOn: '2026-01-26', overdue: true });
  const probe = {
    ...{ studentId: pupil.id, measureCode: 'ORF_WCPM', passageId: 'ORF-G2-01', administeredOn: '2026-01-27' },
    ...{ wordsAttempted: 20, errors: 2, elapsedSeconds: 60 },
  };
  const token = await signIn(app, pupil.teacher);
  assert.is((await app.post('/api/cbm/probes', probe, { token })).status, 201);
  assert.equal(await monitored(), { ...due, nextDueOn: '2026-02-10', overdue: false });
  assert.equal([await monitored(ids[0]), await monitored(ids[3])], [null, null], 'stopped; letters are not read aloud');
});

test('the number of statements does not grow with the board', async () => {
  const asked: string[][] = [];
  for (const limit of [1, 5]) {
    const statements: string[] = [];
    const listen = ({ sql }: { readonly sql: string }) => statements.push(sql);
    const token = await signIn(app, pupil.teacher);
    app.database.app.on('query', listen);
    await app.get(`/api/classes/${pupil.classRow.id}/bundle-assignments?limit=${limit}`, { token });
    app.database.app.removeListener('query', listen);
    asked.push(statements.filter((sql) => /bundle_assignment|cbm_probe|from class c/.test(sql)));
  }
  assert.equal(
    asked.map(({ length }) => length),
    [3, 3],
    asked.join('\n'),
  );
});

test.run();
