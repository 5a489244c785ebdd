// Until when plans last, on calendars written by hand: 4 January 2026 is a Sunday, and weeks end on Saturday.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { schoolCalendar } from '#support/interventions/engine/assignments/calendar.ts';
import { countDelivery, type DeliveryPlan } from '#support/interventions/engine/assignments/delivered.ts';
import {
  type EndState,
  firstWeekFrom,
  followedEnd,
  planEndsOn,
  plannedInWeek,
} from '#support/interventions/engine/assignments/ends.ts';

const test = suite('last days of plans');

const minDays = 3;
const january = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, day) => `2026-01-${String(from + day).padStart(2, '0')}`);
const planOf = (more: Partial<DeliveryPlan> = {}): DeliveryPlan => ({
  ...{ startOn: '2026-01-04', sessionsPerWeek: 3, plannedWeeks: 2, pauses: [], endedOn: null, deliveries: [] },
  ...more,
});
const lastDay = (more: Partial<DeliveryPlan>, holidays: readonly string[] = [], weekend: readonly number[] = [5, 6]) =>
  planEndsOn(planOf(more), schoolCalendar(weekend, holidays), minDays);

for (const [what, found, expected] of [
  ['two whole weeks', lastDay({}), '2026-01-17'],
  ['Tuesday leaves three days of the first week', lastDay({ startOn: '2026-01-06' }), '2026-01-17'],
  ['Wednesday leaves two, which are no week', lastDay({ startOn: '2026-01-07' }), '2026-01-24'],
  ['weeks are counted from a later day', lastDay({ weeksFrom: '2026-01-11' }), '2026-01-24'],
  ['three holidays leave no week', lastDay({}, january(11, 13)), '2026-01-24'],
  ['two leave three days', lastDay({}, january(11, 12)), '2026-01-17'],
  [
    'five a week, three in a short one: ten in three weeks',
    lastDay({ sessionsPerWeek: 5 }, january(11, 12)),
    '2026-01-24',
  ],
  ['the whole school on holiday for two weeks', lastDay({}, january(11, 22)), '2026-01-31'],
  ['another weekend', lastDay({}, [], [6, 7]), '2026-01-18'],
  ['a pause of a week', lastDay({ pauses: [{ from: '2026-01-11', to: '2026-01-18' }] }), '2026-01-24'],
  ['a pause within a week', lastDay({ pauses: [{ from: '2026-01-11', to: '2026-01-14' }] }), '2026-01-17'],
  ['a pause that lasts', lastDay({ pauses: [{ from: '2026-02-08', to: null }] }), null],
  ['an ended plan', lastDay({ endedOn: '2026-01-08' }), null],
  ['no sessions', lastDay({ sessionsPerWeek: 0 }), null],
  ['eighty weeks', lastDay({ plannedWeeks: 80 }), '2027-07-17'],
  ['more than eighty', lastDay({ plannedWeeks: 81 }), null],
  ['no school days at all', lastDay({}, [], [1, 2, 3, 4, 5, 6, 7]), null],
] as const) {
  test(what, () => assert.is(found, expected));
}

test('a plan that begins on the day of its activation is counted from the first day of the next week', () => {
  const usual = schoolCalendar();
  const from = (startOn: string, today: string) => firstWeekFrom(startOn, today, usual);
  assert.is(from('2026-01-06', '2026-01-06'), '2026-01-11');
  assert.is(from('2026-01-04', '2026-01-04'), '2026-01-11', 'the first day of a week too');
  assert.is(from('2026-01-10', '2026-01-10'), '2026-01-11');
  assert.is(from('2026-01-05', '2026-01-06'), '2026-01-05', 'entered late');
  assert.is(from('2026-01-07', '2026-01-06'), '2026-01-07', 'entered ahead');
  assert.is(firstWeekFrom('2026-01-06', '2026-01-06', schoolCalendar([6, 7])), '2026-01-12');
});

test('sessions before the first counted week are delivered in it', () => {
  const plan = planOf({ startOn: '2026-01-06', weeksFrom: '2026-01-11', deliveries: ['2026-01-06', '2026-01-12'] });
  const { weeks } = countDelivery(plan, schoolCalendar(), '2026-01-25', { madeUp: 1, minDays });
  assert.equal(
    weeks.map(({ weekStart, planned, delivered }) => [weekStart, planned, delivered]),
    [
      ['2026-01-11', 3, 2],
      ['2026-01-18', 3, 0],
    ],
  );
});

test('what a week plans: none before, none in a pause, none after the end', () => {
  const planned = (weekStart: string, more: Partial<DeliveryPlan> = {}, holidays: readonly string[] = []) =>
    plannedInWeek(planOf(more), schoolCalendar([5, 6], holidays), weekStart, minDays);
  assert.equal(
    ['2025-12-28', '2026-01-04', '2026-01-11', '2026-01-18'].map((week) => planned(week)),
    [0, 3, 3, 0],
  );
  assert.is(planned('2026-01-18', {}, january(11, 15)), 3, 'after a week of holidays');
  assert.is(planned('2026-01-11', {}, january(11, 15)), 0);
  assert.is(planned('2026-01-11', { pauses: [{ from: '2026-01-10', to: null }] }), 0);
  assert.is(planned('2026-01-11', { endedOn: '2026-01-12' }), 3, 'the week in which it ended');
  assert.is(planned('2026-01-11', { endedOn: '2026-01-10' }), 0);
});

const none: EndState = { pastEndSince: null, overdueToldFor: null };
const followed = (state: EndState, today: string, endsOn: string | null = '2026-01-17', more: object = {}) =>
  followedEnd({
    ...{ state, endsOn, today, firstRunOn: '2026-01-01', calendar: schoolCalendar(), minDays, weeks: 4 },
    ...more,
  });

test('the first run after the end tells it, and four complete weeks later the plan expires', () => {
  assert.equal(followed(none, '2026-01-17'), { state: none, isTold: false, expires: false });
  const past = { pastEndSince: '2026-01-18', overdueToldFor: '2026-01-17' };
  assert.equal(followed(none, '2026-01-18'), { state: past, isTold: true, expires: false });
  assert.equal(followed(past, '2026-01-19'), { state: past, isTold: false, expires: false });
  assert.is(followed(past, '2026-02-14').expires, false);
  assert.is(followed(past, '2026-02-15').expires, true);
});

test('a run that was down is the first when it comes; Wednesday to Saturday are no week', () => {
  const { state, isTold } = followed(none, '2026-03-04');
  assert.equal([state, isTold], [{ pastEndSince: '2026-03-04', overdueToldFor: '2026-01-17' }, true]);
  assert.equal([followed(state, '2026-03-29').expires, followed(state, '2026-04-05').expires], [false, true]);
});

test('weeks of holidays do not count towards the expiry', () => {
  const past = { pastEndSince: '2026-01-18', overdueToldFor: '2026-01-17' };
  const closed = { calendar: schoolCalendar([5, 6], january(18, 31)) };
  assert.is(followed(past, '2026-02-15', '2026-01-17', closed).expires, false);
  assert.is(followed(past, '2026-03-01', '2026-01-17', closed).expires, true);
});

test('an end before the first run of all is not told, and counts from that run', () => {
  const { state, isTold } = followed(none, '2026-02-01', '2026-01-17', { firstRunOn: '2026-02-01' });
  assert.equal([state, isTold], [{ pastEndSince: '2026-02-01', overdueToldFor: '2026-01-17' }, false]);
  assert.is(followed(state, '2026-02-02', '2026-01-17', { firstRunOn: '2026-02-01' }).isTold, false);
});

test('a later end begins anew; the same end is told once, also after a pause', () => {
  const past = { pastEndSince: '2026-01-18', overdueToldFor: '2026-01-17' };
  const moved = followed(past, '2026-01-20', '2026-01-31');
  assert.equal(moved, { state: { ...past, pastEndSince: null }, isTold: false, expires: false });
  assert.is(followed(moved.state, '2026-02-01', '2026-01-31').isTold, true);
  const paused = followed(past, '2026-01-20', null);
  const resumed = followed(paused.state, '2026-03-01');
  assert.equal([resumed.state.pastEndSince, resumed.isTold], ['2026-03-01', false]);
  assert.is(followed(past, '2026-01-20', '2026-01-10').isTold, false, 'an end that moves within the past');
});

test.run();
