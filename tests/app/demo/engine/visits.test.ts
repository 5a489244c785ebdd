// The days of the demo's history.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Visit, visitsOf } from '#app/demo/engine/visits.ts';
import { historyDates, twoVisits } from '#app/demo/season-before.ts';

const hourMs = 3_600_000;
const yearStart = { startMonth: 8, startDay: 1 };
const parts = 6;

const allVisits = (today: string): Visit[][] =>
  Array.from({ length: 100 }, (_, index) =>
    visitsOf(`child ${index}`, {
      today,
      yearStart,
      classIndex: Math.floor(index / 25),
      studentIndex: index % 25,
      parts,
    }),
  );

/** Mid-year; a Sunday; days after the summer; the eve of the next year; a leap day. */
for (const today of ['2026-01-15', '2025-12-07', '2025-08-20', '2025-08-04', '2026-07-31', '2028-02-29']) {
  test(`${today}: school days of the same school year before that day, each visit before its evaluation`, () => {
    const schoolYearStart = today < '2026-08-01' ? '2025-08-01' : '2027-08-01';
    for (const visits of allVisits(today)) {
      assert.is(visits[0]?.part, 1);
      for (const { startsAt, evaluatedAt } of visits) {
        const date = startsAt.toISOString().slice(0, 10);
        assert.ok(date < today && date >= schoolYearStart, date);
        assert.not([5, 6].includes(startsAt.getUTCDay()), date);
        assert.ok(evaluatedAt.getTime() - startsAt.getTime() > hourMs / 2);
      }
    }
  });

  test(`${today}: in order of time, evaluated before the next visit`, () => {
    for (const visits of allVisits(today)) {
      for (const [index, visit] of visits.slice(1).entries()) {
        const before = visits[index] as Visit;
        assert.ok(visit.startsAt.getTime() - before.startsAt.getTime() >= hourMs);
        assert.ok(visit.evaluatedAt.getTime() === before.evaluatedAt.getTime() || visit.startsAt > before.evaluatedAt);
      }
    }
  });
}

test('on the first day of a school year the history lies before it', () => {
  for (const { startsAt } of allVisits('2025-08-01').flat()) assert.ok(startsAt.toISOString() < '2025-08-01');
});

test('more than half of each class sits to every part and reads aloud twice; some repeat the first part weeks later', () => {
  const everybody = allVisits('2026-01-15');
  for (let from = 0; from < 100; from += 25) {
    const whole = everybody.slice(from, from + 25).filter((visits) => {
      const kinds = new Set(visits.map(({ part, practised }) => `${part}/${practised}`));
      return ['1/0', '2/0', '3/0', '4/0', '5/0', '6/0', 'null/0', 'null/1'].every((kind) => kinds.has(kind));
    });
    assert.ok(whole.length > 12, `${whole.length} of a class`);
  }
  const repeated = everybody.flat().filter(({ part, practised }) => part !== null && practised > 0);
  assert.ok(repeated.length > 10 && repeated.length < 45);
  assert.ok(repeated.every(({ part, practised }) => part === 1 && practised === 1));
});

const seasons = [
  { code: 'BOY', months: [8, 9, 10, 11] },
  { code: 'MOY', months: [12, 1, 2, 3] },
  { code: 'EOY', months: [4, 5, 6, 7] },
] as const;

/** The day; the last day of the season before it; the lowest grade that was there in that season. */
for (const [today, lastDay, lowest] of [
  ['2025-09-15', '2025-07-31', 2],
  ['2025-10-15', '2025-07-31', 2],
  ['2025-12-10', '2025-11-30', 1],
  ['2026-02-20', '2025-11-30', 1],
  ['2026-05-15', '2026-03-31', 1],
  ['2026-07-20', '2026-03-31', 1],
] as const) {
  test(`${today}: everybody who was at school was measured in the season that ended on ${lastDay}`, () => {
    const dates = historyDates(today, { schoolYear: yearStart, seasons });
    assert.is(dates.before.lastDay, lastDay);
    for (let index = 0; index < 100; index++) {
      const [classIndex, studentIndex] = [Math.floor(index / 25), index % 25];
      const visits = twoVisits(
        { name: `child ${index}`, classIndex, studentIndex, grade: classIndex + 1, parts },
        dates,
      );
      assert.is(visits.before.length > 0, classIndex + 1 >= lowest);
      for (const { startsAt, evaluatedAt } of visits.before) {
        assert.ok(evaluatedAt.toISOString().slice(0, 10) <= lastDay);
        assert.not([5, 6].includes(startsAt.getUTCDay()));
      }
      assert.ok(visits.since.every(({ startsAt }) => startsAt.toISOString().slice(0, 10) > lastDay));
    }
  });
}

test.run();
