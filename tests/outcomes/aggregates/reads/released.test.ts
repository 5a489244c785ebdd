// What was published is read as it was published: by organization, beside each other and season by season.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Season } from '#outcomes/aggregates/enums.ts';
import type { NewCell } from '#outcomes/aggregates/releases/rows/publish.ts';
import { buildClass, buildSchool, buildStudent, type SchoolRow, signIn } from '../../../harness/factories.ts';
import { countsOf, newestRun, type Readers, stamp, tileCodes, useCountReads } from './readers.ts';

const reads = useCountReads(test);
const { app, read } = reads;
const { owner } = app.database;

/** In Arabic alphabetical order, which is not that of the codes of letters: a madda is two alifs, and a hamza no letter. */
const names = ['آفاق', 'إبداع', 'أحمد', 'بدر', 'بدر', 'ياسمين'] as const;

let organizationId: string;
let schools: SchoolRow[];
let by: Readers;
const at = (place: number) => (schools[place] as SchoolRow).id;

const tile = (unitId: string, subject: string, students: number, ...numbers: (number | null)[]): NewCell => ({
  ...({ unit: unitId === organizationId ? 'organization' : 'school', unitId, space: 'tile', subject } as const),
  ...{ students, counts: countsOf(...numbers) },
});

async function buildSchools(): Promise<void> {
  const first = await buildSchool(owner, { name: names[5] });
  organizationId = first.organizationId;
  const others: SchoolRow[] = [];
  // Written in another order than they are read in.
  for (const name of names.slice(0, 5).toReversed()) others.push(await buildSchool(owner, { organizationId, name }));
  const [twinB, twinA, ...rest] = others as [SchoolRow, SchoolRow, ...SchoolRow[]];
  const twins = [twinA, twinB].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  schools = [...rest.toReversed(), ...twins, first];
  by = await reads.readers(first);
}

const season = (schoolYear: string, code: Season, releasedAt: string) => ({
  ...{ organizationId, schoolYear, season: code, releasedAt },
});

async function publishSeasons(): Promise<void> {
  const own = (students: number, ...numbers: (number | null)[]) => [
    tile(organizationId, 'WORD_READING', students, ...numbers),
  ];
  await reads.publish({ ...season('2023-2024', 'MOY', '2024-03-31T23:00:00.000Z'), cells: own(30, 6, 6, 6, 6, 6) });
  await reads.publish({ ...season('2023-2024', 'EOY', '2024-07-31T23:00:00.000Z'), cells: own(40, 8, 8, 8, 8, 8) });
  await reads.publish({
    ...season('2024-2025', 'MOY', '2025-03-31T23:00:00.000Z'),
    cells: own(50, 10, null, null, 10, 10),
  });
  const now = season('2025-2026', 'BOY', '2025-11-30T23:00:00.000Z');
  await reads.publish({
    ...now,
    cells: [...own(60, 20, null, null, 0, 10), tile(organizationId, 'WRITING', 45, 9, 9, 9, 9, 9)],
  });
  const cellsOf = [
    [25, 5, 5, 5, 5, 5],
    [30, 6, null, null, 6, 6],
    [20, null, 10, 5, 5, null],
    [0, 0, 0, 0, 0, 0],
    [35, 35, 0, 0, 0, 0],
  ] as const;
  for (const [place, [students, ...numbers]] of cellsOf.entries())
    await reads.publish({
      ...now,
      schoolId: at(place),
      cells: [tile(at(place), 'WORD_READING', students, ...numbers)],
    });
  // One school is ahead of the organization: its newer season is held against no one's.
  const ahead = season('2025-2026', 'MOY', '2026-01-14T23:00:00.000Z');
  await reads.publish({ ...ahead, schoolId: at(5), cells: [tile(at(5), 'WORD_READING', 30, 30, 0, 0, 0, 0)] });
}

test.before(async () => {
  await buildSchools();
});

const org = async <Body = Record<string, unknown>>(part: string, token = by.manager) => {
  const { status, body } = await read<Body>(`/api/orgs/${organizationId}/${part}`, token);
  assert.is(status, 200, JSON.stringify(body));
  return body;
};

interface Tile {
  readonly tileCode: string;
  readonly students: number;
  readonly counts: unknown;
  readonly suppressed: boolean;
}
interface Overview {
  readonly tiles: readonly Tile[];
  readonly [other: string]: unknown;
}
interface Comparisons {
  readonly tileCode: string | null;
  readonly release: unknown;
  readonly items: readonly {
    schoolId: string;
    name: string;
    students: number;
    value: number | null;
    suppressed: boolean;
  }[];
}
interface Trends {
  readonly from: string;
  readonly to: string;
  readonly interval: string;
  readonly points: readonly (Overview & { readonly schoolYear: string; readonly season: string })[];
}

const hiddenCounts = countsOf();
const beforeAny = { basis: 'released', release: null, asOf: null, ruleVersions: {} };
const headOf = ({ basis, release, asOf, ruleVersions }: Readonly<Record<string, unknown>>) => ({
  ...{ basis, release, asOf, ruleVersions },
});

test('before the first release everything is null, and schools are named all the same', async () => {
  const overview = await org<Overview>('overview');
  assert.equal(headOf(overview), beforeAny);
  assert.equal([overview.schools, overview.classes, overview.students], [6, 0, 0]);
  assert.equal(overview.coverage, { season: 'MOY', measured: 0, share: null });
  assert.equal(
    overview.tiles.map(({ tileCode }) => tileCode),
    tileCodes,
  );
  for (const { counts, suppressed, students } of overview.tiles)
    assert.equal([counts, suppressed, students], [hiddenCounts, true, 0]);
  const { items, release } = await org<Comparisons>('comparisons?metric=meets_share&tileCode=WORD_READING');
  assert.is(release, null);
  assert.equal(
    items.map(({ name }) => name),
    [...names],
  );
  assert.ok(items.every(({ value, suppressed, students }) => value === null && suppressed && students === 0));
  assert.equal((await org<Trends>('trends')).points, []);
});

test('the overview of an organization is its newest release, for every caller', async () => {
  await publishSeasons();
  const overview = await org<Overview>('overview');
  const release = { schoolYear: '2025-2026', season: 'BOY', releasedAt: '2025-11-30T23:00:00.000Z' };
  assert.equal(headOf(overview), { basis: 'released', release, asOf: newestRun, ruleVersions: stamp });
  assert.equal([overview.schools, overview.students], [6, 60]);
  const [, reading, fluency, , , writing] = overview.tiles;
  assert.equal([reading?.students, reading?.counts, reading?.suppressed], [60, countsOf(20, null, null, 0, 10), true]);
  assert.equal([writing?.students, writing?.counts, writing?.suppressed], [45, countsOf(9, 9, 9, 9, 9), false]);
  assert.equal([fluency?.counts, fluency?.suppressed], [hiddenCounts, true]);
  for (const token of [by.admin, by.superAdmin]) assert.equal(await org('overview', token), overview);
});

test('schools are in alphabetical order with the counts of one release; a suppressed part suppresses the share', async () => {
  const share = async (metric: string) => {
    const { items, tileCode } = await org<Comparisons>(`comparisons?metric=${metric}&tileCode=WORD_READING`);
    assert.is(tileCode, 'WORD_READING');
    assert.equal(
      items.map(({ schoolId }) => schoolId),
      schools.map(({ id }) => id),
    );
    assert.equal(
      items.map(({ name }) => name),
      [...names],
    );
    return items.map(({ students, value, suppressed }) => [students, value, suppressed]);
  };
  assert.equal(await share('meets_share'), [
    [25, 0.2, false],
    [30, 0.2, false],
    [20, null, true],
    [0, null, false],
    [35, 1, false],
    [0, null, true],
  ]);
  assert.equal(await share('support_share'), [
    [25, 0.4, false],
    [30, null, true],
    [20, 0.5, false],
    [0, null, false],
    [35, 0, false],
    [0, null, true],
  ]);
});

test('who was measured is live and exact, of every school', async () => {
  const school = schools[2] as SchoolRow;
  const classRow = await buildClass(owner, { organizationId, schoolId: school.id, grade: 2 });
  const students = [
    await buildStudent(owner, classRow),
    await buildStudent(owner, classRow),
    await buildStudent(owner, classRow),
  ];
  await reads.measure(students.slice(0, 2), { DEC_WORD: 'CCCC' });
  await reads.catchUp(organizationId);
  const body = await org<Comparisons>('comparisons?metric=measured_share');
  assert.is(body.tileCode, null);
  assert.equal(
    body.items.map(({ students: size, value, suppressed }) => [size, value, suppressed]),
    schools.map(({ id }) => (id === school.id ? [3, 0.6667, false] : [0, null, false])),
  );
  const { coverage, classes } = await org<Overview>('overview');
  assert.equal([coverage, classes], [{ season: 'MOY', measured: 2, share: 0.6667 }, 1]);
});

test('trends are seasons that began in the span, oldest first, each as it was published', async () => {
  const seasonsIn = async (query: string) => {
    const { points } = await org<Trends>(`trends${query}`);
    return points.map((point) => `${point.schoolYear} ${point.season}`);
  };
  const [eoy, moy, boy] = ['2023-2024 EOY', '2024-2025 MOY', '2025-2026 BOY'];
  // It is the 15th of January 2026: 24 months back is after the beginning of MOY 2023-2024.
  assert.equal(await seasonsIn(''), [eoy, moy, boy]);
  const { from, to, interval, points } = await org<Trends>('trends');
  assert.equal([from, to, interval], ['2024-01-15', '2026-01-15', 'season']);
  assert.equal(
    points.map(({ students }) => students),
    [40, 50, 60],
  );
  assert.equal(points[1]?.tiles[1]?.counts, countsOf(10, null, null, 10, 10));
  assert.equal(points[1]?.ruleVersions, stamp);
  assert.equal(await seasonsIn('?from=2023-12-01&to=2024-04-01'), ['2023-2024 MOY', eoy]);
  assert.equal(await seasonsIn('?from=2023-12-02&to=2024-03-31'), []);
  assert.equal(await seasonsIn('?from=2025-08-01&to=2025-08-01&interval=season'), [boy]);
  // Sixty months, to the day.
  assert.equal(await seasonsIn('?from=2020-02-29&to=2025-02-28'), ['2023-2024 MOY', eoy, moy]);
  // Years that nothing was published in are years all the same.
  assert.equal(await seasonsIn('?from=0049-01-01&to=0051-01-01'), []);
  for (const [to, begin] of [
    ['0050-03-31', '0048-03-31'],
    ['0001-01-01', '0000-01-01'],
  ]) {
    assert.is((await org<Trends>(`trends?to=${to}`)).from, begin);
  }
});

test('what cannot be asked is refused with the name of the field', async () => {
  const wrong: readonly (readonly [query: string, field: string])[] = [
    ['comparisons', 'metric'],
    ['comparisons?metric=rank', 'metric'],
    ['comparisons?metric=meets_share', 'tileCode'],
    ['comparisons?metric=support_share', 'tileCode'],
    ['comparisons?metric=meets_share&tileCode=GLOBAL', 'tileCode'],
    ['comparisons?metric=meets_share&tileCode=words', 'tileCode'],
    ['comparisons?metric=measured_share&tileCode=WORD_READING', 'tileCode'],
    ['comparisons?metric=measured_share&season=BOY', 'season'],
    ['trends?from=2026-01-02&to=2026-01-01', 'from'],
    ['trends?from=2021-01-14', 'from'],
    ['trends?from=2020-02-27&to=2025-02-28', 'from'],
    ['trends?from=2025-02-30', 'from'],
    ['trends?to=tomorrow', 'to'],
    ['trends?interval=month', 'interval'],
    ['overview?schoolId=1', 'schoolId'],
  ];
  for (const [query, field] of wrong) {
    const { status, body } = await read<{ code: string; details: { field: string }[] }>(
      `/api/orgs/${organizationId}/${query}`,
      by.manager,
    );
    assert.equal([status, body.code, body.details?.[0]?.field], [422, 'VALIDATION_ERROR', field], query);
  }
});

test('an organization is read by its managers and administrators alone', async () => {
  const elsewhere = await reads.readers(await buildSchool(owner));
  const [teacher] = await owner('app_user').where({ organizationId, primaryPersona: 'STUDENT' });
  const student = await signIn(app, teacher);
  for (const part of ['overview', 'comparisons?metric=rank', 'trends?interval=month']) {
    const path = `/api/orgs/${organizationId}/${part}`;
    for (const token of [by.principal, student]) assert.is((await read(path, token)).status, 403, part);
    for (const token of [elsewhere.manager, elsewhere.admin]) assert.is((await read(path, token)).status, 404, part);
  }
});

test.run();
