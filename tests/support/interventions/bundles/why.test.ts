// Reasons: every assignable bundle has its code, and the suggested changes lead to it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decide } from '#rules/rulesets/index.ts';
import type { OpenAssignment } from '#support/interventions/engine/bundles/covering.ts';
import type { RecommendationQuestion } from '#support/interventions/engine/bundles/recommend.ts';
import { compileWhy, type WhyQuestion } from '#support/interventions/engine/bundles/why.ts';
import { roleStatuses } from '#support/interventions/engine/profiles/role-status.ts';
import { isAssignable } from '#support/interventions/engine/vocabulary.ts';
import { bundle, type Differences, engines, runOf } from '../runs.ts';
import { noPast } from './no-past.ts';

const { recommendation, profiles } = engines;
const why = compileWhy(bundle, recommendation);
const table = bundle.table('bundle/recommendation');

function questionOf(student: Differences, more: Partial<RecommendationQuestion> = {}): WhyQuestion {
  const { grade = 2 } = student;
  const run = runOf(student);
  const profile = profiles.resolve(grade, run);
  const found = recommendation.recommend({
    ...{ grade, tier: 1, contextReview: false, acuteOpen: false, profile, open: [], past: () => noPast },
    ...{ counts: { Level_1: 0, Level_2: 0, Level_3: 0 }, anchorByOrf: false },
    ...more,
  });
  const statuses = roleStatuses(profiles.roles, grade, run).map(({ code, status }) => [code, status] as const);
  return { profile, found, roleStatuses: new Map(statuses) };
}
const codesOf = (...given: Parameters<typeof questionOf>) =>
  Object.fromEntries(why.notChosen(questionOf(...given)).map(({ bundle_id, code }) => [bundle_id, code]));

const weakWord: Differences = { skills: { DEC_WORD: 'weak_gateway' } };
const open: OpenAssignment = {
  ...{ assignmentId: 'a', bundle_id: 'BND-DECODE-01', anchorRole: null, activatedAt: '2026-01-01' },
  scaffoldTier: 'Level_3',
};

test('because: the facts that the two rules asked about, with the sub-skill of the anchor', () => {
  assert.equal(why.because(questionOf(weakWord)), [
    { fact: 'profileCode', value: 'DECODING_NEED', subSkillCode: null },
    { fact: 'grade', value: 2, subSkillCode: null },
    { fact: 'strongDECODE', value: true, subSkillCode: 'DEC_WORD' },
    { fact: 'bottleneckRole', value: 'none', subSkillCode: null },
  ]);
});

test('one entry for each assignable bundle but the recommended one, in catalogue order', () => {
  const expected = recommendation.catalogue.bundles
    .filter(({ objectType, bundle_id }) => isAssignable(objectType) && bundle_id !== 'BND-DECODE-01')
    .map(({ bundle_id }) => bundle_id);
  assert.equal(
    why.notChosen(questionOf(weakWord)).map(({ bundle_id }) => bundle_id),
    expected,
  );
});

test('codes: each for its reason', () => {
  const weak = codesOf(weakWord);
  assert.is(weak['BND-DECODE-02'], 'not_for_grade');
  assert.is(weak['BND-LANGUAGE-01'], 'role_not_in_need');
  assert.is(weak['CIB-DUAL-01'], 'needs_other_pattern');
  assert.is(weak['SUP-DECODE-01'], 'needs_other_pattern');
  assert.is(codesOf({ skills: { DEC_WORD: 'weak_isolated' } })['BND-DECODE-01'], 'needs_stronger_status');
  assert.is(codesOf(weakWord, { acuteOpen: true })['BND-DECODE-01'], 'acute_open');
  assert.is(codesOf(weakWord, { open: [open] })['CIB-DUAL-01'], 'covered_by_open');
  const past = () => ({ ...noPast, awaitingMeasure: true });
  assert.is(codesOf(weakWord, { past })['BND-DECODE-01'], 'await_measure');
  assert.is(codesOf({ halts: { DEC_WORD: 'INSUFFICIENT_ITEMS' } })['BND-DECODE-01'], 'await_measure');
});

test('from: with these facts the bundle is recommended, and they are a measurement’s to change', () => {
  let reported = 0;
  for (const student of [weakWord, {}, { skills: { DEC_WORD: 'monitor' } }, { ...weakWord, grade: 3 }] as const) {
    const question = questionOf(student);
    for (const { bundle_id, from, code } of why.notChosen(question)) {
      if (from === null) {
        assert.ok(code === 'not_for_grade' || bundle_id.startsWith('CSP') || bundle_id.startsWith('CIB'), bundle_id);
        continue;
      }
      reported += 1;
      assert.ok(from.length > 0);
      const changed = Object.fromEntries(from.map(({ fact, would }) => [fact, would]));
      for (const { fact, is } of from) {
        assert.not.ok(['grade', 'tier', 'acuteOpen', 'coveringOpen'].includes(fact), fact);
        assert.is(question.found.facts[fact as keyof typeof question.found.facts], is);
      }
      const facts = { ...question.found.facts, ...changed };
      const strongNeed = facts.profileCode.endsWith('_NEED');
      assert.is(decide(table, { ...facts, strongNeed }).outcome, bundle_id);
    }
  }
  assert.ok(reported > 40, String(reported));
});

test('from: null where no measurement of the child would do', () => {
  const all = (question: WhyQuestion) => why.notChosen(question).every(({ from }) => from === null);
  assert.ok(all(questionOf(weakWord, { acuteOpen: true })));
  assert.ok(all(questionOf(weakWord, { open: [open] })));
});

test.run();
