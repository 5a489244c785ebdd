// The days of the demo's history.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Visit, visitsOf } from '../../../src/demo/engine/visits.ts';

const hourMs = 3_600_000;
const yearStart = { startMonth: 8, startDay: 1 };

const allVisits = (today: string): Visit[][] =>
  Array.from({ length: 100 }, (_, index) =>
    visitsOf(`child ${index}`, { today, yearStart, classIndex: Math.floor(index / 25), seat: index % 25 }),
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
        assert.ok(visit.startsAt > (visits[index]?.evaluatedAt ?? visit.startsAt));
      }
    }
  });
}

test('on the first day of a school year the history lies before it', () => {
  for (const { startsAt } of allVisits('2025-08-01').flat()) assert.ok(startsAt.toISOString() < '2025-08-01');
});

test('one to three parts, and some children repeat the first one weeks later', () => {
  const everybody = allVisits('2026-01-15');
  assert.equal([...new Set(everybody.flat().map(({ part }) => part))].sort(), [1, 2, 3]);
  const repeated = everybody.flat().filter(({ practised }) => practised > 0);
  assert.ok(repeated.length > 10 && repeated.length < 45);
  assert.ok(repeated.every(({ part, practised }) => part === 1 && practised === 1));
});

test.run();
