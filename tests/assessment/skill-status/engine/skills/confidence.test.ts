// Confidence follows the amount of evidence; strength follows confidence and the decision.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { subSkill } from '../students.ts';

const cases = [
  ['high', 'strong', 'd10 CCCC d12 CCCC', 'eight items over two sessions'],
  ['medium', 'moderate', 'd10 CCCCCCCC', 'eight items in one session'],
  ['medium', 'moderate', 'd10 CCC d12 CCCC', 'seven items over two sessions'],
  ['medium', 'moderate', 'd10 CCCCCC', 'six items in one session'],
  ['low', 'tentative', 'd10 CCCCC', 'five items in one session'],
  ['medium', 'moderate', 'd10 CC d12 CC', 'four items over two sessions'],
  ['medium', 'tentative', 'd10 MMMM d12 MMMM', 'behaviour takes high one step down; cautionary is tentative'],
  ['low', 'tentative', 'd10 MMMMMM', 'behaviour takes medium one step down'],
  ['low', 'tentative', 'd10 MMMM', 'never below low'],
  ['medium', 'moderate', 'd10 UUUUUU d12 CCC', 'a settled conflict takes one step'],
  ['medium', 'moderate', 'd10 UUUU d24 CCCC d25 UUUU', 'settled by weight'],
  ['high', 'tentative', 'd10 UCCC d12 UCCC', 'what is withheld is tentative'],
] as const;

for (const [confidence, strength, sessions, why] of cases) {
  test(`${confidence}, ${strength}: ${why}`, () => {
    const one = subSkill({ evidence: { LK_SHAPE: sessions } }, 'LK_SHAPE');
    assert.equal(one.outcome === 'decided' && [one.confidence, one.decisionStrength], [confidence, strength]);
  });
}

test('tentative: a label under review, for any amount of evidence', () => {
  const student = { contextReviewActive: true, evidence: { LK_SHAPE: 'd10 UUUU d12 UUUU' } };
  const one = subSkill(student, 'LK_SHAPE');
  assert.equal(one.outcome === 'decided' && [one.confidence, one.decisionStrength], ['high', 'tentative']);
});

test.run();
