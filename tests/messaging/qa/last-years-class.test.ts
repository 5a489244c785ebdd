// STUDENTS_IN_LAST_YEARS_CLASS: one row for each school that has not rolled over, in the first 60 days of its school year.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildOrganization, buildSchool, buildStudent } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { installEverything } from '../../harness/rules.ts';
import { useLooking } from './audit/looking.ts';

const app = useApp(test, { ownEntries: true });
const { owner } = app.database;
const { lookAt, foundOf } = useLooking(test, app);
const check = 'STUDENTS_IN_LAST_YEARS_CLASS';

test.before(() => installEverything(owner));

/** A school with two classes of 2025-2026, each with a student. */
async function school(timeZone = 'Asia/Riyadh') {
  const organizationId = (await buildOrganization(owner, { timeZone })).id;
  const { id: schoolId } = await buildSchool(owner, { organizationId });
  for (const name of ['أ', 'ب']) {
    await buildStudent(owner, await buildClass(owner, { organizationId, schoolId, name }));
  }
  return { organizationId, schoolId };
}

async function foundAt(organizationId: string, now: string) {
  app.clock.set(now);
  await lookAt([organizationId]);
  return (await foundOf(check)).filter((row) => row.organizationId === organizationId);
}

test('one row for a school, from the first day of the year to its sixtieth', async () => {
  const cases: readonly [string, number][] = [
    ['2026-07-31T12:00:00.000Z', 0],
    ['2026-08-01T12:00:00.000Z', 1],
    ['2026-09-29T12:00:00.000Z', 1],
    ['2026-09-30T12:00:00.000Z', 0],
  ];
  for (const [now, count] of cases) {
    const { organizationId, schoolId } = await school();
    const found = await foundAt(organizationId, now);
    assert.equal(
      found.map(({ subjectType, subjectId }) => [subjectType, subjectId]),
      count === 0 ? [] : [['school', schoolId]],
      now,
    );
  }
});

test('the year begins at midnight of the school', async () => {
  const [riyadh, lima] = [await school(), await school('America/Lima')];
  const now = '2026-07-31T22:00:00.000Z';
  assert.is((await foundAt(riyadh.organizationId, now)).length, 1);
  assert.is((await foundAt(lima.organizationId, now)).length, 0);
});

test('classes of the new year and empty old classes are no finding', async () => {
  const { organizationId, schoolId } = await school();
  await owner('class').where({ organizationId }).update({ academicYear: '2026-2027' });
  await buildClass(owner, { organizationId, schoolId, name: 'ج' });
  assert.is((await foundAt(organizationId, '2026-08-15T12:00:00.000Z')).length, 0);
});

test.run();
