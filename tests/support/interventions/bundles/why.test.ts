// Reasons: every assignable bundle has its code, and the suggested changes lead to it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { OpenAssignment } from '#support/interventions/engine/bundles/covering.ts';
import type { RecommendationQuestion } from '#support/interventions/engine/bundles/recommend.ts';
import { compileWhy, type WhyQuestion } from '#support/interventions/engine/bundles/why.ts';
import type { EngineProfile } from '#support/interventions/engine/profiles/resolve.ts';
import { roleStatuses } from '#support/interventions/engine/profiles/role-status.ts';
import { isAssignable } from '#support/interventions/engine/vocabulary.ts';
import { bundle, type Differences, engines, runOf } from '../runs.ts';
import { bundleByHand, type Statuses } from './by-hand.ts';
import { noPast } from './no-past.ts';

const { recommendation, profiles } = engines;
const why = compileWhy(bundle, { catalogue: recommendation.catalogue, profiles });

function questionOf(student: Differences = {}, more: Partial<RecommendationQuestion> = {}): WhyQuestion {
  const { grade = 2 } = student;
  const run = runOf(student);
  const profile = profiles.resolve(grade, run);
  const recommendFor = (one: EngineProfile) =>
    recommendation.recommend({
      ...{ grade, tier: 1, contextReview: false, acuteOpen: false, profile: one, open: [], past: () => noPast },
      ...{ counts: { Level_1: 0, Level_2: 0, Level_3: 0 }, anchorByOrf: false },
      ...more,
    });
  const statuses = roleStatuses(profiles.roles, grade, run).map(({ code, status }) => [code, status] as const);
  const measured = { grade, run, recommendFor };
  return { profile, found: recommendFor(profile), roleStatuses: new Map(statuses), measured };
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

test('because: each fact once, and the profile for a rule without conditions', () => {
  const halted = questionOf({ halts: { DEC_WORD: 'INSUFFICIENT_ITEMS' } });
  assert.equal(why.because(halted), [{ fact: 'dndy', value: true, subSkillCode: null }]);
  const onTrack = { fact: 'profileCode', value: 'ON_TRACK', subSkillCode: null };
  assert.equal(why.because(questionOf()), [onTrack]);
  assert.equal(why.because(questionOf({}, { acuteOpen: true })), [
    { fact: 'acuteOpen', value: true, subSkillCode: null },
    onTrack,
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

/** Domains that a run has a status of. */
const statusesOf = (student: Differences): Statuses =>
  Object.fromEntries(
    Object.entries(runOf(student).domains).flatMap(([code, { status }]) => (status ? [[code, status]] : [])),
  );

/** Worst to best, contract 40. */
const order = [
  ...['broad_weakness_related', 'weak_gateway', 'weak_domain_related', 'weak_isolated'],
  ...['monitor_gateway', 'monitor', 'adequate'],
] as const;
/** The order of the catalogue, contract 30 §1. */
const domains = ['PA', 'LK', 'DEC', 'ACC', 'FLU', 'LIS', 'VOC', 'RC', 'SPL'];

/** The first change that leads to each bundle, by trying all of them. */
function changesByHand(student: Differences, open: readonly OpenAssignment[] = []) {
  const before = statusesOf(student);
  const grade = student.grade ?? 2;
  const halted = Object.keys(student.halts ?? {}).length > 0;
  const indicators = Object.entries(student.skills ?? {});
  const indicatorOnly = indicators.length > 0 && indicators.every(([code]) => code.startsWith('ACC_'));
  const found: Record<string, unknown> = {};
  const attempt = (...changes: [string, (typeof order)[number]][]) => {
    if (changes.some(([code, would]) => before[code] === undefined || before[code] === would)) return;
    const statuses = { ...before, ...Object.fromEntries(changes) };
    const id = bundleByHand({ grade, halted, indicatorOnly, statuses }, open);
    if (id === null) return;
    found[id] ??= changes.map(([domainCode, would]) => ({
      ...{ fact: 'domainStatus', domainCode, is: before[domainCode], would },
    }));
  };
  for (const one of domains) for (const would of order) attempt([one, would]);
  for (const [at, one] of domains.entries()) {
    for (const other of domains.slice(at + 1)) {
      for (const first of order) for (const second of order) attempt([one, first], [other, second]);
    }
  }
  return found;
}

const seen: Differences['domains'] = { ACC: 'adequate', PA: 'adequate', FLU: 'adequate', SPL: 'adequate' };
const students: readonly Differences[] = [
  {},
  { domains: seen },
  { domains: seen, grade: 1 },
  { domains: seen, grade: 4 },
  weakWord,
  { ...weakWord, domains: seen },
  { ...weakWord, domains: seen, grade: 3 },
  { skills: { DEC_WORD: 'monitor' } },
  { domains: { ...seen, DEC: 'weak_isolated' } },
  { domains: { ...seen, LK: 'weak_isolated', RC: 'weak_isolated' } },
  { domains: { ...seen, RC: 'weak_domain_related', DEC: 'cautionary_weakness_with_metadata' } },
  { domains: { ...seen, DEC: 'broad_weakness_related', LIS: 'broad_weakness_related' } },
  { domains: { ...seen, DEC: 'weak_gateway', LIS: 'weak_domain_related', RC: 'weak_domain_related' } },
  { domains: { ...seen, LIS: 'contextual_review' } },
  { domains: { LIS: null } },
  { skills: { ACC_SHADDA: 'weak_isolated' }, domains: { ...seen, ACC: 'monitor' } },
  { skills: { DEC_WORD: 'weak_gateway' }, halts: { LK_SOUND: 'CONFLICTING_EVIDENCE' } },
];

test('from: the first one or two statuses that lead to the bundle, as found by trying all of them', () => {
  const lengths: number[] = [];
  for (const student of students) {
    const expected = changesByHand(student);
    for (const { bundle_id, from } of why.notChosen(questionOf(student))) {
      assert.equal(from, expected[bundle_id] ?? null, `${bundle_id} ${JSON.stringify(student)}`);
      lengths.push(from?.length ?? 0);
    }
  }
  for (const [length, least] of [
    [0, 100],
    [1, 40],
    [2, 40],
  ] as const) {
    assert.ok(lengths.filter((one) => one === length).length > least, `${length}: ${lengths.join('')}`);
  }
});

test('from: an open plan covers its role alone', () => {
  const question = questionOf({ ...weakWord, domains: seen }, { open: [open] });
  const expected = changesByHand({ ...weakWord, domains: seen }, [open]);
  for (const { bundle_id, from } of why.notChosen(question)) assert.equal(from, expected[bundle_id] ?? null, bundle_id);
  const byId = new Map(why.notChosen(question).map((one) => [one.bundle_id, one]));
  assert.equal(byId.get('BND-PHON-01')?.from, [
    { fact: 'domainStatus', domainCode: 'PA', is: 'adequate', would: 'broad_weakness_related' },
  ]);
});

test('from: null where no measurement of the child would do, and where nothing was measured', () => {
  const all = (question: WhyQuestion) => why.notChosen(question).every(({ from }) => from === null);
  assert.ok(all(questionOf(weakWord, { acuteOpen: true })));
  assert.ok(all(questionOf({ halts: { DEC_WORD: 'INSUFFICIENT_ITEMS' } })));
  assert.ok(all({ ...questionOf(weakWord), measured: null }));
});

test.run();
