// Current counts of a school, for callers who may read its children, compared with the reads of the children.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { enroll } from '#identity/people/classes/enrollment.ts';
import { SchoolClass } from '#identity/people/index.ts';
import {
  buildClass,
  buildSchool,
  buildStudent,
  type ClassRow,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { decodingNeed, firstPart, halting } from '../../../support/interventions/classroom.ts';
import { bands, type Readers, tileCodes, useCountReads } from './readers.ts';

const reads = useCountReads(test);
const { app, services, http, measure, catchUp, read } = reads;
const { owner } = app.database;

interface Cell {
  readonly tileCode: string;
  readonly nameAr?: string;
  readonly students: number;
  readonly counts: Readonly<Record<string, number | null>>;
  readonly suppressed: boolean;
}

interface Overview {
  readonly basis: string;
  readonly release: unknown;
  readonly asOf: string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly classes: number;
  readonly students: number;
  readonly coverage: unknown;
  readonly sufficiency: Readonly<Record<string, unknown>>;
  readonly tiles: readonly Cell[];
}

interface Heatmap {
  readonly basis: string;
  readonly columns: readonly { readonly tileCode: string; readonly nameAr: string }[];
  readonly rows: readonly {
    readonly classId: number;
    readonly name: string;
    readonly grade: number;
    readonly students: number;
    readonly cells: readonly Cell[];
  }[];
}

interface Status {
  readonly halted: boolean;
  readonly tiles: readonly { readonly tileCode: string; readonly status: string; readonly applicable: boolean }[];
}

interface World {
  readonly organizationId: string;
  readonly schoolId: string;
  /** In the order in which they are shown, the one without students at the end. */
  readonly classes: readonly ClassRow[];
  /** By index of the class. */
  readonly students: readonly (readonly UserRow[])[];
  readonly by: Readers;
}

let world: World;

/** Grade 1: a class of four, one of whom is halted and one never measured; grade 2: two classes; and an archived one. */
async function buildWorld(): Promise<World> {
  const room = await reads.room({ name: 'ب', grade: 2 });
  const { organizationId, classRow } = room;
  const { schoolId } = classRow;
  const of = (overrides: object) => buildClass(owner, { organizationId, schoolId, ...overrides });
  const four = await of({ name: 'ي', grade: 1 });
  const first = await of({ name: 'أ', grade: 2 });
  const empty = await of({ name: 'أ', grade: 3 });
  await of({ name: 'قديم', grade: 1, archivedAt: app.clock.now() });
  const classes = [four, first, classRow, empty];
  const students = await Promise.all(
    [4, 3, 5, 0].map((size, at) =>
      Promise.all(Array.from({ length: size }, () => buildStudent(owner, classes[at] as ClassRow))),
    ),
  );
  const [ofFour = [], ofFirst = [], ofSecond = []] = students;
  await measure(ofSecond.slice(0, 2), firstPart());
  await measure([...ofSecond.slice(2, 4), ...ofFirst.slice(0, 2)], decodingNeed);
  app.clock.advance(60_000);
  await measure(ofFour.slice(0, 1), firstPart());
  await measure(ofFour.slice(1, 2), { ...firstPart(), ...halting });
  await measure(ofFour.slice(2, 3), decodingNeed);
  await reads.catchUp(organizationId);
  const by = await reads.readers({ id: schoolId, organizationId });
  return { organizationId, schoolId, classes, students, by };
}

test.before(async () => {
  world = await buildWorld();
});

const overviewOf = async (token: string, schoolId = world.schoolId): Promise<Overview> => {
  const { status, body } = await read<Overview>(`/api/principal/schools/${schoolId}/overview`, token);
  assert.is(status, 200, JSON.stringify(body));
  return body;
};
const heatmapOf = async (token: string, schoolId = world.schoolId): Promise<Heatmap> => {
  const { status, body } = await read<Heatmap>(`/api/principal/schools/${schoolId}/heatmap`, token);
  assert.is(status, 200, JSON.stringify(body));
  return body;
};

/** Counted from the reads of each child. */
async function countedOneByOne(students: readonly UserRow[], token: string): Promise<Map<string, number[]>> {
  const statuses = await Promise.all(
    students.map(async ({ id }) => {
      const { status, body } = await http.get<Status>(`/api/sse/students/${id}/domain-status`, { token });
      assert.is(status, 200, JSON.stringify(body));
      return body;
    }),
  );
  return new Map(
    tileCodes.map((code) => {
      const words = statuses.map((one) => {
        const value = one.halted ? undefined : one.tiles.find(({ tileCode }) => tileCode === code)?.status;
        return bands.find((band) => band === value) ?? 'More_Data';
      });
      return [code, bands.map((band) => words.filter((word) => word === band).length)];
    }),
  );
}

const numbersOf = ({ counts }: Cell) => bands.map((band) => counts[band]);

test('a heatmap agrees with the reads of the children of each class, by grade, name and id', async () => {
  const { classes, students, by } = world;
  const { columns, rows } = await heatmapOf(by.principal);
  assert.equal(
    columns.map(({ tileCode }) => tileCode),
    tileCodes,
  );
  assert.equal(
    rows.map(({ classId, grade, students: size }) => [classId, grade, size]),
    classes.map(({ id }, at) => [id, [1, 2, 2, 3][at], students[at]?.length]),
  );
  for (const [at, row] of rows.entries()) {
    const expected = await countedOneByOne(students[at] ?? [], by.admin);
    assert.equal(
      row.cells.map(({ tileCode }) => tileCode),
      tileCodes,
    );
    for (const cell of row.cells) {
      assert.is(cell.suppressed, false);
      assert.is(cell.nameAr, undefined);
      // Whom a tile has no sub-skills for it does not count.
      if (cell.students === 0) assert.equal(numbersOf(cell), [0, 0, 0, 0, 0]);
      else assert.equal([row.students, numbersOf(cell)], [cell.students, expected.get(cell.tileCode)]);
    }
  }
  assert.ok(rows.flatMap(({ cells }) => cells).some(({ counts }) => Number(counts.Severe) > 0));
});

test('an overview is its classes added up, whole and exact, small counts and a class of four too', async () => {
  const { by, students } = world;
  const overview = await overviewOf(by.principal);
  const { rows } = await heatmapOf(by.principal);
  assert.equal([overview.basis, overview.release, overview.classes, overview.students], ['live', null, 4, 12]);
  for (const tile of overview.tiles) {
    const own = rows.map(({ cells }) => cells.find(({ tileCode }) => tileCode === tile.tileCode) as Cell);
    const sums = bands.map((band) => own.reduce((sum, { counts }) => sum + Number(counts[band]), 0));
    assert.equal([numbersOf(tile), tile.suppressed], [sums, false], tile.tileCode);
    assert.is(
      tile.students,
      own.reduce((sum, cell) => sum + cell.students, 0),
    );
  }
  const asked = await Promise.all(
    students.flat().map(({ id }) => http.get<{ outcome?: string }>(`/api/students/${id}/profile`, { token: by.admin })),
  );
  const sufficient = asked.filter(({ status, body }) => status === 200 && body.outcome === 'resolved').length;
  assert.equal(overview.sufficiency, { sufficient, insufficient: 12 - sufficient, contextual: 0, suppressed: false });
  assert.ok(sufficient > 0 && sufficient < 9);
  // Nine were measured, in the season of January.
  assert.equal(overview.coverage, { season: 'MOY', measured: 9, share: 0.75 });
  assert.is(overview.asOf, app.clock.now().toISOString());
  assert.ok(Number(overview.ruleVersions['ssr/ssr']) >= 1);
});

test('who may read each child gets the same live answer, a manager what was published, and all others nothing', async () => {
  const { by, organizationId, schoolId, classes } = world;
  const live = await overviewOf(by.principal);
  for (const token of [by.admin, by.superAdmin]) assert.equal(await overviewOf(token), live);
  const released = await overviewOf(by.manager);
  assert.equal([released.basis, released.release, released.asOf, released.ruleVersions], ['released', null, null, {}]);
  for (const tile of released.tiles)
    assert.equal([numbersOf(tile), tile.suppressed, tile.students], [[null, null, null, null, null], true, 0]);
  const none = { sufficient: null, insufficient: null, contextual: null, suppressed: true };
  assert.equal([released.sufficiency, released.coverage], [none, live.coverage]);
  const cells = (await heatmapOf(by.manager)).rows.flatMap((row) => row.cells);
  assert.ok(cells.length === 24 && cells.every(({ counts }) => Object.values(counts).every((count) => count === null)));
  const elsewhere = await buildSchool(owner, { organizationId });
  const foreign = await reads.readers(await buildSchool(owner));
  const other = await reads.readers(elsewhere);
  const teacher = await signIn(app, (await owner('app_user').where({ organizationId, primaryPersona: 'TEACHER' }))[0]);
  const student = await signIn(app, world.students[0]?.[0] as UserRow);
  for (const part of ['overview', 'heatmap']) {
    const path = `/api/principal/schools/${schoolId}/${part}`;
    for (const token of [other.principal, teacher, student]) assert.is((await read(path, token)).status, 403, part);
    for (const token of [foreign.principal, foreign.admin, foreign.manager])
      assert.is((await read(path, token)).status, 404, part);
  }
  assert.is(classes.length, 4);
});

test('a school without classes, and one whose only class is empty, count zero students', async () => {
  const { organizationId } = world;
  const school = await buildSchool(owner, { organizationId });
  const { admin } = world.by;
  const nothing = async (classes: number) => {
    const overview = await overviewOf(admin, school.id);
    assert.equal([overview.classes, overview.students, overview.asOf], [classes, 0, null]);
    assert.equal(overview.coverage, { season: 'MOY', measured: 0, share: null });
    assert.ok(overview.tiles.every(({ students, counts }) => students === 0 && counts.More_Data === 0));
    assert.is((await heatmapOf(admin, school.id)).rows.length, classes);
  };
  await nothing(0);
  await buildClass(owner, { organizationId, schoolId: school.id, grade: 2 });
  await catchUp(organizationId);
  await nothing(1);
});

test('a school of one class: moves of one day are read as they stand in the evening', async () => {
  const { organizationId, by } = world;
  const school = await buildSchool(owner, { organizationId });
  const only = await buildClass(owner, { organizationId, schoolId: school.id, grade: 2 });
  const guest = world.students[1]?.[0] as UserRow;
  const home = world.classes[1] as ClassRow;
  const moveTo = (target: ClassRow) =>
    inContext(services.db, { organizationId }, async (trx) => {
      const row = await SchoolClass.query(trx).findById(target.id).throwIfNotFound();
      await enroll(trx, row, [guest.id], app.clock.now());
    });
  const sizes = async () => {
    await catchUp(organizationId);
    return [(await overviewOf(by.admin, school.id)).students, (await overviewOf(by.admin)).students];
  };
  for (const target of [only, home, only]) await moveTo(target);
  assert.equal(await sizes(), [1, 11]);
  const [{ cells } = { cells: [] }] = (await heatmapOf(by.admin, school.id)).rows;
  const expected = await countedOneByOne([guest], by.admin);
  assert.equal(
    cells.map(numbersOf),
    tileCodes.map((code) => expected.get(code)),
  );
  await moveTo(home);
  assert.equal(await sizes(), [0, 12]);
});

test('the season of a school is that of its own clocks, the season of its organization that of the organization', async () => {
  const { organizationId, by } = world;
  const school = await buildSchool(owner, { organizationId, timeZone: 'Pacific/Auckland' });
  const before = app.clock.now();
  // The first of April in Auckland, the last of March in Riyadh.
  app.clock.set('2026-03-31T12:30:00.000Z');
  const token = (await reads.readers(school)).admin;
  const season = ({ coverage }: { readonly coverage?: unknown }) => (coverage as { season: string }).season;
  assert.is(season(await overviewOf(token, school.id)), 'EOY');
  assert.is(season((await read(`/api/orgs/${organizationId}/overview`, token)).body), 'MOY');
  app.clock.set(before);
  assert.ok(by.admin);
});

test.run();
