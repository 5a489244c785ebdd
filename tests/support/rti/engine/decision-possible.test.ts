// When a decision is possible: by hand from the contract, and against a count of days and weeks written here.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isoWeekday } from '#core/platform/pure/dates/days.ts';
import { schoolCalendar } from '#support/interventions/engine/assignments/calendar.ts';
import type { DeliveryPlan } from '#support/interventions/engine/assignments/delivered.ts';
import type { PossibleQuestion } from '#support/rti/engine/tiers/decision-possible.ts';
import { calendar, randomOf, rti } from './bundle.ts';

const plain = schoolCalendar([5, 6]);

/** Two sessions a week of three, four weeks long. */
const behind: DeliveryPlan = {
  ...{ startOn: '2026-10-04', sessionsPerWeek: 3, plannedWeeks: 8, pauses: [], endedOn: null },
  deliveries: ['04', '06', '11', '13', '18', '20', '25', '27'].map((day) => `2026-10-${day}`),
};
const question: PossibleQuestion = {
  ...{ tier: 2, tierSince: '2026-10-04', today: '2026-11-01', calendar: plain, blocked: false, weeksInTier: 4 },
  ...{ pooled: { planned: 12, credited: 8 }, plans: [behind], role: 'DECODE', progressKnown: true },
  ...{ pointsSinceTier: 3, roleMeasurements: 0 },
};

test('two weeks and two sessions are missing: the day after the sixth complete week', () => {
  assert.equal(rti.decisionPossible(question), {
    ...{ weeksMissing: 2, creditsMissing: 2, pointsMissing: 0, earliestOn: '2026-11-15' },
  });
});

/** The sixth complete week has passed, with all deliveries. */
const given: PossibleQuestion = {
  ...question,
  ...{ tierSince: '2026-09-20', today: '2026-11-05', weeksInTier: 6, pooled: { planned: 12, credited: 12 } },
  plans: [{ ...behind, deliveries: [...behind.deliveries, '2026-10-07', '2026-10-14', '2026-10-21', '2026-10-28'] }],
};

test('two probes are missing: one on Thursday, one after the weekend', () => {
  const asked = { ...given, progressKnown: false, pointsSinceTier: 1 };
  assert.equal(rti.decisionPossible(asked), {
    ...{ weeksMissing: 0, creditsMissing: 0, pointsMissing: 2, earliestOn: '2026-11-08' },
  });
});

test('a role without a repeated measure waits two weeks after the tier began', () => {
  const asked = { ...given, role: 'PHON', progressKnown: false, roleMeasurements: 1 } as const;
  assert.is(rti.decisionPossible(asked).earliestOn, '2026-11-05');
  const firstTier = { ...asked, tier: 1, tierSince: '2026-11-01', plans: [] } as const;
  assert.is(rti.decisionPossible(firstTier).earliestOn, '2026-11-05', 'tier 1 asks for no progress');
  assert.is(rti.decisionPossible({ ...asked, roleMeasurements: 0 }).earliestOn, '2026-11-08', 'two evaluations');
});

test('nothing missing: today, or the first school day', () => {
  assert.is(rti.decisionPossible(given).earliestOn, '2026-11-05');
  assert.is(rti.decisionPossible({ ...given, today: '2026-11-06' }).earliestOn, '2026-11-08');
});

test('without an assignment a new one can start today, and counts after its first complete week', () => {
  const asked = { ...given, plans: [], pooled: { planned: 0, credited: 0 } };
  // The rest of the week of Thursday is no instructional week.
  assert.is(rti.decisionPossible(asked).earliestOn, '2026-11-15');
});

test('circumstances, a halt, and a student without a role in focus: no day can be computed', () => {
  assert.is(rti.decisionPossible({ ...given, blocked: true }).earliestOn, null);
  assert.is(rti.decisionPossible({ ...given, role: null, progressKnown: false }).earliestOn, null);
});

const dayAt = (from: string, days: number): string => {
  const date = new Date(`${from}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
};
const isTaught = (day: string) => ![5, 6].includes(isoWeekday(day)) && !calendar.holidays.has(day);
const sundayOf = (day: string): string => dayAt(day, -(isoWeekday(day) % 7));
const weekOf = (sunday: string) => [0, 1, 2, 3, 4, 5, 6].map((at) => dayAt(sunday, at));

/** Complete weeks with three days of teaching from `from` on. */
function weeksBy(from: string, asOf: string): string[] {
  const sundays: string[] = [];
  for (let sunday = sundayOf(from); dayAt(sunday, 6) < asOf; sunday = dayAt(sunday, 7)) {
    if (weekOf(sunday).filter((day) => day >= from && isTaught(day)).length >= 3) sundays.push(sunday);
  }
  return sundays;
}

interface Week {
  readonly sunday: string;
  readonly planned: number;
  readonly credits: number;
}

function countedWeeks(plan: DeliveryPlan, asOf: string): Week[] {
  const until = plan.endedOn !== null && plan.endedOn < asOf ? plan.endedOn : asOf;
  const weeks: Week[] = [];
  let due = 0;
  for (const sunday of weeksBy(plan.startOn, until)) {
    if (due >= plan.sessionsPerWeek * plan.plannedWeeks) break;
    const days = weekOf(sunday).filter((day) => day >= plan.startOn && isTaught(day));
    const isPaused = days.every((day) => plan.pauses.some(({ from, to }) => from <= day && (to === null || day < to)));
    const planned = isPaused ? 0 : Math.min(plan.sessionsPerWeek, days.length);
    due += planned;
    const delivered = plan.deliveries.filter((day) => weekOf(sunday).includes(day)).length;
    weeks.push({ sunday, planned, credits: Math.min(delivered, planned + 1) });
  }
  return weeks;
}

function passes({ tier, tierSince }: PossibleQuestion, plans: readonly DeliveryPlan[], asOf: string): boolean {
  const all = plans.map((plan) => countedWeeks(plan, asOf).filter(({ sunday }) => sunday >= sundayOf(tierSince)));
  const sundays = [...new Set(all.flat().flatMap(({ planned, sunday }) => (planned > 0 ? [sunday] : [])))].sort();
  const newest = sundays.slice(-12);
  let [planned, credited] = [0, 0];
  for (const weeks of all) {
    const counted = weeks.filter(({ sunday }) => newest.includes(sunday));
    const due = counted.reduce((sum, week) => sum + week.planned, 0);
    planned += due;
    credited += Math.min(
      due,
      counted.reduce((sum, week) => sum + week.credits, 0),
    );
  }
  if (planned === 0) return tier === 1;
  return credited * 10 >= planned * 8;
}

function firstDayByHand(asked: PossibleQuestion): string | null {
  let probes = 0;
  for (let ahead = 0; ahead <= 100; ahead += 1) {
    const day = dayAt(asked.today, ahead);
    if (!isTaught(day)) continue;
    probes += 1;
    const plans = asked.plans.map((plan) => {
      const extra: string[] = [];
      for (let at = 0; plan.endedOn === null && at < ahead; at += 1) {
        const one = dayAt(asked.today, at);
        const isPaused = plan.pauses.some(({ from, to }) => from <= one && (to === null || one < to));
        if (isTaught(one) && one >= plan.startOn && !isPaused) extra.push(one);
      }
      return { ...plan, deliveries: [...new Set([...plan.deliveries, ...extra])] };
    });
    const isLong = asked.tier === 1 || weeksBy(asked.tierSince, day).length >= 6;
    const isKnown = asked.tier === 1 || asked.pointsSinceTier + probes >= 3;
    if (isLong && isKnown && passes(asked, plans, day)) return day;
  }
  return null;
}

test('the first day is the one that counting day by day finds', () => {
  const random = randomOf(7);
  const below = (most: number) => Math.floor(random() * most);
  let found = 0;
  for (let round = 0; round < 60; round += 1) {
    const today = dayAt('2026-10-25', below(30));
    const plans = Array.from({ length: below(3) }, (): DeliveryPlan => {
      const startOn = dayAt('2026-09-01', below(60));
      const ended = random() < 0.3;
      const deliveries = Array.from({ length: 70 }, (_, at) => dayAt(startOn, at)).filter(
        (day) => day < today && random() < 0.35,
      );
      const pauses = random() < 0.3 ? [{ from: dayAt(startOn, 7), to: dayAt(startOn, 7 + below(20)) }] : [];
      const endedOn = ended ? dayAt(startOn, 20 + below(20)) : null;
      const size = { sessionsPerWeek: 2 + below(2), plannedWeeks: 4 + below(6) };
      return { startOn, ...size, pauses, endedOn, deliveries };
    });
    const asked: PossibleQuestion = {
      ...{ tier: (1 + below(3)) as 1 | 2 | 3, tierSince: dayAt('2026-09-01', below(50)), today, calendar },
      ...{ blocked: false, weeksInTier: 0, pooled: { planned: 0, credited: 0 }, plans, role: 'DECODE' },
      ...{ progressKnown: false, pointsSinceTier: below(4), roleMeasurements: 0 },
    };
    const byHand = firstDayByHand(asked);
    if (byHand === null) continue;
    assert.is(rti.decisionPossible(asked).earliestOn, byHand, JSON.stringify(asked));
    found += 1;
  }
  assert.ok(found > 30, String(found));
});

test.run();
