// Released outcomes of bundles and quadrants of support, for callers who may read counts of the unit.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewCell } from '#outcomes/aggregates/releases/rows/publish.ts';
import { buildPrincipal, buildSchool, buildTeacher, type SchoolRow, signIn } from '../../../harness/factories.ts';
import { newestRun, type Readers, stamp, useCountReads } from './readers.ts';

const reads = useCountReads(test);
const { app, read } = reads;
const { owner } = app.database;

let school: SchoolRow;
let sibling: SchoolRow;
let by: Readers;
let teacher: string;

test.before(async () => {
  const { classRow, organizationId } = await reads.room();
  school = { id: classRow.schoolId, organizationId };
  sibling = await buildSchool(owner, { organizationId });
  by = await reads.readers(school);
  teacher = await signIn(app, await buildTeacher(owner, classRow, 'SECONDARY'));
});

const effectPath = (query = '', bundleId = 'BND-DECODE-01') => `/api/bundles/${bundleId}/effect${query}`;
const ofSchool = () => effectPath(`?schoolId=${school.id}`);

const results = ['goals_met', 'goals_not_met'] as const;
const gates = ['not_applicable', 'pass', 'fail'] as const;
const effects = results.flatMap((completionResult) => gates.map((gate) => ({ completionResult, gate })));
const cellsOf = (...numbers: readonly (number | null)[]) =>
  effects.map((effect, at) => ({ ...effect, students: numbers[at] ?? null }));

const effectCell = (unitId: string, subject: string, students: number, counts: NewCell['counts']): NewCell => ({
  ...({ unit: unitId === school.organizationId ? 'organization' : 'school', space: 'bundle_effect' } as const),
  ...{ unitId, subject, students, counts },
});
const squareCell = (unitId: string, students: number, counts: NewCell['counts']): NewCell => ({
  ...effectCell(unitId, '', students, counts),
  space: 'square',
});

const season = { schoolYear: '2025-2026', season: 'BOY' } as const;
const head = (releasedAt: string) => ({
  ...{ basis: 'released', release: { ...season, releasedAt }, asOf: newestRun, ruleVersions: stamp },
});
const noHead = { basis: 'released', release: null, asOf: null, ruleVersions: {} };
const quadrantNames = ['not_applicable', 'pass', 'fail'].flatMap((delivery) =>
  ['unknown', 'below', 'mixed', 'above'].map((response) => `${delivery}_${response}`),
);
const allHidden = Object.fromEntries(quadrantNames.map((name) => [name, null]));

async function answer(path: string, token: string) {
  const { status, body } = await read(path, token);
  assert.is(status, 200, JSON.stringify(body));
  return body;
}

test('before the first release every count is null', async () => {
  const nothing = { students: 0, cells: cellsOf(), withoutCompletion: null, suppressed: true };
  const reported = { bundle_id: 'BND-DECODE-01', ...noHead, ...nothing };
  assert.equal(await answer(ofSchool(), by.principal), { ...reported, schoolId: school.id });
  assert.equal(await answer(effectPath(), by.manager), { ...reported, schoolId: null });
  const path = `/api/principal/schools/${school.id}/overview`;
  const { squares } = await answer(`${path}?squares=true`, by.principal);
  const none = { students: 0, counts: allHidden, withoutSquare: null, suppressed: true };
  assert.equal(squares, { ...noHead, ...none });
  assert.not('squares' in (await answer(path, by.principal)));
});

test('a released cell is read by unit and bundle, equal for all callers and never live', async () => {
  const { organizationId, id: schoolId } = school;
  const [first, second] = ['2025-11-21T23:00:00.000Z', '2025-11-30T23:00:00.000Z'];
  const counts = { goals_met_pass: 12, goals_met_fail: null, goals_not_met_pass: null, goals_not_met_fail: 6 };
  const zero = { goals_met_not_applicable: 0, goals_not_met_not_applicable: 0 };
  await reads.publish({
    ...{ organizationId, schoolId, ...season, releasedAt: first },
    cells: [
      effectCell(schoolId, 'BND-DECODE-01', 40, { ...counts, ...zero, none: 15 }),
      effectCell(schoolId, 'SUP-COMP-01', 40, { none: 40 }),
      squareCell(schoolId, 40, { pass_above: 8, fail_below: null, pass_below: null, none: 25 }),
    ],
  });
  await reads.publish({
    ...{ organizationId, ...season, releasedAt: second },
    cells: [
      effectCell(organizationId, 'BND-DECODE-01', 90, { ...zero, goals_met_pass: 30, none: 60 }),
      squareCell(organizationId, 90, { pass_above: 20, none: 70 }),
    ],
  });
  const reported = {
    ...{ bundle_id: 'BND-DECODE-01', schoolId, ...head(first), students: 40 },
    ...{ cells: cellsOf(0, 12, null, 0, null, 6), withoutCompletion: 15, suppressed: true },
  };
  for (const token of [by.principal, by.admin, by.superAdmin, by.manager])
    assert.equal(await answer(ofSchool(), token), reported);
  const whole = {
    ...{ bundle_id: 'BND-DECODE-01', schoolId: null, ...head(second), students: 90 },
    ...{ cells: cellsOf(0, 30, null, 0), withoutCompletion: 60 },
  };
  const { suppressed: _, ...shown } = await answer(effectPath(), by.manager);
  assert.equal(shown, whole);
  const asSuper = await answer(effectPath(`?organizationId=${organizationId}`), by.superAdmin);
  assert.equal(asSuper, await answer(effectPath(), by.admin));
  const other = await answer(effectPath(`?schoolId=${schoolId}`, 'SUP-COMP-01'), by.principal);
  assert.equal([other.withoutCompletion, other.students], [40, 40]);
  // A bundle that cannot be assigned has no cell.
  assert.is((await answer(effectPath(`?schoolId=${schoolId}`, 'NIO-CORE-01'), by.principal)).suppressed, true);
});

test('an overview with `squares` has the released quadrants', async () => {
  const path = `/api/principal/schools/${school.id}/overview?squares=true`;
  const live = await answer(path, by.principal);
  assert.is(live.basis, 'live');
  const squares = {
    ...{ ...head('2025-11-21T23:00:00.000Z'), students: 40 },
    ...{ counts: { ...allHidden, pass_above: 8 }, withoutSquare: 25, suppressed: true },
  };
  assert.equal(live.squares, squares);
  assert.equal((await answer(path, by.manager)).squares, squares);
  const whole = await answer(`/api/orgs/${school.organizationId}/overview?squares=true`, by.manager);
  assert.equal((whole.squares as { counts: unknown }).counts, { ...allHidden, pass_above: 20 });
  assert.not('squares' in (await answer(`/api/orgs/${school.organizationId}/overview?squares=false`, by.manager)));
});

test('each reads the units whose counts are theirs, and everything else is refused as it is elsewhere', async () => {
  const elsewhere = await buildSchool(owner);
  const stranger = await signIn(app, await buildPrincipal(owner, elsewhere));
  const refused: readonly (readonly [path: string, token: string, status: number, field?: string])[] = [
    [effectPath(), by.principal, 403],
    [effectPath(`?schoolId=${sibling.id}`), by.principal, 403],
    [effectPath(`?schoolId=${elsewhere.id}`), by.principal, 404],
    [effectPath(`?schoolId=${elsewhere.id}`), by.manager, 404],
    [effectPath(`?organizationId=${elsewhere.organizationId}`), by.admin, 404],
    [effectPath(`?schoolId=${school.id}&organizationId=${elsewhere.organizationId}`), by.superAdmin, 404],
    [ofSchool(), stranger, 404],
    [ofSchool(), teacher, 403],
    [effectPath('', 'BND-NONE-01'), by.manager, 404],
    [effectPath(), by.superAdmin, 422, 'organizationId'],
    [effectPath('?schoolId=1'), by.manager, 422, 'schoolId'],
    [effectPath('?season=BOY'), by.manager, 422, 'season'],
  ];
  for (const [path, token, status, field] of refused) {
    const reply = await read<{ details?: readonly { field: string }[] }>(path, token);
    assert.equal([reply.status, reply.body.details?.[0]?.field], [status, field], path);
  }
});

test.run();
