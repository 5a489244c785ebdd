// One place answers the grade of a student (contract 12 §3): the functions on made-up histories, and a check over the sources that
// no other place reads it.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { currentGrade, lastGrade, lastGradeAt } from '#identity/people/index.ts';

const inYear = (academicYear: string, grade: number, isOpen = false) => ({ academicYear, grade, isOpen });
const now = '2026-2027';

test('the open class of the current year gives the grade; of another year none, and the last one that has begun is read', () => {
  const cases: readonly [string, ReturnType<typeof inYear>[], number | null, number | null][] = [
    ['in a class of this year', [inYear('2026-2027', 2, true), inYear('2025-2026', 1)], 2, 2],
    ['in last year’s class', [inYear('2025-2026', 1, true)], null, 1],
    ['in a class of years ago', [inYear('2020-2021', 3, true), inYear('2019-2020', 2)], null, 3],
    ['in a class of the next year', [inYear('2027-2028', 3, true), inYear('2026-2027', 2)], null, 2],
    ['in a class of the next year alone', [inYear('2027-2028', 3, true)], null, null],
    ['between classes', [inYear('2026-2027', 2), inYear('2025-2026', 1)], null, 2],
    ['never in a class', [], null, null],
  ];
  for (const [name, classHistory, current, last] of cases) {
    assert.is(currentGrade({ classHistory }, now), current, name);
    assert.is(lastGrade({ classHistory }, now), last, name);
  }
});

test('the year turns at midnight of the school', () => {
  const classHistory = [inYear('2026-2027', 2, true), inYear('2025-2026', 1)];
  const start = { startMonth: 8, startDay: 1 };
  const at = new Date('2026-07-31T21:30:00.000Z');
  assert.is(lastGradeAt({ classHistory, timeZone: 'Asia/Riyadh' }, start, at), 2);
  assert.is(lastGradeAt({ classHistory, timeZone: 'Europe/London' }, start, at), 1);
});

/** Statements that read the grade of a class, not of its students, with the reason. */
const ofClasses: Readonly<Record<string, string>> = {
  'identity/people/students/grades.ts': 'the one place that reads the grade of a student',
  'identity/people/students/possible-duplicates.ts': 'compares the last class of a student with that of a new one',
  'integrations/lms/commit/checks.ts': 'compares the class of a preview with the class of the commit',
  'integrations/lms/courses/queries.ts': 'suggests classes for a course',
  'integrations/lms/preview/assemble/enrollment-context.ts': 'compares the grade of a roster with that of the class',
  'outcomes/aggregates/rollups/counting/classes.ts': 'counts the tiles of the grade of a class',
  'outcomes/aggregates/reads/live-counts.ts': 'orders the classes of a school',
  'outcomes/reports/classes/class-context.ts': 'names the grade of a class on its report',
};

const src = path.join(import.meta.dirname, '../../../../src');
const sources = fs
  .readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: fs.readFileSync(path.join(src, file), 'utf8') }));

test('no statement but that one reads the grade of a student', () => {
  const reading = sources.filter(({ text }) =>
    /\b(c|k|hc|cl|class|e|m)\.grade\b|'c\.grade'/.test(text.replace(/\(\{? ?[^)]*=>/g, '')),
  );
  const inSql = reading.filter(({ text }) => /\b(join|from) class \w+/.test(text)).map(({ file }) => file);
  assert.equal(inSql.sort(), Object.keys(ofClasses).sort());
});

/** Every place that needs the grade of a student asks the functions; what they are for stands in the contract. */
const callers: Readonly<Record<string, string>> = {
  'assessment/measurement/diagnostics/start.ts': 'diagnostic',
  'assessment/measurement/diagnostics/finish.ts': 'diagnostic',
  'assessment/measurement/warmup/start.ts': 'warm-up',
  'assessment/measurement/fluency/start.ts': 'oral reading and its benchmark',
  'assessment/measurement/fluency/probe.ts': 'probe',
  'assessment/measurement/fluency/queries.ts': 'trend and goal',
  'assessment/skill-status/recompute/run-students.ts': 'engine, scope of sub-skills',
  'assessment/skill-status/reads/current.ts': 'scope of sub-skills',
  'assessment/skill-status/dry-run/dry-run.ts': 'engine',
  'assessment/skill-status/next-data/next-data.ts': 'next measurements',
  'support/interventions/situations/parts.ts': 'bundles, clusters, profiles',
  'support/interventions/deliveries/record.ts': 'deliveries of lessons and live lessons',
  'support/rti/situations/parts.ts': 'tiers and alerts',
  'backoffice/workbench/impact/students.ts': 'reports by grade',
  'outcomes/reports/students/report.ts': 'report',
  'outcomes/parents/facts/children.ts': 'portal and letter',
};

test('the callers of the functions are the known ones', () => {
  const calls = /\b(currentGrade|lastGrade|lastGradeAt|requireGrade)\(/;
  const asking = sources.filter(({ text }) => calls.test(text)).map(({ file }) => file);
  const others = asking.filter((file) => !file.startsWith('identity/people/students/'));
  assert.equal(others.sort(), Object.keys(callers).sort());
});

test.run();
