// What is released beside tiles: what came of bundles and of support, counted child by child, so that the numbers of a class
// are its size, and protected like everything else.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { nightlyRelease } from '#outcomes/aggregates/releases/nightly.ts';
import { buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildSchools, type EvaluatedSchool, type EvaluatedSchools, storeEvaluations } from './evaluated-schools.ts';

const app = useApp(test, { rules: true });
const { clock, services, database } = app;
const { owner } = database;

const inAutumn = '2025-11-20T09:00:00.000Z';
/** Two o'clock in Riyadh, after the last day of the first season. */
const firstNight = '2025-11-30T23:00:00.000Z';

const studentsOf = ({ classes }: EvaluatedSchool) => classes.flatMap(({ students }) => students);
const allOf = ({ schools }: EvaluatedSchools) => schools.flatMap(studentsOf);

async function night({ organizationId }: EvaluatedSchools): Promise<void> {
  clock.set(firstNight);
  await nightlyRelease(services, { organizationId, date: '2025-12-01' });
}

interface Plan {
  readonly studentId: number;
  readonly result: 'goals_met' | 'goals_not_met';
  /** Absent: what was delivered was not counted. */
  readonly gate?: 'pass' | 'fail' | 'not_applicable';
  readonly bundleId?: string;
  readonly endedOn?: string;
}

/** Completed ones, as they lie in the table. */
async function completed({ organizationId, schools }: EvaluatedSchools, plans: readonly Plan[]): Promise<void> {
  const { id: teacherId } = await buildUser(owner, 'TEACHER', { organizationId });
  const rows = plans.map(({ studentId, result, gate, bundleId = 'BND-DECODE-01', endedOn = '2025-11-10' }) => ({
    ...{ id: newId(), gate, studentId, bundleId, endedOn, completionResult: result },
    classId: schools.flatMap(({ classes }) => classes).find(({ students }) => students.includes(studentId))?.id,
  }));
  const assigned = rows.map(({ gate: _, ...row }) => ({
    ...{ ...row, organizationId, schoolYear: '2025-2026', catalogueVersion: 1, objectType: 'INTERVENTION_BUNDLE' },
    ...{ state: 'completed', trackStatus: 'not_applicable', scaffoldTier: 'Level_3', currentStepNo: null },
    ...{ deliveryMode: 'teacher_led_small_group', startOn: '2025-09-01', plannedWeeks: 8, sessionsPerWeek: 3 },
    ...{ anchorRole: 'DECODE', anchorSubSkillCode: 'DEC_WORD', sourceType: 'individual', providerUserId: teacherId },
    ...{ activatedBy: teacherId, activatedAt: '2025-09-01T08:00:00.000Z', steps: '[]', pauses: '[]' },
    ...{ recommendation: '{}', facts: '{}', ruleVersions: '{}' },
  }));
  const students = [...new Set(plans.map(({ studentId }) => studentId))];
  await owner('student_support').insert(students.map((studentId) => ({ organizationId, studentId })));
  await owner.batchInsert('bundle_assignment', assigned, 500);
  const counted = rows.flatMap(({ gate, id: assignmentId, studentId }) =>
    gate === undefined
      ? []
      : {
          ...{ organizationId, assignmentId, studentId, snapshotId: 1, open: false, gate, planned: 0, credited: 0 },
          ...{ rate: null, completeWeeks: 0, lowTold: false },
        },
  );
  if (counted.length > 0) await owner('fidelity_current').insert(counted);
}

async function inTierTwo(
  { organizationId }: EvaluatedSchools,
  students: readonly number[],
  back: readonly number[] = [],
) {
  const { id: decidedBy } = await buildUser(owner, 'ADMIN', { organizationId });
  await owner('student_support').insert(students.map((studentId) => ({ organizationId, studentId })));
  const move = (studentId: number, fromTier: number, toTier: number, effectiveOn: string) => ({
    ...{
      organizationId,
      schoolYear: '2025-2026',
      studentId,
      fromTier,
      toTier,
      effectiveOn,
      sourceType: 'rti_decision',
    },
    ...{ sourceId: 'd', decidedBy, committedAt: `${effectiveOn}T08:00:00.000Z`, ruleVersions: '{}' },
  });
  await owner('tier_movement').insert(students.map((studentId) => move(studentId, 1, 2, '2025-10-05')));
  if (back.length > 0)
    await owner('tier_movement').insert(back.map((studentId) => move(studentId, 2, 1, '2025-11-02')));
}

const measured = (schools: EvaluatedSchools, students: readonly number[]) =>
  storeEvaluations(
    owner,
    schools.organizationId,
    students.map((studentId) => ({ studentId, bands: 'Meets' })),
    { at: inAutumn },
  );

type Counts = Readonly<Record<string, number | null>>;
interface Cell {
  readonly students: number;
  readonly counts: Counts;
  readonly suppressed: boolean;
}

async function cellOf(
  schools: EvaluatedSchools,
  unitId: string | number,
  space: string,
  subject: string,
): Promise<Cell> {
  const of = { organizationId: schools.organizationId, unitId: String(unitId), space, subject };
  return owner('aggregate_cell').where(of).first('students', 'counts', 'suppressed');
}
const effectOf = (schools: EvaluatedSchools, unitId: string | number, bundleId = 'BND-DECODE-01') =>
  cellOf(schools, unitId, 'bundle_effect', bundleId);

/** Counts of a class, without empty bands. */
async function countedIn({ organizationId }: EvaluatedSchools, classId: number, space: string, subject: string) {
  const { counts } = await owner('aggregate_count').where({ organizationId, classId, space, subject }).first('counts');
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

const effects = ['goals_met', 'goals_not_met'].flatMap((result) =>
  ['not_applicable', 'pass', 'fail'].map((gate) => `${result}_${gate}`),
);
const noEffect = Object.fromEntries(effects.map((effect) => [effect, 0]));
const hidden = Object.fromEntries([...effects, 'none'].map((band) => [band, null]));

const plansOf = (students: readonly number[], result: Plan['result'], gate?: Plan['gate']): Plan[] =>
  students.map((studentId) => ({ studentId, result, ...(gate && { gate }) }));

test('children are counted by the outcome of their last assignment of a bundle, and with those without one add up to the class', async () => {
  const schools = await buildSchools(owner, [[40], [30]]);
  const [one, other] = schools.schools as [EvaluatedSchool, EvaluatedSchool];
  const students = studentsOf(one);
  await completed(schools, [
    ...plansOf(students.slice(0, 12), 'goals_met', 'pass'),
    ...plansOf(students.slice(12, 20), 'goals_met', 'fail'),
    ...plansOf(students.slice(20, 26), 'goals_not_met', 'fail'),
    ...plansOf(students.slice(26, 32), 'goals_not_met'),
    // An earlier one of the same bundle says nothing any more.
    ...plansOf(students.slice(0, 9), 'goals_not_met', 'fail').map((plan) => ({ ...plan, endedOn: '2025-10-01' })),
  ]);
  await night(schools);
  const counts = {
    goals_met_pass: 12,
    goals_met_fail: 8,
    goals_not_met_fail: 6,
    goals_not_met_not_applicable: 6,
    none: 8,
  };
  assert.equal(await countedIn(schools, one.classes[0]?.id ?? 0, 'bundle_effect', 'BND-DECODE-01'), counts);
  assert.equal(await effectOf(schools, one.id), {
    students: 40,
    counts: { ...noEffect, ...counts },
    suppressed: false,
  });
  assert.equal((await effectOf(schools, other.id)).counts, { ...noEffect, none: 30 });
  const whole = await effectOf(schools, schools.organizationId);
  assert.equal([whole.students, whole.counts], [70, { ...noEffect, ...counts, none: 38 }]);
});

test('a season counts assignments that ended in it; stopped ones and those of another bundle or grade are not counted', async () => {
  const schools = await buildSchools(owner, [[20]]);
  const [one] = schools.schools as [EvaluatedSchool];
  const students = studentsOf(one);
  const on = (from: number, endedOn: string, bundleId = 'BND-DECODE-01') =>
    plansOf(students.slice(from, from + 1), 'goals_met', 'pass').map((plan) => ({ ...plan, endedOn, bundleId }));
  await completed(schools, [
    ...[...on(0, '2025-07-31'), ...on(1, '2025-08-01'), ...on(2, '2025-11-30'), ...on(3, '2025-12-01')],
    ...[...on(4, '2025-10-01', 'SUP-COMP-01'), ...on(5, '2025-10-01', 'BND-DECODE-02'), ...on(6, '2025-10-01')],
  ]);
  await owner('bundle_assignment')
    .where({ studentId: students[6] })
    .update({ state: 'stopped', completionResult: null, reasonCode: 'Need_Changed', currentStepNo: 1 });
  await night(schools);
  const counted = (bundleId: string) => countedIn(schools, one.classes[0]?.id ?? 0, 'bundle_effect', bundleId);
  assert.equal(await counted('BND-DECODE-01'), { goals_met_pass: 2, none: 18 });
  assert.equal(await counted('SUP-COMP-01'), { goals_met_pass: 1, none: 19 });
  // A class of another grade has no students to count.
  assert.equal(await effectOf(schools, one.id, 'BND-DECODE-02'), {
    ...{ students: 0, counts: { ...noEffect, none: 0 }, suppressed: false },
  });
});

test('small counts of a class are suppressed, and so are missed goals of a whole class', async () => {
  const schools = await buildSchools(owner, [[30, 30], [9]]);
  const [few, all] = schools.schools as [EvaluatedSchool, EvaluatedSchool];
  await completed(schools, [
    ...plansOf(studentsOf(few).slice(0, 3), 'goals_not_met', 'pass'),
    ...plansOf(studentsOf(all), 'goals_not_met', 'fail'),
  ]);
  await night(schools);
  for (const unit of [few.id, few.classes[0]?.id ?? 0]) {
    const { counts, suppressed } = await effectOf(schools, unit);
    assert.equal([counts.goals_not_met_pass, suppressed], [null, true]);
    assert.ok(Object.values(counts).filter((count) => count === null).length >= 2);
  }
  for (const unit of [all.id, all.classes[0]?.id ?? 0]) assert.equal((await effectOf(schools, unit)).counts, hidden);
});

test('every assignable bundle has a cell in every unit, with or without completions', async () => {
  const schools = await buildSchools(owner, [[9], [12, 7]]);
  await completed(schools, plansOf(allOf(schools).slice(0, 8), 'goals_met', 'pass'));
  await night(schools);
  const { organizationId } = schools;
  const rows: { unitId: string; subject: string }[] = await owner('aggregate_cell')
    .where({ organizationId, space: 'bundle_effect' })
    .select('unitId', 'subject');
  const bySubject = new Map<string, number>();
  for (const { subject } of rows) bySubject.set(subject, (bySubject.get(subject) ?? 0) + 1);
  // Organization, two schools, three classes.
  assert.equal([bySubject.size, new Set(bySubject.values())], [23, new Set([6])]);
  assert.ok(bySubject.has('LSA-MONITOR-01') && !bySubject.has('NIO-CORE-01'));
});

test('a square holds who has support and was measured in the season; all others of the class are in none', async () => {
  const schools = await buildSchools(owner, [[30, 4], [12]]);
  const [one, other] = schools.schools as [EvaluatedSchool, EvaluatedSchool];
  const students = studentsOf(one);
  await measured(schools, [...students.slice(0, 25), ...studentsOf(other)]);
  // Supported and measured, supported and not measured, supported no more; and of a class that is too small to be counted.
  const small = one.classes[1]?.students ?? [];
  await inTierTwo(
    schools,
    [...students.slice(0, 8), ...students.slice(25, 28), students[9] ?? 0, ...small],
    [students[9] ?? 0],
  );
  await night(schools);
  assert.equal(await countedIn(schools, one.classes[0]?.id ?? 0, 'square', ''), {
    not_applicable_unknown: 8,
    none: 22,
  });
  const cell = await cellOf(schools, one.id, 'square', '');
  assert.equal([cell.students, cell.counts.not_applicable_unknown, cell.counts.none], [30, 8, 22]);
  assert.is(Object.keys(cell.counts).length, 13);
  const whole = await cellOf(schools, schools.organizationId, 'square', '');
  assert.equal([whole.students, whole.counts.not_applicable_unknown, whole.counts.none], [42, 8, 34]);
});

test('small counts with support are suppressed', async () => {
  const schools = await buildSchools(owner, [[30, 28]]);
  const [one] = schools.schools as [EvaluatedSchool];
  await measured(schools, studentsOf(one));
  await inTierTwo(schools, studentsOf(one).slice(0, 2));
  await night(schools);
  const { counts, suppressed } = await cellOf(schools, one.id, 'square', '');
  assert.equal([counts.not_applicable_unknown, suppressed], [null, true]);
});

test.run();
