// School years of random facts through the engine: local days around midnight, weekends, holidays, repeated facts, full
// sessions and rescinds.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { masterySourceKinds } from '#outcomes/rewards/engine/enums.ts';
import { evaluateRewards } from '#outcomes/rewards/engine/evaluate.ts';
import { compileRewards, type RewardsDocument } from '#outcomes/rewards/engine/rules.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';
import { modelSteps } from './model.ts';
import { type ModelFact, modelEvents, riyadhDate, schoolDaysBetween } from './year-model.ts';

const rules = compileRewards(bundle.values<RewardsDocument>('gamification/rewards'));
const hourMs = 3_600_000;
const firstDay = Date.parse('2025-09-01T00:00:00.000Z');

const holiday = fc.integer({ min: 0, max: 290 }).map((day) => riyadhDate(firstDay + day * 24 * hourMs));
const calendar = fc.record({
  weekend: fc.constantFrom([5, 6], [6, 7], [7], [5]),
  holidays: fc.uniqueArray(holiday, { maxLength: 25 }),
});

/** Most facts come within some days of the last one; some the same hour, some after a break. */
const facts = fc.array(
  fc.record({
    kind: fc.constantFrom(...masterySourceKinds),
    key: fc.integer({ min: 1, max: 40 }),
    session: fc.integer({ min: 1, max: 15 }),
    hoursLater: fc.constantFrom(0, 1, 2, 5, 20, 24, 24, 24, 27, 48, 72, 200, 264, 400),
  }),
  { minLength: 1, maxLength: 110, size: 'max' },
);

const year = fc.tuple(calendar, facts).map(([of, rows]): ModelFact[] => {
  let atMs = firstDay;
  return rows.map(({ kind, key, session, hoursLater }) => {
    atMs += hoursLater * hourMs;
    return { kind, naturalKey: `a:${key}`, sessionKey: `live:${session}`, atMs, calendar: of };
  });
});

const evaluated = (all: readonly ModelFact[], asOf?: string) =>
  evaluateRewards(
    rules,
    { ...(all[0] as ModelFact).calendar, timeZone: 'Asia/Riyadh', ...(asOf !== undefined && { asOf }) },
    all.map(({ kind, naturalKey, sessionKey, atMs }) => ({
      ...{ sourceKind: kind, naturalKey, sessionKey },
      occurredAt: new Date(atMs).toISOString(),
    })),
  );

interface Booked {
  readonly masteryEventId: number;
  readonly kind: string;
  readonly amount: number;
  readonly value: number;
  readonly code: string;
  readonly cappedFrom?: number;
}
const booked = (rows: readonly object[]) => rows as readonly Booked[];

test('60 §1: events, XP, badges, streak and celebrations of random years', () => {
  fc.assert(
    fc.property(year, (all) => {
      const events = modelEvents(all);
      const steps = modelSteps(events);
      const answer = evaluated(all);
      assert.equal(answer.events, events);
      const credits = booked(answer.xp).filter(({ kind }) => kind === 'credit');
      assert.equal(
        credits.map(({ masteryEventId, amount, cappedFrom }) => [
          masteryEventId,
          `credit ${amount}${cappedFrom ? ` of ${cappedFrom}` : ''}`,
        ]),
        steps.flatMap(({ credit }, at) => (credit === '' ? [] : [[at + 1, credit]])),
      );
      assert.equal(
        booked(answer.badges).map(({ code }) => code),
        steps.flatMap(({ badge }) => badge ?? []),
      );
      assert.equal(
        booked(answer.celebrations).map(({ masteryEventId, kind, value }) => [masteryEventId, `${kind} ${value}`]),
        steps.flatMap(({ celebrations }, at) => celebrations.map((one) => [at + 1, one])),
      );
      assert.equal(answer.streak, steps.at(-1)?.streak);
      assert.is(
        booked(answer.xp).reduce((sum, { amount }) => sum + amount, 0),
        steps.at(-1)?.xpBalance,
      );
    }),
    { numRuns: 150, seed: 60 },
  );
});

test('60 §1: a run is read as over once more than seven school days have passed without a tick', () => {
  fc.assert(
    fc.property(year, fc.integer({ min: 0, max: 40 }), (all, later) => {
      const last = all.at(-1) as ModelFact;
      const today = riyadhDate(last.atMs + later * 24 * hourMs);
      const streak = modelSteps(modelEvents(all)).at(-1)?.streak as { lastTickDate: string };
      const isOver = schoolDaysBetween(last.calendar, streak.lastTickDate, today) > 7;
      assert.equal(evaluated(all, today).streak, isOver ? { ...streak, current: 0 } : streak);
    }),
    { numRuns: 150, seed: 61 },
  );
});

test('the years hold what they are to prove', () => {
  const seen = new Set<string>();
  for (const all of fc.sample(year, { numRuns: 150, seed: 60 })) {
    const events = modelEvents(all);
    if (events.length < all.length) seen.add('reported twice');
    if (events.some(({ missedSchoolDays }) => missedSchoolDays === 7)) seen.add('just within the grace');
    if (events.some(({ missedSchoolDays }) => missedSchoolDays === 8)) seen.add('just beyond it');
    if (events.some(({ localDate, occurredAt }) => localDate !== occurredAt.slice(0, 10))) seen.add('after midnight');
    for (const { credit, badge, celebrations } of modelSteps(events)) {
      if (credit === '') seen.add('full');
      if (credit.includes('of')) seen.add('cut');
      for (const one of [badge, ...celebrations]) if (one) seen.add(one);
    }
  }
  const rare = ['reported twice', 'just within the grace', 'just beyond it', 'after midnight', 'full', 'cut'];
  const tiers = [2, 3, 4, 5].map((tier) => `avatar_tier ${tier}`);
  const runs = [5, 10, 20].flatMap((days) => [`streak_milestone ${days}`, `streak_${days}`]);
  const codes = bundle.values<RewardsDocument>('gamification/rewards').badges.map(({ code }) => code);
  assert.equal(
    [...rare, ...tiers, ...runs, ...codes].filter((one) => !seen.has(one)),
    [],
  );
});

test.run();
