// Weeks computed by hand, and by a reference that counts day by day; 2027-01-03 is a Sunday.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter, isoWeekday } from '#core/platform/pure/dates/days.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { compileCounting, countFidelity, type FidelityFacts } from '#support/fidelity/engine/count.ts';
import type { DeliveryPlan } from '#support/interventions/index.ts';
import { bundle } from '../interventions/runs.ts';

const rules = compileCounting(bundle);
const sunday = '2027-01-03';

type Difference = Partial<Omit<FidelityFacts, 'plan'>> & { readonly plan?: Partial<DeliveryPlan> };

const factsOf = ({ plan, ...more }: Difference): FidelityFacts => ({
  plan: {
    ...{ startOn: sunday, sessionsPerWeek: 3, plannedWeeks: 8, pauses: [], endedOn: null, deliveries: [] },
    ...plan,
  },
  ...{ missed: [], active: true, gateType: true, weekend: [5, 6], holidays: [], asOf: '2027-01-31' },
  ...more,
});

const summary = (more: Difference) => {
  const { count } = countFidelity(factsOf(more), rules);
  return [count.planned, count.delivered, count.credited, count.rate, count.gate];
};

/** This number of sessions a week, on its first days. */
const sessions = (...perWeek: number[]) =>
  perWeek.flatMap((count, week) => Array.from({ length: count }, (_, day) => daysAfter(sunday, week * 7 + day)));

const byHand: readonly (readonly [string, Difference, readonly unknown[]])[] = [
  [
    'a week of three holidays does not count',
    { holidays: ['2027-01-10', '2027-01-11', '2027-01-12'] },
    [9, 0, 0, 0, 'fail'],
  ],
  ['two holidays leave three days', { holidays: ['2027-01-10', '2027-01-11'] }, [12, 0, 0, 0, 'fail']],
  [
    'of five a week three days are left',
    { plan: { sessionsPerWeek: 5, plannedWeeks: 2 }, holidays: ['2027-01-03', '2027-01-04'], asOf: '2027-01-10' },
    [3, 0, 0, 0, 'fail'],
  ],
  [
    'a week that begins on Monday is over a day later',
    { weekend: [6, 7], plan: { startOn: '2027-01-04', deliveries: ['2027-01-04'] }, asOf: '2027-01-10' },
    [0, 0, 0, null, 'not_applicable'],
  ],
  [
    'and counts from then on',
    { weekend: [6, 7], plan: { startOn: '2027-01-04', deliveries: ['2027-01-04'] }, asOf: '2027-01-11' },
    [3, 1, 1, 0.3333, 'fail'],
  ],
  [
    'a session on a day of the weekend is one of its week',
    { plan: { deliveries: ['2027-01-03', '2027-01-04', '2027-01-09'] }, asOf: '2027-01-10' },
    [3, 3, 3, 1, 'pass'],
  ],
  [
    'a pause of a whole week is not planned; a session dated in it may be the one made up',
    { plan: { pauses: [{ from: '2027-01-10', to: '2027-01-17' }], deliveries: [...sessions(3, 2, 2, 3)] } },
    [9, 10, 9, 1, 'pass'],
  ],
  [
    'a pause that lasts is one from its first day on',
    { plan: { pauses: [{ from: '2027-01-14', to: null }], deliveries: sessions(3, 3) } },
    [6, 6, 6, 1, 'pass'],
  ],
  [
    'a pause from the middle of a week leaves the week planned',
    { plan: { pauses: [{ from: '2027-01-12', to: '2027-01-24' }], deliveries: sessions(3, 2, 0, 3) } },
    [9, 8, 8, 0.8889, 'pass'],
  ],
  [
    'the week before the start counts for nothing',
    { plan: { startOn: '2027-01-06', deliveries: ['2027-01-06', '2027-01-07'] } },
    [9, 0, 0, 0, 'fail'],
  ],
  [
    'a plan has no more weeks than it was made for',
    { plan: { plannedWeeks: 2, deliveries: sessions(3, 2, 3, 3) } },
    [6, 5, 5, 0.8333, 'pass'],
  ],
  ['two made up in one week are one', { plan: { deliveries: sessions(3, 5, 2, 1) } }, [12, 11, 10, 0.8333, 'pass']],
  ['more than planned is no more than all', { plan: { deliveries: sessions(4, 4, 4, 4) } }, [12, 16, 12, 1, 'pass']],
  [
    'after the end nothing is due',
    { plan: { endedOn: '2027-01-17', deliveries: sessions(3, 3) } },
    [6, 6, 6, 1, 'pass'],
  ],
];

for (const [name, facts, expected] of byHand) {
  test(name, () => assert.equal(summary(facts), expected));
}

test('an absent child is not an undelivered lesson: offered, absent and delivered of the same weeks', () => {
  const missed = ['2027-01-05', '2027-01-11', '2027-01-31'];
  const { count } = countFidelity(factsOf({ plan: { deliveries: sessions(2, 2) }, missed }), rules);
  assert.equal([count.offered, count.absent, count.delivered], [6, 2, 4]);
});

/** Weeks as the contract defines them (50 §0.6, 51 §5.1), counted day by day; weekends of one run only. */
function walked({ plan, weekend, holidays, asOf }: FidelityFacts): readonly unknown[] {
  const end = plan.endedOn !== null && plan.endedOn < asOf ? plan.endedOn : asOf;
  const isSchool = (day: string) => !weekend.includes(isoWeekday(day)) && !holidays.includes(day);
  const isPaused = (day: string) => plan.pauses.some(({ from, to }) => day >= from && (to === null || day < to));
  const isFirst = (day: string) =>
    weekend.length === 0
      ? isoWeekday(day) === 7
      : !weekend.includes(isoWeekday(day)) && weekend.includes(isoWeekday(daysAfter(day, -1)));
  let [planned, delivered, credits] = [0, 0, 0];
  let first = plan.startOn;
  while (!isFirst(first)) first = daysAfter(first, -1);
  for (let week = first; daysAfter(week, 6) < end; week = daysAfter(week, 7)) {
    const days = [0, 1, 2, 3, 4, 5, 6].map((day) => daysAfter(week, day));
    const taught = days.filter((day) => day >= plan.startOn && isSchool(day));
    if (taught.length < 3) continue;
    if (planned >= plan.sessionsPerWeek * plan.plannedWeeks) break;
    const due = taught.every(isPaused) ? 0 : Math.min(plan.sessionsPerWeek, taught.length);
    const given = days.filter((day) => plan.deliveries.includes(day)).length;
    planned += due;
    delivered += given;
    credits += Math.min(given, due + 1);
  }
  planned = Math.min(planned, plan.sessionsPerWeek * plan.plannedWeeks);
  const credited = Math.min(planned, credits);
  const gate = planned === 0 ? 'not_applicable' : credited * 10 >= planned * 8 ? 'pass' : 'fail';
  return [planned, delivered, credited, planned === 0 ? null : Math.round((credited / planned) * 1e4) / 1e4, gate];
}

/** A seeded sequence of numbers. */
function numbersFrom(seed: number): (below: number) => number {
  const next = seededNumbers(seed);
  return (below) => Math.floor(next() * below);
}

function anyFacts(below: (below: number) => number): FidelityFacts {
  const startOn = daysAfter(sunday, below(14));
  const day = () => daysAfter(startOn, below(80));
  const from = day();
  const pauses = [[], [{ from, to: null }], [{ from, to: daysAfter(from, below(25)) }]][below(3)] ?? [];
  const deliveries = [...new Set(Array.from({ length: below(45) }, day))].sort();
  const plan = { startOn, sessionsPerWeek: 1 + below(5), plannedWeeks: 1 + below(12), pauses, deliveries };
  const weekend = [[5, 6], [6, 7], [7], [], [5]][below(5)] ?? [];
  const holidays = Array.from({ length: below(12) }, day);
  const asOf = daysAfter(startOn, 80 + below(10));
  return factsOf({ plan: { ...plan, endedOn: below(3) === 0 ? day() : null }, weekend, holidays, asOf });
}

test('2,000 assignments are counted like a reference that counts day by day', () => {
  const below = numbersFrom(51);
  for (let run = 0; run < 2_000; run += 1) {
    const facts = anyFacts(below);
    const { count } = countFidelity(facts, rules);
    const { planned, delivered, credited, rate, gate } = count;
    assert.equal([planned, delivered, credited, rate, gate], walked(facts), JSON.stringify(facts));
  }
});

test.run();
