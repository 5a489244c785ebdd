// Open assignments with low delivery: visibility, order, pages, and no sequential scan.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { recountAll } from '#support/fidelity/requests/daily.ts';
import { buildSchool, buildSuperAdmin, signIn } from '../../harness/factories.ts';
import { type Json, monday, type Pupil } from '../interventions/workflow/draft-bodies.ts';
import { sunday, useCounted } from './counted.ts';

const test = suite('assignments with low delivery');
const { plans, weekly } = useCounted(test);
const { app, services } = plans.shell;
const { owner } = app.database;

const start = daysAfter(sunday, -28);

interface Class {
  readonly pupils: readonly Pupil[];
  readonly ids: readonly string[];
  readonly admin: string;
}

let one: Class;
let other: Class;
let superToken: string;

/** A student for each list of sessions a week, all of one class. */
async function classOf(perWeek: readonly (readonly number[])[]): Promise<Class> {
  const first = await plans.pupil();
  const pupils = [first];
  for (const _ of perWeek.slice(1)) pupils.push(await plans.classmate(first));
  const ids: string[] = [];
  for (const [at, pupil] of pupils.entries()) {
    ids.push(await plans.given(pupil, { startOn: start }));
    await weekly(pupil, start, perWeek[at] ?? []);
  }
  await recountAll(services, first.organizationId, app.clock.now());
  return { pupils, ids, admin: await plans.admin(first) };
}

test.before(async () => {
  app.clock.set(monday);
  one = await classOf([[3, 3, 3, 0], [], [3, 3, 3, 3], [], [3, 0, 3, 0]]);
  other = await classOf([[1, 1, 1, 1]]);
  superToken = await signIn(app, await buildSuperAdmin(owner));
});

const list = async (token: string, query = '') =>
  app.get<{ items: Json[]; nextCursor: string | null } & Json>(`/api/fidelity/admin/low-fidelity-cohort?${query}`, {
    token,
  });
const idsIn = async (token: string, query = '') => {
  const { status, body } = await list(token, query);
  assert.is(status, 200, JSON.stringify(body));
  return body.items.map(({ assignmentId }) => assignmentId);
};
const at = ({ ids }: Class, ...places: number[]) => places.map((place) => ids[place]);
/** Equal rates are in the order of their ids. */
const inOrder = () => [...at(one, 1, 3).sort(), ...at(one, 4, 0)];

test('the lowest rate first, then by id; with class, school and numbers', async () => {
  const { body } = await list(one.admin);
  assert.equal(
    body.items.map(({ assignmentId }) => assignmentId),
    inOrder(),
  );
  const [pupil] = one.pupils;
  assert.equal(body.items.at(-1), {
    ...{ studentId: pupil?.id, classId: pupil?.classRow.id, schoolId: pupil?.classRow.schoolId },
    ...{ assignmentId: one.ids[0], bundle_id: 'BND-DECODE-01', completeWeeks: 4, planned: 12, credited: 9, rate: 0.75 },
  });
  assert.is(body.nextCursor, null);
});

test('page by page, over equal rates', async () => {
  const found: unknown[] = [];
  for (let cursor: string | null = '', pages = 0; cursor !== null; pages += 1) {
    const { body } = await list(one.admin, `limit=1${cursor && `&cursor=${cursor}`}`);
    assert.ok(pages < 5 && body.items.length === 1);
    found.push(body.items[0]?.assignmentId);
    cursor = body.nextCursor;
  }
  assert.equal(found, inOrder());
  for (const cursor of ['x', 'WyJhIiwiYiJd']) assert.is((await list(one.admin, `cursor=${cursor}`)).status, 422);
});

test('minWeeks: the least number of complete weeks, 3 by default', async () => {
  assert.is((await idsIn(one.admin, 'minWeeks=4')).length, 4);
  assert.equal(await idsIn(one.admin, 'minWeeks=5'), []);
  for (const minWeeks of ['0', '21', 'x']) assert.is((await list(one.admin, `minWeeks=${minWeeks}`)).status, 422);
});

test('an administrator sees the own organization, the backoffice all or one', async () => {
  assert.equal(await idsIn(other.admin), at(other, 0));
  const all = await idsIn(superToken);
  const [first, second, ...rest] = inOrder();
  assert.equal(all, [first, second, other.ids[0], ...rest]);
  const ownId = other.pupils[0]?.organizationId;
  assert.equal(await idsIn(superToken, `organizationId=${ownId}`), at(other, 0));
  assert.equal(await idsIn(other.admin, `organizationId=${ownId}`), at(other, 0));
  const refused = await list(one.admin, `organizationId=${ownId}`);
  assert.equal([refused.status, refused.body.code], [404, 'NOT_FOUND']);
  assert.is((await list(superToken, `organizationId=${newId()}`)).status, 404);
});

test('schoolId: of that school; of another organization it is unknown', async () => {
  const [pupil] = one.pupils;
  const { organizationId, classRow } = pupil as Pupil;
  assert.equal(await idsIn(one.admin, `schoolId=${classRow.schoolId}`), inOrder());
  const empty = await buildSchool(owner, { organizationId });
  assert.equal(await idsIn(one.admin, `schoolId=${empty.id}`), []);
  assert.equal(await idsIn(superToken, `schoolId=${classRow.schoolId}`), inOrder());
  assert.is((await list(other.admin, `schoolId=${classRow.schoolId}`)).status, 404);
  const elsewhere = `organizationId=${other.pupils[0]?.organizationId}&schoolId=${classRow.schoolId}`;
  assert.is((await list(superToken, elsewhere)).status, 404);
});

test('teachers, principals and others have no such list', async () => {
  const [pupil] = one.pupils;
  assert.is((await list((pupil as Pupil).token)).status, 403);
});

test('an ended assignment is left out at once', async () => {
  const [assignmentId] = at(one, 4);
  await plans.review(one.pupils[4] as Pupil, { assignmentId, action: 'stop', reasonCode: 'Not_Suitable' });
  assert.not.ok((await idsIn(one.admin)).includes(assignmentId as string));
});

test('both ways of asking are answered in the order of an index', async () => {
  for (const where of ["and organization_id = 'a'", '']) {
    const lines: string[] = await owner.transaction(async (trx) => {
      await trx.raw('set local enable_seqscan = off');
      const { rows } = await trx.raw(`explain select assignment_id from fidelity_current
        where open and gate = 'fail' ${where} order by rate, assignment_id limit 25`);
      return rows.map((row: Json) => String(Object.values(row)[0]));
    });
    assert.match(lines.join(' '), /Index (Only )?Scan using fidelity_current_low/);
    assert.not.match(lines.join(' '), /Sort/);
  }
});

test.run();
