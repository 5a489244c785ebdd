// A class at a glance over HTTP: live and student by student for teachers, as published for managers, and who may ask for what.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { appendRelease } from '#outcomes/aggregates/releases/rows/publish.ts';
import { buildPrincipal, buildUser, type SchoolRow, signIn } from '../../harness/factories.ts';
import { sentStatements } from '../../harness/statements/sent-statements.ts';
import { allRight, type Pupil, usePlans, wordsWrong } from '../../support/interventions/workflow/draft-bodies.ts';

const test = suite('class summary');
const plans = usePlans(test);
const { app } = plans.shell;
const { owner } = app.database;

interface Tile {
  readonly tileCode: string;
  readonly counts: Readonly<Record<string, number | null>>;
  readonly students: readonly { readonly studentId: number; readonly status: string }[];
}
interface Summary {
  readonly studentCount: number;
  readonly asOf: string | null;
  readonly basis?: string;
  readonly release?: object | null;
  readonly macroTiles: readonly Tile[];
  readonly moreDataNeeded: { readonly count: number; readonly students: readonly { readonly studentId: number }[] };
}

const read = (of: Pupil, token = of.token, query = '') =>
  app.get<Summary>(`/api/reports/classes/${of.classRow.id}/class-summary${query}`, { token });

const named = (pupil: Pupil, fullNameAr: string) => owner('app_user').where({ id: pupil.id }).update({ fullNameAr });

test('each student stands in six tiles or under more data, in Arabic alphabetical order', async () => {
  const strong = await plans.pupil(allRight);
  const weak = await plans.classmate(strong, wordsWrong);
  const halted = await plans.classmate(strong, { ...allRight, LK_FORM: 'CC' });
  const never = await plans.classmate(strong, null);
  await Promise.all([named(strong, 'ياسر علي'), named(weak, 'أحمد سعيد'), named(halted, 'هند'), named(never, 'باسم')]);
  const { body } = await read(strong);
  assert.equal([body.studentCount, body.asOf], [4, app.clock.now().toISOString()]);
  assert.equal(body.moreDataNeeded, {
    count: 2,
    students: [
      { studentId: never.id, fullNameAr: 'باسم', nextRecommendedDataAction: 'run_diagnostic' },
      { studentId: halted.id, fullNameAr: 'هند', nextRecommendedDataAction: 'administer_more_items' },
    ],
  });
  const words = ['Severe', 'Below', 'Contextual', 'Partial', 'Approaching', 'Meets', 'Not_Assessed'];
  assert.is(body.macroTiles.length, 6);
  for (const { tileCode, counts, students } of body.macroTiles) {
    assert.equal(Object.keys(counts), words);
    assert.equal(
      students.map(({ studentId }) => studentId),
      [weak.id, strong.id],
    );
    for (const word of words)
      assert.is(counts[word], students.filter(({ status }) => status === word).length, `${tileCode} ${word}`);
  }
  const reading = body.macroTiles.find(({ tileCode }) => tileCode === 'WORD_READING');
  const { body: status } = await app.get<{ tiles: { tileCode: string; status: string }[] }>(
    `/api/sse/students/${weak.id}/domain-status`,
    { token: strong.token },
  );
  assert.is(reading?.students[0]?.status, status.tiles.find(({ tileCode }) => tileCode === 'WORD_READING')?.status);
});

test('managers read what was published, the same bytes for everybody, and nothing before it was', async () => {
  const pupil = await plans.pupil();
  const { organizationId, classRow } = pupil;
  const asOf = new Date('2026-01-10T00:00:00.000Z');
  const principal = await buildPrincipal(owner, { id: classRow.schoolId, organizationId } as SchoolRow);
  const tokens = await Promise.all(
    [
      await buildUser(owner, 'MANAGER', { organizationId }),
      await buildUser(owner, 'ADMIN', { organizationId }),
      principal,
    ].map((one) => signIn(app, one)),
  );
  const manager = async (token = tokens[0]) => (await read(pupil, token, '?audience=manager')).body;
  const before = await manager();
  assert.equal([before.basis, before.release, before.asOf, before.studentCount], ['released', null, null, 0]);
  assert.ok(before.macroTiles.every(({ counts }) => Object.values(counts).every((count) => count === null)));
  const counts = { Meets: 9, Approaching: null, Below: null, Severe: 6, More_Data: 5 };
  const cell = {
    unit: 'class',
    unitId: String(classRow.id),
    space: 'tile',
    subject: 'FLUENCY',
    students: 25,
    counts,
  } as const;
  await inContext(app.services.db, { organizationId }, (trx) =>
    appendRelease(
      trx,
      {
        ...{ organizationId, unit: 'school', unitId: classRow.schoolId, schoolYear: '2025-2026', season: 'MOY' },
        ...{ releasedAt: app.clock.now(), asOf, ruleVersions: { 'dsm/dsm': 2 } },
      },
      { cells: [cell], counts: [] },
    ),
  );
  const published = await manager();
  assert.equal(published.macroTiles.find(({ tileCode }) => tileCode === 'FLUENCY')?.counts, counts);
  assert.equal(
    [published.studentCount, published.asOf, published.release],
    [25, asOf.toISOString(), { schoolYear: '2025-2026', season: 'MOY', releasedAt: app.clock.now().toISOString() }],
  );
  for (const token of tokens) assert.equal(await manager(token), published);
  assert.not.ok('moreDataNeeded' in published);
});

test('who sees students and who sees counts are different people, and there is no third audience', async () => {
  const pupil = await plans.pupil();
  const { organizationId, classRow } = pupil;
  const principal = await buildPrincipal(owner, { id: classRow.schoolId, organizationId } as SchoolRow);
  const of = async (persona: 'MANAGER' | 'TEACHER' | 'PRINCIPAL') =>
    signIn(app, await buildUser(owner, persona, { organizationId }));
  const expected: [string, string, number, number][] = [
    ['its teacher', pupil.token, 200, 403],
    ['its principal', await signIn(app, principal), 200, 200],
    ['an administrator', await plans.admin(pupil), 200, 200],
    ['a manager', await of('MANAGER'), 403, 200],
    ['a teacher elsewhere', await of('TEACHER'), 403, 403],
    ['a principal elsewhere', await of('PRINCIPAL'), 403, 403],
    ['a stranger', (await plans.pupil()).token, 404, 404],
  ];
  for (const [who, token, teacher, manager] of expected) {
    const statuses = [await read(pupil, token), await read(pupil, token, '?audience=manager')];
    assert.equal(
      statuses.map(({ status }) => status),
      [teacher, manager],
      who,
    );
  }
  for (const query of ['?audience=parent', '?audience=teacher&audience=manager', '?season=BOY'])
    assert.is((await read(pupil, pupil.token, query)).status, 422, query);
});

test('a class of many costs as many statements as a class of one', async () => {
  const first = await plans.pupil();
  const cost = async () => (await sentStatements(app.services.db, () => read(first))).length;
  const one = await cost();
  for (let more = 0; more < 4; more++) await plans.classmate(first, null);
  assert.is(await cost(), one);
  assert.ok(one <= 6, String(one));
});

test.run();
