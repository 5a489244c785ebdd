// 60 §1: what each mastery event brings, against a second reading of the contract over made-up years, and what no change of
// rules, calendar or order may do to a ledger.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { awardSteps, deriveLedger } from '#outcomes/rewards/engine/derive.ts';
import { celebrationKinds, type MasteryFact, masterySourceKinds } from '#outcomes/rewards/engine/enums.ts';
import { compileRewards, type RewardsDocument } from '#outcomes/rewards/engine/rules.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';
import { modelSteps } from './model.ts';

const document = bundle.values<RewardsDocument>('gamification/rewards');
const rules = compileRewards(document);
const rulesOf = () => rules;

/** Days go on, stand still or go back; sessions hold several events, so that some are full. */
const year = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...masterySourceKinds),
      session: fc.integer({ min: 1, max: 12 }),
      later: fc.constantFrom(-3, 0, 0, 1, 1, 1, 1, 2, 9, 14),
      missed: fc.constantFrom(0, 0, 0, 1, 6, 7, 8, 30),
    }),
    { maxLength: 90 },
  )
  .map((rows) => {
    let localDate = '2026-09-01';
    return rows.map(({ kind, session, later, missed }, at): MasteryFact => {
      localDate = daysAfter(localDate, later);
      return {
        ...{ id: at + 1, sourceKind: kind, naturalKey: String(at), sessionKey: `orf:${session}`, localDate },
        ...{ occurredAt: `${localDate}T08:00:00.000Z`, missedSchoolDays: missed },
        ruleVersion: 'gamification/rewards@1',
      };
    });
  });

test('60 §1: each step of made-up years is what a second reading of the contract says', () => {
  fc.assert(
    fc.property(year, (events) => {
      const steps = [...awardSteps(rulesOf, events)].map(({ award, after }) => ({
        credit: !award.credit
          ? ''
          : `credit ${award.credit.amount}${award.credit.cappedFrom ? ` of ${award.credit.cappedFrom}` : ''}`,
        badge: award.badge?.code ?? null,
        celebrations: award.celebrations.map(({ kind, value }) => `${kind} ${value}`),
        xpBalance: after.xpBalance,
        streak: award.streak,
        avatarTier: award.avatarTier,
      }));
      assert.equal(steps, modelSteps(events));
    }),
    { numRuns: 300, seed: 15 },
  );
});

test('60 §1: a session never credits more than 200, a badge comes once, a tier is passed once', () => {
  fc.assert(
    fc.property(year, (events) => {
      const steps = [...awardSteps(rulesOf, events)];
      const state = deriveLedger(rulesOf, events);
      assert.ok([...state.creditedBySession.values()].every((credited) => credited <= 200));
      const codes = steps.flatMap(({ award }) => (award.badge ? [award.badge.code] : []));
      assert.is(new Set(codes).size, codes.length);
      const celebrated = steps.flatMap(({ award }) => award.celebrations);
      assert.ok(celebrated.every(({ kind }) => celebrationKinds.includes(kind)));
      const tiers = celebrated.filter(({ kind }) => kind === 'avatar_tier').map(({ value }) => value);
      assert.equal(tiers, [2, 3, 4, 5].slice(0, state.avatarTier - 1));
    }),
    { numRuns: 200, seed: 16 },
  );
});

test('a rescind reverses what was booked, whatever the badge earns now, and the badge is never awarded twice', () => {
  const dearer = compileRewards({
    ...document,
    meta: { ...document.meta, version: 2 },
    badges: document.badges.map((badge) => ({ ...badge, bonusXp: 99 })),
  });
  fc.assert(
    fc.property(year, (events) => {
      fc.pre(events.length > 0);
      const both = (version: string) => (version === dearer.ruleVersion ? dearer : rules);
      const half = Math.ceil(events.length / 2);
      const pinned = events.map((event, at) => (at < half ? event : { ...event, ruleVersion: dearer.ruleVersion }));
      const kept = deriveLedger(both, pinned);
      const taken = deriveLedger(both, pinned, ['first_step', 'first_step', 'unknown']);
      assert.is(kept.xpBalance - taken.xpBalance, 10);
      assert.equal([...taken.awarded.keys()], [...kept.awarded.keys()]);
    }),
    { numRuns: 100, seed: 17 },
  );
});

test('higher thresholds take no tier away, lower ones celebrate each tier that is passed at the next event', () => {
  const changed = (version: number, avatarTiers: readonly number[]) =>
    compileRewards({ ...document, meta: { ...document.meta, version }, avatarTiers });
  const higher = changed(2, [50, 60, 70, 80]);
  const lower = changed(3, [1, 2, 3, 4]);
  const known = new Map([rules, higher, lower].map((one) => [one.ruleVersion, one]));
  const event = (id: number, ruleVersion: string): MasteryFact => ({
    ...{ id, sourceKind: 'subskill_state_up', naturalKey: String(id), sessionKey: `orf:${id}`, ruleVersion },
    ...{ occurredAt: '2026-10-04T08:00:00.000Z', localDate: '2026-10-04', missedSchoolDays: 0 },
  });
  const five = [1, 2, 3, 4, 5].map((id) => event(id, rules.ruleVersion));
  const of = (version: string) => {
    const found = known.get(version);
    assert.ok(found);
    return found;
  };
  const steps = [...awardSteps(of, [...five, event(6, higher.ruleVersion), event(7, lower.ruleVersion)])];
  assert.equal(
    steps.map(({ award }) => award.avatarTier),
    [1, 1, 1, 1, 2, 2, 5],
  );
  assert.equal(
    steps.at(-1)?.award.celebrations.map(({ value }) => value),
    [3, 4, 5],
  );
});

test.run();
