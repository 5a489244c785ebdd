// Instructional weeks and their deliveries, on calendars written by hand. 2027-01-03 is a Sunday.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter, isoWeekday } from '#core/platform/pure/dates/days.ts';
import {
  completeWeeks,
  completeWeeksBetween,
  isInstructional,
  schoolCalendar,
  weekStartOf,
} from '#support/interventions/engine/assignments/calendar.ts';
import { countDelivery, type DeliveryPlan } from '#support/interventions/engine/assignments/delivered.ts';
import { engines } from '../runs.ts';

const usual = schoolCalendar();
const sunday = '2027-01-03';

test('days: Monday is 1, Sunday 7, over the turn of years', () => {
  assert.equal(['2026-12-28', '2027-01-01', '2027-01-02', sunday].map(isoWeekday), [1, 5, 6, 7]);
  assert.is(daysAfter('2026-12-31', 1), '2027-01-01');
  assert.is(daysAfter('2028-02-28', 1), '2028-02-29');
});

for (const [weekend, what, start] of [
  [[5, 6], 'Friday and Saturday', '2027-01-03'],
  [[6, 7], 'Saturday and Sunday', '2027-01-04'],
  [[5], 'Friday', '2027-01-02'],
  [[7], 'Sunday', '2027-01-04'],
  [[1, 7], 'Sunday and Monday', '2027-01-05'],
  [[3, 6], 'Wednesday and Saturday: the later run', '2027-01-03'],
  [[1, 4], 'Monday and Thursday: the later run', '2027-01-01'],
  [[], 'no day', '2027-01-03'],
] as const) {
  test(`a week with ${what} off begins on ${start}`, () => {
    const calendar = schoolCalendar(weekend);
    for (let day = start as string; day < daysAfter(start, 7); day = daysAfter(day, 1)) {
      assert.is(weekStartOf(calendar, day), start, day);
    }
    assert.is(weekStartOf(calendar, daysAfter(start, 7)), daysAfter(start, 7));
  });
}

test('a week counts with three days of school from the first day on, and once it is over', () => {
  const weeks = (from: string, asOf: string, calendar = usual) => completeWeeksBetween(calendar, from, asOf, 3);
  assert.equal([weeks(sunday, '2027-01-09'), weeks(sunday, '2027-01-10')], [0, 1]);
  assert.equal([weeks('2027-01-05', '2027-01-10'), weeks('2027-01-06', '2027-01-10')], [1, 0]);
  const twoOff = schoolCalendar([5, 6], ['2027-01-03', '2027-01-04']);
  const threeOff = schoolCalendar([5, 6], ['2027-01-03', '2027-01-04', '2027-01-05']);
  assert.equal([weeks(sunday, '2027-01-10', twoOff), weeks(sunday, '2027-01-10', threeOff)], [1, 0]);
  assert.is(weeks('2027-02-01', '2027-01-10'), 0);
});

test('as many weeks are counted as there are, wherever holidays lie and whatever is the weekend', () => {
  const holidays = ['2026-12-24', '2027-01-03', '2027-01-04', '2027-01-05', '2027-01-19', '2027-02-08', '2027-05-01'];
  for (const weekend of [[5, 6], [6, 7], [5], [], [3, 6], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, 7]]) {
    const calendar = schoolCalendar(weekend, holidays);
    for (let days = -10; days < 120; days += 1) {
      const from = daysAfter(sunday, days % 11);
      const asOf = daysAfter(sunday, days);
      for (const minDays of [1, 3, 5]) {
        const weeks = [...completeWeeks(calendar, from, asOf, minDays)].length;
        assert.is(completeWeeksBetween(calendar, from, asOf, minDays), weeks, `${weekend} ${from} ${asOf} ${minDays}`);
      }
    }
  }
});

test('a calendar without school days has no week, and nothing is due', () => {
  const closed = schoolCalendar([1, 2, 3, 4, 5, 6, 7]);
  assert.is(isInstructional(closed, sunday), false);
  assert.equal([...completeWeeks(closed, sunday, '2028-01-01', 3)], []);
  assert.equal(countDelivery(planOf(), closed, '2028-01-01', engines.fidelity).rate, null);
});

const planOf = (more: Partial<DeliveryPlan> = {}): DeliveryPlan => ({
  ...{ startOn: sunday, sessionsPerWeek: 3, plannedWeeks: 8, pauses: [], endedOn: null, deliveries: [] },
  ...more,
});
const counted = (plan: Partial<DeliveryPlan>, asOf: string) => {
  const found = countDelivery(planOf(plan), usual, asOf, engines.fidelity);
  const { gate } = engines.fidelity.gateOf(found, true);
  return [found.planned, found.delivered, found.credited, found.rate, gate];
};
/** This number of sessions a week, on its first days. */
const sessions = (...perWeek: number[]) =>
  perWeek.flatMap((count, week) => Array.from({ length: count }, (_, day) => daysAfter(sunday, week * 7 + day)));

test('G-08: one missed session a week can be made up, a whole week cannot', () => {
  assert.equal(counted({ deliveries: sessions(3, 3, 4, 0) }, '2027-01-31'), [12, 10, 10, 0.8333, 'pass']);
  assert.equal(counted({ deliveries: sessions(3, 3, 3, 0) }, '2027-01-31'), [12, 9, 9, 0.75, 'fail']);
  assert.equal(counted({ deliveries: sessions(3, 5, 3, 0) }, '2027-01-31'), [12, 11, 10, 0.8333, 'pass']);
});

test('the present week, days after the end, and paused weeks are not due', () => {
  assert.equal(counted({ deliveries: sessions(1) }, '2027-01-09'), [0, 0, 0, null, 'not_applicable']);
  assert.equal(counted({ deliveries: sessions(3), endedOn: '2027-01-12' }, '2027-03-01'), [3, 3, 3, 1, 'pass']);
  const pauses = [{ from: '2027-01-10', to: '2027-01-17' }];
  assert.equal(counted({ deliveries: sessions(3), pauses }, '2027-01-24'), [6, 3, 3, 0.5, 'fail']);
  const short = [{ from: '2027-01-10', to: '2027-01-14' }];
  assert.is(counted({ deliveries: sessions(3), pauses: short }, '2027-01-17')[0], 6, 'Thursday was taught');
});

test('an assignment is due for its own weeks only, and a week that began late for the remaining days', () => {
  const long = { plannedWeeks: 2, deliveries: sessions(3, 3, 3, 3) };
  assert.equal(counted(long, '2027-03-01'), [6, 6, 6, 1, 'pass']);
  const late = { startOn: '2027-01-05', sessionsPerWeek: 5, deliveries: ['2027-01-05', '2027-01-06', '2027-01-07'] };
  assert.equal(counted(late, '2027-01-10'), [3, 3, 3, 1, 'pass']);
});

test('one more delivery never lowers the credit, over all days of an assignment', () => {
  for (let mask = 0; mask < 1 << 12; mask += 37) {
    const days = Array.from({ length: 12 }, (_, at) => daysAfter(sunday, at * 2)).filter((_, at) => (mask >> at) & 1);
    const before = countDelivery(planOf({ deliveries: days }), usual, '2027-01-31', engines.fidelity).credited;
    for (const day of ['2027-01-03', '2027-01-06', '2027-01-13', '2027-01-20', '2027-01-28']) {
      const more = planOf({ deliveries: [...days, day].sort() });
      assert.ok(countDelivery(more, usual, '2027-01-31', engines.fidelity).credited >= before);
    }
  }
});

test('FID: light actions are not counted; 0.8 is a pass', () => {
  const gate = (planned: number, credited: number, gateType = true) =>
    engines.fidelity.gateOf({ planned, credited }, gateType);
  assert.equal(gate(12, 0, false), { ruleId: 'FID-01', gate: 'not_applicable' });
  assert.equal(gate(0, 0), { ruleId: 'FID-02', gate: 'not_applicable' });
  for (let planned = 1; planned <= 60; planned += 1) {
    for (let credited = 0; credited <= planned; credited += 1) {
      assert.is(
        gate(planned, credited).gate,
        credited * 10 >= planned * 8 ? 'pass' : 'fail',
        `${credited} of ${planned}`,
      );
    }
  }
});

for (const [ruleId, trackStatus, weeks, plan, asOf, active] of [
  ['TRK-01', 'not_applicable', 0, {}, '2027-03-01', false],
  ['TRK-02', 'off_track', 3, {}, '2027-01-24', true],
  ['TRK-03', 'awaiting_first_session', 2, {}, '2027-01-23', true],
  ['TRK-02', 'off_track', 3, { deliveries: sessions(3) }, '2027-01-31', true],
  ['TRK-04', 'behind', 0, { deliveries: [...sessions(3), '2027-01-31'] }, '2027-01-31', true],
  [
    'TRK-04',
    'behind',
    0,
    { pauses: [{ from: '2027-01-06', to: '2027-01-24' }], deliveries: sessions(1) },
    '2027-01-24',
    true,
  ],
  ['TRK-99', 'on_track', 0, { deliveries: sessions(3, 3) }, '2027-01-17', true],
] as const) {
  test(`${ruleId}: ${trackStatus} on ${asOf} ${JSON.stringify(plan)}`, () => {
    const found = engines.track({ active, plan: planOf(plan as Partial<DeliveryPlan>), calendar: usual, asOf });
    assert.equal(found, { ruleId, trackStatus, weeksWithoutDelivery: weeks });
  });
}

test.run();
