// Every number that the document of rewards owns, moved to the ends of what it may be: it is refused, or the engine goes on
// answering.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { masterySourceKinds } from '#outcomes/rewards/engine/enums.ts';
import { evaluateRewards } from '#outcomes/rewards/engine/evaluate.ts';
import { compileRewards, type RewardsDocument } from '#outcomes/rewards/engine/rules.ts';
import { checkRuleText, isError } from '#rules/rulesets/index.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import { endCases, namesOf, refusalOf } from '../../contract/ends/cases.ts';
import { validators } from '../../rules/rulesets/document-schemas.ts';

const shipped = bundle.values<RewardsDocument>('gamification/rewards');
const days = ['2026-10-04', '2026-10-05', '2026-11-15', '2026-11-15'];
const facts = days.flatMap((localDate, day) =>
  masterySourceKinds.map((sourceKind) => ({ sourceKind, naturalKey: `${day}`, sessionKey: `orf:${day}`, localDate })),
);

test('gamification/rewards: each number at its ends is refused or answered', () => {
  const cases = endCases().filter((one) => namesOf(one).includes('gamification/rewards'));
  assert.ok(cases.length >= 2 * masterySourceKinds.length, String(cases.length));
  for (const { name, documents } of cases.filter((one) => refusalOf(one.documents).length === 0)) {
    const [document] = documents;
    const { xp, streak } = evaluateRewards(compileRewards(document as unknown as RewardsDocument), {}, facts);
    assert.ok(
      (xp as readonly { amount: number }[]).every(({ amount }) => amount >= 1),
      name,
    );
    assert.ok(streak.longest >= streak.current && streak.current >= 1, name);
  }
});

const refused = (change: Partial<Record<keyof RewardsDocument, unknown>>) =>
  checkRuleText(JSON.stringify({ ...shipped, ...change }), validators).some(isError);

test('a document with another kind, a badge without bonus, or another number of tiers is refused', () => {
  const [badge] = shipped.badges;
  assert.not.ok(refused({}));
  assert.ok(refused({ xp: { ...shipped.xp, logins: 5 } }));
  assert.ok(refused({ badges: [{ ...badge, bonusXp: 0 }] }));
  assert.ok(refused({ badges: [{ ...badge, condition: { logins: 5 } }] }));
  assert.ok(refused({ badges: [{ ...badge, condition: { events: 1, streak: 5 } }] }));
  assert.ok(refused({ avatarTiers: [5, 15, 35] }));
  assert.ok(refused({ streak: { graceSchoolDays: -1, milestones: [5] } }));
});

test.run();
