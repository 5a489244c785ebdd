// CALENDAR_EMPTY: one row for an organization with students whose calendar has no day of the school year.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildOrganization, buildSchool, buildStudent } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { installEverything } from '../../harness/rules.ts';
import { useLooking } from './audit/looking.ts';

const app = useApp(test, { ownEntries: true });
const { owner } = app.database;
const { lookAt, foundOf } = useLooking(test, app);
const check = 'CALENDAR_EMPTY';
/** In the school year from 2025-08-01 to 2026-07-31. */
const now = '2025-10-06T08:00:00.000Z';

test.before(() => installEverything(owner));

/** An organization with one student. */
async function organization(more: Partial<Parameters<typeof buildOrganization>[1]> = {}) {
  const { id } = await buildOrganization(owner, { timeZone: 'Asia/Riyadh', ...more });
  const school = await buildSchool(owner, { organizationId: id });
  await buildStudent(owner, await buildClass(owner, { organizationId: id, schoolId: school.id }));
  return id;
}

async function foundAt(organizationId: string, at: string) {
  app.clock.set(at);
  await lookAt([organizationId]);
  return (await foundOf(check)).filter((row) => row.organizationId === organizationId);
}

const setHolidays = (id: string, holidays: readonly string[]) =>
  owner('organization').where({ id }).update({ holidays });

test('one row about the organization', async () => {
  const id = await organization();
  assert.equal(
    (await foundAt(id, now)).map(({ subjectType, subjectId }) => [subjectType, subjectId]),
    [['organization', id]],
  );
});

test('a day of the school year is enough; days of other years are not', async () => {
  const cases: readonly [readonly string[], number][] = [
    [['2025-07-31'], 1],
    [['2025-08-01'], 0],
    [['2026-07-31'], 0],
    [['2026-08-01'], 1],
    [['2025-07-31', '2026-01-01', '2026-08-01'], 0],
  ];
  for (const [holidays, count] of cases) {
    const id = await organization();
    await setHolidays(id, holidays);
    assert.is((await foundAt(id, now)).length, count, holidays.join());
  }
});

test('the school year begins at midnight of the organization', async () => {
  const [riyadh, lima] = [await organization(), await organization({ timeZone: 'America/Lima' })];
  for (const id of [riyadh, lima]) await setHolidays(id, ['2026-01-01']);
  const at = '2026-07-31T22:00:00.000Z';
  assert.is((await foundAt(riyadh, at)).length, 1);
  assert.is((await foundAt(lima, at)).length, 0);
});

test('no finding without enrolled students, and none on a demo', async () => {
  const left = await organization();
  await owner('enrollment').where({ organizationId: left }).update({ enrolledTo: '2025-09-30' });
  assert.is((await foundAt(left, now)).length, 0);
  assert.is((await foundAt(await organization({ isDemo: true }), now)).length, 0);
});

test.run();
