// One student for each rule of the pipeline, and the facts on either side of its thresholds.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { domain, evaluate, type Student, subSkill } from './students.ts';

const only = (code: string, sessions: string, student: Partial<Student> = {}): Student => ({
  ...student,
  evidence: { [code]: sessions },
});

// Rule → the letter of one response.
const codes = [
  ['ADR-01', 'V', 'VOID_NOT_ANALYSABLE', 0, 0],
  ['ADR-02', 'N', 'NO_RESPONSE', 0, 0],
  ['ADR-03', 'R', 'REPEAT_NOT_COUNTED', 0, 0],
  ['ADR-04', 'P', 'CORRECT_WITH_SUPPORT', 0.5, 0],
  ['ADR-05', 'L', 'CORRECT_SLOW', 1, 0],
  ['ADR-06', 'C', 'CORRECT_SECURE', 1, 0],
  ['ADR-07', 'X', 'ERROR_DESPITE_SUPPORT', 1, 1],
  ['ADR-08', 'Q', 'ERROR_PREREQUISITE', 1, 1],
  ['ADR-09', 'T', 'ERROR_TARGET_PATTERN', 1, 1],
  ['ADR-10', 'A', 'ERROR_ACCURACY_MARK', 1, 0.5],
  ['ADR-11', 'E', 'ERROR_AFTER_EFFORT', 1, 1],
  ['ADR-12', 'U', 'ERROR_UNSPECIFIC', 1, 1],
] as const;
for (const [rule, letter, code, weight, deficit] of codes) {
  test(`${rule}: ${code} weighs ${weight}, half of that in practice, and shows a deficit of ${deficit}`, () => {
    const [inDiagnostic] = evaluate(only('LK_SOUND', `d10 ${letter}`)).coded;
    const [inPractice] = evaluate(only('LK_SOUND', `p10 ${letter}`)).coded;
    assert.is(inDiagnostic?.ruleId, rule);
    assert.is(inDiagnostic?.code, code);
    assert.is(inDiagnostic?.weight, weight);
    assert.is(inPractice?.weight, weight / 2);
    assert.is(inDiagnostic?.deficit, deficit);
  });
}

// Rule, state → sessions of LK_SOUND, and the band that follows.
const conflicts = [
  ['CIS-01', 'none', 'd10 UUCC d20 UUCC', 'severe', 'both sessions weak'],
  ['CIS-01', 'none', 'd10 U d20 CCCC', 'mild', 'a single answer takes no side'],
  ['CIS-01', 'none', 'd10 UCCC d20 CCCC', 'none', 'a quarter wrong is neutral'],
  ['CIS-01', 'none', 'd10 UUUU d12 UCCCC', 'severe', 'a fifth wrong is neutral'],
  ['CIS-01', 'none', `d10 ${'U'.repeat(6)}${'C'.repeat(14)} d12 CCCC`, 'mild', 'six of twenty are neutral'],
  ['CIS-02', 'resolved_weight', `d10 ${'U'.repeat(7)}${'C'.repeat(13)} d12 CCCC`, 'mild', 'seven of twenty are weak'],
  ['CIS-04', 'unresolved', `d10 ${'U'.repeat(23)} d12 ${'C'.repeat(17)}`, 'severe', '23 to 17 balance each other'],
  ['CIS-02', 'resolved_weight', `d10 ${'U'.repeat(24)} d12 ${'C'.repeat(17)}`, 'severe', '24 to 17 do not'],
  ['CIS-02', 'resolved_weight', 'd10 UUUUUU d12 CCC', 'severe', 'weak side heavier'],
  ['CIS-02', 'resolved_weight', 'd10 UUUU d12 CCCCCC', 'mild', 'ok side heavier holds the band at mild'],
  ['CIS-03', 'resolved_tiebreak', 'd10 UUUU p20 CCCCCCCC', 'severe', 'the diagnostic is the authority'],
  ['CIS-03', 'resolved_tiebreak', 'p10 UUUUUUUU d12 CCCC', 'mild', 'the authority is on the ok side'],
  ['CIS-03', 'resolved_tiebreak', 'd10 UUUU d24 CCCC', 'mild', 'newer by 14 days'],
  ['CIS-03', 'resolved_tiebreak', 'd10 CCCC d24 UUUU', 'severe', 'weaker by 14 days'],
  ['CIS-04', 'unresolved', 'd10 UUUU d23 CCCC', 'severe', '13 days are not enough'],
] as const;
for (const [rule, state, sessions, band, why] of conflicts) {
  test(`${rule}: ${why}`, () => {
    const { confirmation } = subSkill(only('LK_SOUND', sessions), 'LK_SOUND');
    assert.is(confirmation.cisRuleId, rule);
    assert.is(confirmation.facts.conflictState, state);
    assert.is(confirmation.facts.deficitBand, band);
  });
}

test('CIS-03: a moment less than 14 days is not enough', () => {
  const student = only('LK_SOUND', 'd10 UUUU d24 CCCC');
  const later = (days: string, ms: string) => `2026-01-${days}T09:00:00.${ms}Z`;
  assert.is(subSkill(student, 'LK_SOUND').confirmation.cisRuleId, 'CIS-03');
  assert.is(conflictBetween(later('10', '001'), later('24', '000')), 'CIS-04');
});

// Rule, reason → sessions of LK_SHAPE (no gateway).
const confirmations = [
  ['PAC-01', 'NO_EVIDENCE', 'd10 NNN'],
  ['PAC-02', 'INSUFFICIENT_ITEMS', 'd10 CCC'],
  ['PAC-03', 'CONFLICTING_EVIDENCE', 'd10 UUUU d12 CCCC'],
  ['PAC-04', 'SUPPORTED_SUCCESS_ONLY', 'd10 PPCC'],
  ['PAC-05', 'SLOW_BUT_ACCURATE', 'd10 LLCC'],
  ['PAC-06', 'STRENGTH', 'd10 PCCC'],
  ['PAC-07', 'MILD_PATTERN', 'd10 TTCCCC'],
  ['PAC-08', 'MILD_UNPATTERNED', 'd10 TSCCCC'],
  ['PAC-09', 'SINGLE_SESSION_MARKED', 'd10 UUCCC'],
  ['PAC-10', 'WEAKNESS_BEHAVIOUR', 'd10 MTTMC'],
  ['PAC-11', 'WEAKNESS_PREREQUISITE', 'd10 QTQTC'],
  ['PAC-11', 'WEAKNESS_PREREQUISITE', 'd10 QUCCC'],
  ['PAC-12', 'WEAKNESS_PATTERN', 'd10 TTCCC'],
  ['PAC-13', 'WEAKNESS_PLAIN', 'd10 UUCC'],
  ['PAC-13', 'WEAKNESS_PLAIN', 'd10 UUCCC d11 UUCCC'],
] as const;
for (const [rule, reason, sessions] of confirmations) {
  test(`${rule}: ${reason} from ${sessions}`, () => {
    const { confirmation, pacReason } = subSkill(only('LK_SHAPE', sessions), 'LK_SHAPE');
    assert.is(confirmation.pac.pacRuleId, rule);
    assert.is(pacReason, reason);
  });
}

// State → sessions of LK_SHAPE.
const patterns = [
  ['none', 'd10 UUUC', null],
  ['single', 'd10 TSCC', 'm1'],
  ['linked', 'd10 TSSC', 'm2'],
  ['linked', 'd10 TTTC', 'm1'],
  ['single', 'd10 TCCC d11 TCCC', 'm1'],
  ['persistent', 'd10 TTCC d11 TCCC', 'm1'],
] as const;
for (const [state, sessions, leading] of patterns) {
  test(`pattern state ${state} from ${sessions}`, () => {
    const { confirmation } = subSkill(only('LK_SHAPE', sessions), 'LK_SHAPE');
    assert.is(confirmation.facts.patternState, state);
    assert.is(confirmation.leadingMicroPattern, leading);
  });
}

const weakDomains = { PA_SEGMENT: 'd10 UUUU', LK_SHAPE: 'd10 UUUU', DEC_PSEUDO: 'd10 UUUU' };
// Rule, status → sub-skill and student.
const statuses: readonly (readonly [string, string | null, string, Student])[] = [
  ['SSR-01', null, 'LK_SHAPE', only('LK_SHAPE', 'd10 CCC')],
  ['SSR-02', 'contextual_review', 'LK_SHAPE', only('LK_SHAPE', 'd10 UUUU', { contextReviewActive: true })],
  ['SSR-03', 'adequate', 'LK_SHAPE', only('LK_SHAPE', 'd10 CCCC', { contextReviewActive: true })],
  ['SSR-04', 'monitor_gateway', 'LK_SOUND', only('LK_SOUND', 'd10 UCCC')],
  ['SSR-05', 'monitor', 'LK_SHAPE', only('LK_SHAPE', 'd10 UCCC')],
  ['SSR-06', 'weak_isolated', 'ACC_MADD', { evidence: { ...weakDomains, ACC_MADD: 'd10 UUUU' } }],
  ['SSR-07', 'cautionary_weakness_with_metadata', 'LK_SOUND', only('LK_SOUND', 'd10 MMMC')],
  ['SSR-08', 'weak_gateway', 'LK_SOUND', { evidence: { ...weakDomains, LK_SOUND: 'd10 UUUU' } }],
  ['SSR-09', 'broad_weakness_related', 'LK_SHAPE', { evidence: weakDomains }],
  ['SSR-10', 'weak_domain_related', 'SPL_WORD', { evidence: { LK_FORM: 'd10 UUUU', SPL_WORD: 'd10 QQQQ' } }],
  ['SSR-11', 'weak_domain_related', 'LK_SHAPE', { evidence: { LK_SHAPE: 'd10 UUUU', LK_FORM: 'd10 UUUU' } }],
  ['SSR-12', 'weak_isolated', 'LK_SHAPE', { evidence: { LK_SHAPE: 'd10 UUUU', LK_FORM: 'd10 CCCC' } }],
];
for (const [rule, status, code, student] of statuses) {
  test(`${rule}: ${status ?? 'no status'}`, () => {
    const one = subSkill(student, code);
    assert.is(one.ssrRuleId, rule);
    assert.is(one.outcome === 'decided' ? one.status : null, status);
    assert.equal(one.modifiers, rule === 'SSR-06' ? ['ARABIC_ACCURACY_ONLY_MONITOR'] : []);
  });
}

test('SSR-10: without a weak prerequisite the chain is not weak', () => {
  const student = { evidence: { LK_FORM: 'd10 CCCC', SPL_WORD: 'd10 QQQQ' } };
  assert.is(subSkill(student, 'SPL_WORD').ssrRuleId, 'SSR-12');
});

// Rule → the letter-knowledge domain of a grade-2 student (LK_SOUND G, LK_FORM, LK_SHAPE, LK_CLOSE_SOUND in scope).
const domains: readonly (readonly [string, string | null, Student])[] = [
  ['DDR-01', null, only('LK_SHAPE', 'd10 CCC')],
  ['DDR-02', 'contextual_review', only('LK_SHAPE', 'd10 UUUU', { contextReviewActive: true })],
  ['DDR-03', 'broad_weakness_related', { evidence: weakDomains }],
  ['DDR-04', 'weak_gateway', only('LK_SOUND', 'd10 UUUU')],
  ['DDR-05', 'weak_domain_related', { evidence: { LK_SHAPE: 'd10 UUUU', LK_FORM: 'd10 UUUU' } }],
  ['DDR-06', 'weak_isolated', only('LK_SHAPE', 'd10 UUUU')],
  ['DDR-07', 'cautionary_weakness_with_metadata', only('LK_SHAPE', 'd10 MMMM')],
  ['DDR-08', 'monitor_gateway', only('LK_SOUND', 'd10 UCCC')],
  ['DDR-09', 'monitor', only('LK_SHAPE', 'd10 UCCC')],
  ['DDR-10', 'adequate', only('LK_SHAPE', 'd10 CCCC')],
];
for (const [rule, status, student] of domains) {
  test(`${rule}: ${status ?? 'no status'}`, () => {
    const one = domain(student, 'LK');
    assert.is(one.ruleId, rule);
    assert.is(one.outcome === 'decided' ? one.status : null, status);
  });
}

test('DDR-05: one weak sub-skill is coherent when it is half of the core in scope', () => {
  assert.is(domain(only('FLU_WORD', 'd10 UUUU'), 'FLU').ruleId, 'DDR-05');
});

// Spelling of a grade-3 student: SPL_WORD is core, SPL_TAA an accuracy indicator.
const accuracyOnly = [
  [true, 'CCCC', 'UUUU', 'an indicator is weak, the core is fine'],
  [false, 'UCCC', 'UUUU', 'the core is monitored too'],
  [false, 'CCCC', 'UCCC', 'the indicator is monitored only'],
  [false, 'UUUU', 'UUUU', 'the core is weak'],
] as const;
for (const [found, core, indicator, why] of accuracyOnly) {
  test(`DDR modifier ARABIC_ACCURACY_ONLY_MONITOR is ${found ? 'set' : 'absent'}: ${why}`, () => {
    const one = domain({ grade: 3, evidence: { SPL_WORD: `d10 ${core}`, SPL_TAA: `d10 ${indicator}` } }, 'SPL');
    assert.equal(one.outcome === 'decided' && one.modifiers, found ? ['ARABIC_ACCURACY_ONLY_MONITOR'] : []);
  });
}

function conflictBetween(weakEndedAt: string, okEndedAt: string): string {
  const ends = [weakEndedAt, okEndedAt];
  const student = only('LK_SOUND', 'd10 UUUU d24 CCCC');
  return subSkill(student, 'LK_SOUND', (base) => ({
    ...base,
    sessions: base.sessions.map((session, at) => ({ ...session, endedAt: ends[at] ?? session.endedAt })),
  })).confirmation.cisRuleId;
}

test.run();
