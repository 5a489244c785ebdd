// Roll-up from domains to tiles: DSM, both escalation paths, comprehension, the overall picture, the student's outcome.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileTileValue } from '#assessment/skill-status/engine/domains/tile.ts';
import type { SkillStatus } from '#assessment/skill-status/engine/vocabulary.ts';
import { bundle } from '../rules.ts';
import { domain, evaluate, type Student } from '../students.ts';

const tileOf = compileTileValue(bundle);
const quiet = {
  inScope: 4,
  decided: 4,
  coverage: 1,
  coverageOk: true,
  rawWeightedDeficitRate: 0,
  gatewaySeverity: null,
  validEvidence: true,
};

const tiles: readonly (readonly [string, SkillStatus, number, string])[] = [
  ['DSM-01', 'contextual_review', 0.25, 'Contextual'],
  ['DSM-02', 'cautionary_weakness_with_metadata', 1, 'Partial'],
  ['DSM-03', 'weak_gateway', 0.25, 'Below'],
  ['DSM-04', 'broad_weakness_related', 0.25, 'Below'],
  ['DSM-05', 'weak_domain_related', 0.25, 'Below'],
  ['DSM-06', 'adequate', 0.4999, 'Partial'],
  ['DSM-07', 'weak_isolated', 0.5, 'Approaching'],
  ['DSM-08', 'monitor', 0.5, 'Approaching'],
  ['DSM-08', 'monitor_gateway', 1, 'Approaching'],
  ['DSM-09', 'adequate', 0.5, 'Meets'],
];
for (const [rule, status, coverage, value] of tiles) {
  test(`${rule}: ${status} at coverage ${coverage} shows ${value}`, () => {
    const tile = tileOf(status, { ...quiet, coverage });
    assert.equal(tile, { dsmRuleId: rule, base: value, value, severePath: null });
  });
}

// Status, severity, valid evidence, rate → path.
const escalations: readonly (readonly [SkillStatus, number | null, boolean, number, string | null])[] = [
  ['weak_gateway', 0.6, false, 0.9, 'A'],
  ['weak_gateway', 0.5999, false, 0.9, null],
  ['broad_weakness_related', 0.6, false, 0.9, 'A'],
  ['weak_domain_related', 0.9, false, 0.9, null],
  ['weak_gateway', 0.5, true, 0.5, 'B'],
  ['weak_gateway', 0.5, true, 0.4999, null],
  ['weak_domain_related', null, true, 0.5, 'B'],
  ['broad_weakness_related', null, true, 0.5, 'B'],
  ['weak_gateway', 0.6, true, 0.5, 'AB'],
  ['weak_isolated', 0.9, true, 0.9, null],
  ['contextual_review', 0.9, true, 0.9, null],
];
for (const [status, gatewaySeverity, validEvidence, rawWeightedDeficitRate, path] of escalations) {
  const known = `severity ${gatewaySeverity}, ${validEvidence ? 'valid' : 'thin'} evidence, rate ${rawWeightedDeficitRate}`;
  test(`ESC: ${status} with ${known} → path ${path}`, () => {
    const figures = { ...quiet, gatewaySeverity, validEvidence, rawWeightedDeficitRate };
    const { severePath, value } = tileOf(status, figures);
    assert.is(severePath, path);
    assert.is(value === 'Severe', path !== null);
  });
}

test('ESC-A: three of five wrong is 0.5 after shrinking, not severe', () => {
  const one = domain({ evidence: { LK_SOUND: 'd10 UUUCC' } }, 'LK');
  assert.is(one.figures.gatewaySeverity, 0.5);
  assert.is(one.outcome === 'decided' && one.tile.value, 'Below');
});

test('ESC-B: seven items behind the rate are not valid evidence, eight are', () => {
  const valid = (sessions: string) =>
    domain({ grade: 4, evidence: { FLU_TEXT: sessions } }, 'FLU').figures.validEvidence;
  assert.is(valid('d10 UUUUUUU'), false);
  assert.is(valid('d10 UUUUUUUU'), true);
});

// Reading comprehension is weak in a grade-3 student; decoding and language vary.
const weakReading = { RC_LITERAL: 'd10 UUUU', RC_INFER: 'd10 UUUU' };
const okDecoding = { DEC_WORD: 'd10 CCCC' };
const weakDecoding = { DEC_WORD: 'd10 UUUU' };
const okLanguage = { LIS_LITERAL: 'd10 CCCC' };
const weakLanguage = { LIS_LITERAL: 'd10 UUUU' };
const readers: readonly (readonly [string | null, string | null, string, string | null, Student['evidence']])[] = [
  ['DDR-LC-01', 'combined_dual_bottleneck', 'dual_track', null, { ...weakReading, ...weakDecoding, ...weakLanguage }],
  ['DDR-LC-02', 'decoding_bottleneck', 'decode_first', null, { ...weakReading, ...weakDecoding, ...okLanguage }],
  ['DDR-LC-03', 'language_bottleneck', 'language_first', null, { ...weakReading, ...okDecoding, ...weakLanguage }],
  ['DDR-LC-04', 'text_strategy_bottleneck', 'text_strategies', null, { ...weakReading, ...okDecoding, ...okLanguage }],
  [
    'DDR-LC-DEFAULT',
    'inconclusive_needs_more_data',
    'collect_more_data',
    'assess_decoding',
    { ...weakReading, ...weakLanguage },
  ],
  [
    'DDR-LC-DEFAULT',
    'inconclusive_needs_more_data',
    'collect_more_data',
    'assess_listening',
    { ...weakReading, ...okDecoding },
  ],
  [
    'DDR-LC-DEFAULT',
    'inconclusive_needs_more_data',
    'collect_more_data',
    'repeat_diagnostic',
    { RC_LITERAL: 'd10 MMMM', ...okDecoding, ...okLanguage },
  ],
  [null, null, 'none', null, { RC_LITERAL: 'd10 CCCC' }],
  [null, null, 'none', null, { RC_LITERAL: 'd10 UCCC', ...weakDecoding }],
  [null, null, 'collect_more_data', 'assess_comprehension', weakDecoding],
];
for (const [ruleId, pattern, compRoutingHint, action, evidence] of readers) {
  test(`${ruleId ?? 'DDR-LC not asked'}: ${Object.keys(evidence).join(', ')} → ${pattern ?? compRoutingHint}, ${action}`, () => {
    const { comprehension } = evaluate({ grade: 3, evidence });
    assert.is(comprehension.ruleId, ruleId);
    assert.is(comprehension.pattern, pattern);
    assert.is(comprehension.compRoutingHint, compRoutingHint);
    assert.is(comprehension.nextRecommendedDataAction, action);
  });
}

const tile = (student: Student, code: string) => evaluate(student).tiles.find((one) => one.tile.code === code);

test('tiles: the worst domain counts, and an undecided domain in scope counts as Partial', () => {
  const covered = { LK_SOUND: 'd10 CCCC', LK_FORM: 'd10 CCCC' };
  const both = { ...covered, PA_BLEND: 'd10 CCCC', PA_SEGMENT: 'd10 CCCC' };
  assert.is(tile({ evidence: covered }, 'FOUNDATIONS')?.status, 'Partial');
  assert.is(tile({ evidence: both }, 'FOUNDATIONS')?.status, 'Meets');
  assert.is(tile({ evidence: { ...both, LK_SHAPE: 'd10 UCCC' } }, 'FOUNDATIONS')?.status, 'Approaching');
  assert.is(tile({ evidence: { ...covered, PA_BLEND: 'd10 UUUC' } }, 'FOUNDATIONS')?.status, 'Severe');
});

test('tiles: paths A and B of two domains join to AB', () => {
  const evidence = { PA_BLEND: 'd10 UUUUU', LK_FORM: 'd10 UUUU', LK_SHAPE: 'd10 UUUU' };
  assert.is(tile({ evidence }, 'FOUNDATIONS')?.severePath, 'AB');
});

test('tiles: without a domain in scope a tile is not applicable and the picture ignores it', () => {
  const evidence = { DEC_MULTI: 'd10 CCCC', DEC_UNVOWELLED: 'd10 CCCC' };
  const foundations = tile({ grade: 4, evidence }, 'FOUNDATIONS');
  assert.equal([foundations?.status, foundations?.applicable], ['Not_Assessed', false]);
  assert.is(domain({ grade: 4, evidence }, 'PA').outcome, 'not_in_scope');
});

test('scope: four distinct scored items bring a sub-skill of another grade into scope, three do not', () => {
  const codes = (sessions: string) =>
    evaluate({ grade: 4, evidence: { LK_NAME: sessions } }).subSkills.map((one) => one.subSkill.code);
  assert.ok(codes('d10 CCCC').includes('LK_NAME'));
  assert.not.ok(codes('d10 CCCRRN').includes('LK_NAME'));
});

test('GSR-01: the sentinel carries action and items needed; oral fluency always asks for an oral reading', () => {
  const { subSkills, domains, ...student } = evaluate({ evidence: { LK_FORM: 'd10 CC', FLU_TEXT: 'd10 NN' } });
  const found = subSkills.flatMap((one) => (one.outcome === 'do_not_decide_yet' ? [one] : []));
  assert.equal(
    found.map((one) => [one.subSkill.code, one.pacReason, one.nextRecommendedDataAction, one.itemsNeeded]),
    [
      ['LK_FORM', 'INSUFFICIENT_ITEMS', 'administer_more_items', 2],
      ['FLU_TEXT', 'NO_EVIDENCE', 'administer_orf', 4],
    ],
  );
  const halted = domains.flatMap((one) => (one.outcome === 'do_not_decide_yet' ? [one.nextRecommendedDataAction] : []));
  assert.equal(halted, ['administer_more_items', 'administer_orf']);
  assert.equal([student.outcome, student.nextRecommendedDataAction], ['do_not_decide_yet', 'administer_more_items']);
});

const halts: readonly (readonly [boolean, string, string])[] = [
  [true, 'd10 CCC', 'too few items'],
  [true, 'd10 UUUU d12 CCCC', 'a conflict'],
  [false, 'd10 NNN', 'nothing scored'],
  [false, 'd10 VVV', 'nothing analysable'],
  [false, 'd10 CCCC', 'enough'],
];
for (const [halted, sessions, why] of halts) {
  test(`halted is ${halted} with ${why}`, () => {
    assert.is(evaluate({ evidence: { LK_SOUND: 'd10 CCCC', LK_FORM: sessions } }).halted, halted);
  });
}

test('outcome: complete only when something is decided and nothing is halted', () => {
  assert.is(evaluate({ evidence: { LK_FORM: 'd10 CCCC' } }).outcome, 'decided');
  assert.is(evaluate({ evidence: { LK_FORM: 'd10 CCCC', LK_SHAPE: 'd10 NNN' } }).outcome, 'do_not_decide_yet');
  assert.is(evaluate({ evidence: { LK_FORM: 'd10 VVV' } }).nextRecommendedDataAction, 'run_diagnostic');
});

test.run();
