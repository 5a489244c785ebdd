// Periods of flags: the requested days, and the days on which a flag holds.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  endedPeriod,
  type FlagPeriod,
  holdsOn,
  periodOf,
  type RequestedPeriod,
} from '#identity/context-flags/engine/period.ts';
import { lastDayOf, schoolYearDates } from '#rules/catalogue/index.ts';

const year = { name: '2025-2026', from: '2025-08-01' };
const today = '2026-01-15';
const lastDay = '2026-07-31';

const asked = (input: RequestedPeriod): string => {
  const answer = periodOf(input, today, year);
  return 'issue' in answer
    ? `${answer.field} ${answer.issue}`
    : `${answer.effectiveFrom} ${answer.effectiveTo} ${answer.activeTo}`;
};

const cases: readonly (readonly [RequestedPeriod, string])[] = [
  [{}, `${today} null ${lastDay}`],
  [{ effectiveFrom: '2025-08-01' }, `2025-08-01 null ${lastDay}`],
  [{ effectiveFrom: '2025-07-31' }, 'effectiveFrom is not of this school year'],
  [{ effectiveFrom: lastDay }, `${lastDay} null ${lastDay}`],
  [{ effectiveFrom: '2026-08-01' }, 'effectiveFrom is not of this school year'],
  [{ effectiveTo: today }, `${today} ${today} ${today}`],
  [{ effectiveTo: '2026-01-14' }, 'effectiveTo is before effectiveFrom'],
  [{ effectiveTo: lastDay }, `${today} ${lastDay} ${lastDay}`],
  [{ effectiveTo: '2026-08-01' }, 'effectiveTo is not of this school year'],
  [{ effectiveFrom: '2025-09-01', effectiveTo: '2025-10-01' }, '2025-09-01 2025-10-01 2025-10-01'],
  [{ effectiveFrom: '2026-03-02', effectiveTo: '2026-03-01' }, 'effectiveTo is before effectiveFrom'],
];

for (const [input, expected] of cases) {
  test(`asked for ${JSON.stringify(input)}: ${expected}`, () => assert.is(asked(input), expected));
}

test('a school year ends on the day before the next one starts, also around a leap day', () => {
  for (const [day, start, last] of [
    ['2026-01-15', { startMonth: 8, startDay: 1 }, '2026-07-31'],
    ['2026-01-15', { startMonth: 1, startDay: 1 }, '2026-12-31'],
    ['2027-12-01', { startMonth: 3, startDay: 1 }, '2028-02-29'],
    ['2026-12-01', { startMonth: 3, startDay: 1 }, '2027-02-28'],
  ] as const) {
    assert.is(lastDayOf(schoolYearDates(day, start)), last);
  }
});

const held = (effectiveFrom: string, activeTo: string, ended = false): FlagPeriod => {
  return { effectiveFrom, effectiveTo: activeTo, activeTo, ended };
};

test('a flag holds on both ends of its period; an ended flag holds on no day', () => {
  const days = ['2026-01-14', '2026-01-15', '2026-01-20', '2026-01-21'];
  const holding = (period: FlagPeriod) => days.filter((day) => holdsOn(period, day));
  assert.equal(holding(held('2026-01-15', '2026-01-20')), ['2026-01-15', '2026-01-20']);
  assert.equal(holding(held('2026-01-15', '2026-01-15')), ['2026-01-15']);
  assert.equal(holding(held('2026-01-14', '2026-01-15', true)), []);
});

test('ended today: a begun period keeps its begin, a future one never holds, an expired one is not changed', () => {
  assert.equal(endedPeriod(held('2025-09-01', lastDay), today), held('2025-09-01', today, true));
  assert.equal(endedPeriod(held(today, today), today), held(today, today, true));
  assert.equal(endedPeriod(held('2026-03-01', '2026-04-01'), today), held(today, today, true));
  assert.is(endedPeriod(held('2025-09-01', '2026-01-14'), today), undefined);
  assert.is(endedPeriod(held('2025-09-01', today, true), today), undefined);
  assert.is(endedPeriod(undefined, today), undefined);
});

test.run();
