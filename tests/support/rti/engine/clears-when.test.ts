// The evidence that would end an alert, against a search over all combinations of facts.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AlertFacts } from '#support/rti/engine/alerts/alert.ts';
import type { RtiAlertKind } from '#support/rti/engine/vocabulary.ts';
import { calendar, calm, randomOf, rti } from './bundle.ts';

const today = '2026-11-08';
const asked = (kind: RtiAlertKind, facts: AlertFacts, state: 'open' | 'dismissed' | 'closed' = 'open') =>
  rti.clearsWhen({ kind, state, subSkillCode: kind === 'Skill_Alert' ? 'LK_SOUND' : null }, facts, calendar, today);

test('tier 1: each of the reasons has to go', () => {
  const facts = { ...calm, broadCount: 2, strongCount: 3, severeTile: true };
  assert.equal(asked('Student_Alert', facts), {
    from: [
      { fact: 'broadCount', is: 2, would: 0 },
      { fact: 'strongCount', is: 3, would: 1 },
      { fact: 'severeTile', is: true, would: false },
    ],
    earliestOn: today,
  });
});

test('tier 2: progress, and neither less delivery nor forgetting', () => {
  const facts = { ...calm, tier: 2, deliveredWeeks: 4, weeksInTier: 4, gate: 'pass', progress: 'below' } as const;
  assert.equal(asked('Student_Alert', facts)?.from, [{ fact: 'progress', is: 'below', would: 'mixed' }]);
});

test('a sub-skill alert ends with its own sub-skill, whatever the others', () => {
  const facts = { ...calm, skillHits: ['LK_SOUND', 'DEC_WORD'] };
  assert.equal(asked('Skill_Alert', facts)?.from, [{ fact: 'skillHit', is: true, would: false }]);
  assert.equal(asked('Skill_Alert', { ...calm, skillHits: ['DEC_WORD'] })?.from, []);
});

test('what only a decision ends, and what has ended', () => {
  const facts = { ...calm, tier: 2, weeksInTier: 9, deliveredWeeks: 9, gate: 'pass', progress: 'below' } as const;
  for (const kind of ['acute_regression_review', 'Intensive_Review', 'tier_review_due'] as const) {
    assert.is(asked(kind, facts), null, kind);
  }
  assert.is(asked('Student_Alert', facts, 'closed'), null);
  assert.is(asked('tier_review_due', { ...calm, tier: 2, reviewWeeks: 8 }, 'dismissed'), null, 'weeks are no evidence');
});

test('the first school day: neither weekend nor holiday', () => {
  const facts = { ...calm, strongCount: 2 };
  const of = (day: string) =>
    rti.clearsWhen({ kind: 'Student_Alert', state: 'open', subSkillCode: null }, facts, calendar, day)?.earliestOn;
  assert.equal([of('2026-11-06'), of('2026-11-10')], ['2026-11-08', '2026-11-15']);
  const never = { weekend: [1, 2, 3, 4, 5, 6, 7], holidays: new Set<string>() };
  const alert = { kind: 'Student_Alert', state: 'open', subSkillCode: null } as const;
  assert.is(rti.clearsWhen(alert, facts, never, today)?.earliestOn, null);
});

const counts = [0, 1, 2, 3, 4, 5, 6, 7];
const better = {
  progress: ['mixed', 'above'],
  broadCount: counts,
  strongCount: counts,
  severeTile: [false, true],
} as const;
type Movable = keyof typeof better;

/** Tries every combination of these facts. */
function fewestChanges(kind: RtiAlertKind, facts: AlertFacts): number {
  const alert = { kind, subSkillCode: 'LK_SOUND' };
  let fewest = Number.POSITIVE_INFINITY;
  const names = Object.keys(better) as Movable[];
  const tryFrom = (at: number, given: AlertFacts, changed: number) => {
    if (changed >= fewest) return;
    if (!rti.alerts.ownRuleHolds(alert, given)) fewest = changed;
    const name = names[at];
    if (name === undefined) return;
    tryFrom(at + 1, given, changed);
    for (const value of better[name]) {
      if (value !== facts[name]) tryFrom(at + 1, { ...given, [name]: value }, changed + 1);
    }
  };
  tryFrom(0, facts, 0);
  return fewest;
}

test('no fewer facts would do, and with those that are named the rules hold no more', () => {
  const random = randomOf(51);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let cleared = 0;
  for (let round = 0; round < 300; round += 1) {
    const facts: AlertFacts = {
      ...calm,
      tier: pick([1, 2, 3] as const),
      deliveredWeeks: pick([0, 4, 9]),
      gate: pick(['pass', 'fail', 'not_applicable'] as const),
      progress: pick(['unknown', 'below', 'mixed', 'above'] as const),
      ...{ broadCount: pick(counts), strongCount: pick(counts), severeTile: pick([true, false]) },
    };
    const found = asked('Student_Alert', facts);
    const fewest = fewestChanges('Student_Alert', facts);
    assert.is(found?.from.length, fewest, JSON.stringify(facts));
    const after = { ...facts, ...Object.fromEntries((found?.from ?? []).map(({ fact, would }) => [fact, would])) };
    assert.not(rti.alerts.ownRuleHolds({ kind: 'Student_Alert', subSkillCode: null }, after));
    assert.is(
      (found?.from ?? []).some(({ fact }) => fact === 'tier' || fact === 'grade'),
      false,
    );
    cleared += fewest > 0 ? 1 : 0;
  }
  assert.ok(cleared > 100, String(cleared));
});

test.run();
