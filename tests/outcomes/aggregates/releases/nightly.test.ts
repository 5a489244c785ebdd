// What the nights publish: each unit once a season, in its night, from what was measured by then, whatever comes later,
// the one who works at the same time, and whatever fails or is killed meanwhile.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { nightlyRelease } from '#outcomes/aggregates/releases/nightly.ts';
import { rebuildOrganization } from '#outcomes/aggregates/rollups/rebuild.ts';
import { useApp } from '../../../harness/http.ts';
import { buildSchools, type EvaluatedSchool, type EvaluatedSchools, storeEvaluations } from './evaluated-schools.ts';

const app = useApp(test, { rules: true });
const { clock, services, database } = app;
const { owner } = database;

/** The seasons end with November, March and July. */
const inAutumn = '2025-11-20T09:00:00.000Z';
/** Two o'clock in Riyadh. */
const firstNight = '2025-11-30T23:00:00.000Z';

/** Six tiles, sufficiency, each assignable bundle, and quadrants. */
const subjects = 6 + 1 + 23 + 1;

const studentsOf = ({ classes }: EvaluatedSchool) => classes.flatMap(({ students }) => students);

const cycle = ['Meets', 'Meets', 'Approaching', 'Below', 'Meets', 'Severe', 'More_Data'];
const evaluations = (students: readonly number[]) =>
  students.map((studentId, at) => ({ studentId, bands: cycle[at % cycle.length] ?? '', sufficient: at % 3 > 0 }));

const measure = (schools: EvaluatedSchools, students: readonly number[], at = inAutumn) =>
  storeEvaluations(owner, schools.organizationId, evaluations(students), { at });

async function night(organizationId: string, at: string): Promise<void> {
  clock.set(at);
  await rebuildOrganization(services, organizationId);
  await nightlyRelease(services, { organizationId, date: localDate(new Date(at), 'Asia/Riyadh') });
}

interface Out {
  readonly unitId: string;
  readonly season: string;
  readonly releasedAt: string;
}

const out = (organizationId: string): Promise<Out[]> =>
  owner('aggregate_release').where({ organizationId }).orderBy('ledgerNo').select('unitId', 'season', 'releasedAt');

const unitsOut = async (organizationId: string) => (await out(organizationId)).map(({ unitId }) => unitId);

/** All that was ever written of an organization. */
async function everything(organizationId: string) {
  const tables = ['aggregate_release', 'aggregate_cell', 'aggregate_count'];
  return Promise.all(tables.map((table) => owner(table).where({ organizationId }).orderBy('ledgerNo')));
}

const cellOf = async (organizationId: string, unitId: string | number, subject = 'FOUNDATIONS') => {
  const cell = await owner('aggregate_cell')
    .where({ organizationId, unitId: String(unitId), subject })
    .first('students', 'counts');
  return cell as { readonly students: number; readonly counts: Readonly<Record<string, number | null>> } | undefined;
};

test('a school is out in the first night after nine of ten were measured, and a class of four neither waits nor counts', async () => {
  const schools = await buildSchools(owner, [[10, 10, 4], [10]]);
  const { organizationId } = schools;
  const [school] = schools.schools as [EvaluatedSchool];
  const counted = studentsOf(school).slice(0, 20);
  await measure(schools, counted.slice(0, 17));
  await night(organizationId, '2025-11-20T23:00:00.000Z');
  assert.equal(await unitsOut(organizationId), []);
  await measure(schools, counted.slice(17, 18));
  await night(organizationId, '2025-11-21T23:00:00.000Z');
  const once = await everything(organizationId);
  assert.equal(await unitsOut(organizationId), [school.id]);
  assert.is((await cellOf(organizationId, school.id))?.students, 20);
  const small = await cellOf(organizationId, school.classes[2]?.id ?? 0);
  assert.equal([small?.students, new Set(Object.values(small?.counts ?? {}))], [0, new Set([null])]);
  await night(organizationId, '2025-11-22T23:00:00.000Z');
  assert.equal(await everything(organizationId), once);
});

test('in the first night after the season all other schools are out, and then the organization, the sum of them', async () => {
  const schools = await buildSchools(owner, [[14, 14], [28], [7, 21, 14]]);
  const { organizationId } = schools;
  await measure(
    schools,
    schools.schools.flatMap(studentsOf).filter((_, at) => at % 5 > 0),
  );
  await night(organizationId, '2025-11-29T23:00:00.000Z');
  assert.equal(await unitsOut(organizationId), []);
  await night(organizationId, firstNight);
  const [one, other, large] = schools.schools.map(({ id }) => id) as [string, string, string];
  const ids = [...[one, other].toSorted(), large];
  assert.equal(await unitsOut(organizationId), [...ids, organizationId]);
  assert.equal(new Set((await out(organizationId)).map(({ season }) => season)), new Set(['BOY']));
  const ofSchools = await Promise.all(ids.map((id) => cellOf(organizationId, id)));
  const whole = await cellOf(organizationId, organizationId);
  assert.equal([ofSchools.map((cell) => cell?.students), whole?.students], [ids.map((id) => sizeOf(schools, id)), 98]);
});

const sizeOf = ({ schools }: EvaluatedSchools, id: string) =>
  studentsOf(schools.find((one) => one.id === id) as EvaluatedSchool).length;

test('the smallest school of a night is published first, and a larger one suppresses what lets the organization show everything', async () => {
  const schools = await buildSchools(owner, [[71], [67]]);
  const [large, small] = schools.schools as [EvaluatedSchool, EvaluatedSchool];
  const bands = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).flatMap(([band, many]) => Array.from({ length: many }, () => band));
  for (const [school, counts] of [
    [large, { Meets: 60, Approaching: 6, Below: 5 }],
    [small, { Meets: 35, Approaching: 30, Below: 2 }],
  ] as const) {
    const ofStudents = bands(counts);
    const evaluatedRows = studentsOf(school).map((studentId, at) => ({ studentId, bands: ofStudents[at] ?? '' }));
    await storeEvaluations(owner, schools.organizationId, evaluatedRows, { at: inAutumn });
  }
  await night(schools.organizationId, firstNight);
  const { organizationId } = schools;
  assert.equal(await unitsOut(organizationId), [small.id, large.id, organizationId]);
  const shownOf = async (id: string) => (await cellOf(organizationId, id))?.counts;
  const onlyMeets = (Meets: number) => ({ Meets, Approaching: null, Below: null, Severe: null, More_Data: null });
  assert.equal([await shownOf(small.id), await shownOf(large.id)], [onlyMeets(35), onlyMeets(60)]);
  const all = { Meets: 95, Approaching: 36, Below: 7, Severe: 0, More_Data: 0 };
  assert.equal(await shownOf(organizationId), all);
});

test('what comes later changes nothing that is out: results, moves, a missed night and the season after', async () => {
  const schools = await buildSchools(owner, [[12, 9], [15]]);
  const { organizationId } = schools;
  const all = schools.schools.flatMap(studentsOf);
  await measure(schools, all.slice(0, 30));
  await night(organizationId, '2025-12-09T23:00:00.000Z');
  const once = await everything(organizationId);
  assert.is((await unitsOut(organizationId)).length, 3);
  await measure(schools, all.toReversed(), '2025-11-29T09:00:00.000Z');
  const [school] = schools.schools as [EvaluatedSchool];
  const [from, to] = school.classes;
  await owner('enrollment').where({ organizationId, studentId: from?.students[0] }).update({ classId: to?.id });
  await night(organizationId, '2025-12-10T23:00:00.000Z');
  assert.equal(await everything(organizationId), once);
  await night(organizationId, '2026-03-31T23:00:00.000Z');
  const [releases, cells, counts] = await everything(organizationId);
  assert.equal([releases?.length, releases?.slice(0, 3)], [6, once[0]]);
  assert.equal([cells?.slice(0, once[1]?.length), counts?.slice(0, once[2]?.length)], [once[1], once[2]]);
});

test('of workers at one time each finds out what another one has published: nothing twice, nothing by halves', async () => {
  const schools = await buildSchools(owner, [[12, 9], [15], [5]]);
  const { organizationId } = schools;
  await measure(schools, schools.schools.flatMap(studentsOf));
  clock.set(firstNight);
  const date = '2025-12-01';
  await Promise.all([1, 2, 3].map(() => nightlyRelease(services, { organizationId, date })));
  const units = await unitsOut(organizationId);
  assert.equal([units.length, new Set(units).size, units.at(-1)], [4, 4, organizationId]);
  const classes = schools.schools.flatMap((school) => school.classes);
  const [, cells] = await everything(organizationId);
  assert.is(cells?.length, subjects * (classes.length + 4));
});

test('a school that fails keeps back no other one; its organization waits, and follows once it is out', async () => {
  const schools = await buildSchools(owner, [[12], [15], [9]]);
  const { organizationId } = schools;
  const [bad] = schools.schools as [EvaluatedSchool];
  await measure(schools, schools.schools.flatMap(studentsOf));
  const runs = () => owner('sse_run').whereIn('studentId', [...studentsOf(bad)]);
  const before: { tiles: unknown } = await runs().first('tiles');
  await owner.raw('alter table sse_run disable trigger user');
  await runs().update({ tiles: JSON.stringify(null) });
  clock.set(firstNight);
  const turn = { organizationId, date: '2025-12-01' };
  const failure: unknown = await nightlyRelease(services, turn).catch((error: unknown) => error);
  assert.ok(failure instanceof Error);
  const others = schools.schools.slice(1).map(({ id }) => id);
  assert.equal((await unitsOut(organizationId)).toSorted(), others.toSorted());
  await runs().update({ tiles: JSON.stringify(before.tiles) });
  await nightlyRelease(services, turn);
  assert.equal((await unitsOut(organizationId)).slice(2), [bad.id, organizationId]);
});

test('a season is over by the clocks of the school: one in the west has its turn a night later', async () => {
  const schools = await buildSchools(owner, [[9]], { school: { timeZone: 'America/New_York' } });
  const { organizationId } = schools;
  await night(organizationId, firstNight);
  assert.equal(await unitsOut(organizationId), []);
  await night(organizationId, '2025-12-01T23:00:00.000Z');
  assert.equal(await unitsOut(organizationId), [schools.schools[0]?.id, organizationId]);
});

test('an organization without schools is published without cells, and units created after the season are not published', async () => {
  const { organizationId } = await buildSchools(owner, []);
  await night(organizationId, firstNight);
  const [releases, cells] = await everything(organizationId);
  assert.equal([releases?.length, cells], [1, []]);
  const late = await buildSchools(owner, [[9]], { organization: { createdAt: new Date('2025-12-05T00:00:00.000Z') } });
  await night(late.organizationId, '2025-12-09T23:00:00.000Z');
  assert.equal(await unitsOut(late.organizationId), []);
});

test.run();
