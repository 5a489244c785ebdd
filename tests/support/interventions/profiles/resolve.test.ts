// Each row of the profile tables with the student of the contract, and the anchor.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Differences, engines, profileOf, runOf } from '../runs.ts';

/** Rule → student of grade 2, all other required roles adequate; profile, anchor role, anchor sub-skill, next action. */
type Row = readonly [string, Differences, string, string | null, string | null, string | null];

const rows: readonly Row[] = [
  ['PRF-01', { halts: { DEC_WORD: 'INSUFFICIENT_ITEMS' } }, 'DATA_INCOMPLETE', null, null, 'administer_more_items'],
  ['PRF-01', { halts: { DEC_WORD: 'CONFLICTING_EVIDENCE' } }, 'DATA_INCOMPLETE', null, null, 'repeat_diagnostic'],
  ['PRF-02', { skills: { DEC_SYLLABLE: null, DEC_WORD: null } }, 'DATA_INCOMPLETE', null, null, 'run_diagnostic'],
  [
    'PRF-02',
    { skills: { DEC_SYLLABLE: null, DEC_WORD: null }, halts: { DEC_SYLLABLE: 'NO_EVIDENCE' } },
    ...(['DATA_INCOMPLETE', null, null, 'run_diagnostic'] as const),
  ],
  ['PRF-03', { domains: { LIS: 'contextual_review' } }, 'CONTEXTUAL_REVIEW', 'LANGUAGE', 'LIS_LITERAL', null],
  [
    'PRF-04',
    {
      skills: { RC_LITERAL: 'weak_isolated', LIS_LITERAL: null },
      pattern: 'inconclusive_needs_more_data',
      comprehensionAction: 'assess_listening',
    },
    ...(['DATA_INCOMPLETE', null, null, 'assess_listening'] as const),
  ],
  ['PRF-05', { skills: { ACC_SHADDA: 'weak_isolated' } }, 'MONITOR_WATCH', null, 'ACC_SHADDA', null],
  [
    'PRF-06',
    { skills: { DEC_WORD: 'broad_weakness_related', LIS_LITERAL: 'broad_weakness_related' } },
    ...(['BROAD_NEED', 'DECODE', 'DEC_WORD', null] as const),
  ],
  [
    'PRF-06',
    {
      skills: {
        ...{ LK_SOUND: 'weak_gateway', DEC_WORD: 'weak_gateway' },
        ...{ LIS_LITERAL: 'weak_gateway', RC_LITERAL: 'weak_domain_related' },
      },
    },
    ...(['BROAD_NEED', 'LETTER', 'LK_SOUND', null] as const),
  ],
  [
    'PRF-07',
    {
      skills: { DEC_WORD: 'weak_gateway', RC_LITERAL: 'weak_domain_related' },
      pattern: 'combined_dual_bottleneck',
    },
    ...(['COMBINED_DUAL_NEED', 'DECODE', 'DEC_WORD', null] as const),
  ],
  ['PRF-08', { skills: { PA_BLEND: 'weak_gateway' } }, 'PHONOLOGICAL_NEED', 'PHON', 'PA_BLEND', null],
  ['PRF-09', { skills: { LK_SOUND: 'weak_gateway' } }, 'LETTER_SOUND_NEED', 'LETTER', 'LK_SOUND', null],
  [
    'PRF-09',
    { skills: { LK_SOUND: 'weak_isolated', RC_LITERAL: 'weak_isolated' }, pattern: 'decoding_bottleneck' },
    ...(['LETTER_SOUND_NEED', 'LETTER', 'LK_SOUND', null] as const),
  ],
  ['PRF-10', { skills: { DEC_WORD: 'weak_domain_related' } }, 'DECODING_NEED', 'DECODE', 'DEC_WORD', null],
  ['PRF-11', { skills: { VOC_MEANING: 'weak_domain_related' } }, 'LANGUAGE_NEED', 'LANGUAGE', 'VOC_MEANING', null],
  ['PRF-12', { skills: { FLU_TEXT: 'weak_domain_related' } }, 'FLUENCY_NEED', 'FLUENCY', 'FLU_TEXT', null],
  [
    'PRF-12',
    { skills: { RC_LITERAL: 'weak_isolated' }, pattern: 'decoding_bottleneck' },
    ...(['FLUENCY_NEED', 'FLUENCY', null, null] as const),
  ],
  [
    'PRF-13',
    { skills: { RC_LITERAL: 'weak_isolated' }, pattern: 'text_strategy_bottleneck' },
    ...(['TEXT_STRATEGY_NEED', 'COMP', 'RC_LITERAL', null] as const),
  ],
  ['PRF-14', { skills: { SPL_WORD: 'weak_domain_related' } }, 'ENCODING_NEED', 'ENCODE', 'SPL_WORD', null],
  ['PRF-15', { skills: { DEC_WORD: 'weak_isolated' } }, 'ISOLATED_GAP', 'DECODE', 'DEC_WORD', null],
  [
    'PRF-16',
    { skills: { LK_SOUND: 'cautionary_weakness_with_metadata' } },
    ...(['CAUTIONARY_WATCH', 'LETTER', 'LK_SOUND', null] as const),
  ],
  ['PRF-17', { skills: { DEC_WORD: 'monitor' } }, 'MONITOR_WATCH', 'DECODE', 'DEC_WORD', null],
  ['PRF-99', {}, 'ON_TRACK', null, null, null],
];

for (const [ruleId, student, ...expected] of rows) {
  test(`${ruleId}: ${JSON.stringify(student)}`, () => {
    const { profileCode, anchorRole, anchorSubSkillCode, nextRecommendedDataAction, ...profile } = profileOf(student);
    assert.equal([profileCode, anchorRole, anchorSubSkillCode, nextRecommendedDataAction], expected);
    assert.is(profile.ruleId, ruleId);
  });
}

test('every rule of PRF has a student here', () => {
  const { rules } = engines.bundle.table('profile/resolution').document;
  assert.equal([...new Set(rows.map(([ruleId]) => ruleId))].sort(), rules.map(({ name }) => name).sort());
});

test('NO_EVIDENCE alone halts no student', () => {
  assert.is(profileOf({ halts: { PA_RHYME: 'NO_EVIDENCE' } }).profileCode, 'ON_TRACK');
});

test('the anchor is the first weak gateway, and without one the worst; ties by catalogue order', () => {
  const anchorOf = (skills: Differences['skills']) => profileOf({ skills: skills ?? {} }).anchorSubSkillCode;
  assert.is(anchorOf({ DEC_SYLLABLE: 'monitor', DEC_WORD: 'weak_gateway', DEC_PSEUDO: 'weak_gateway' }), 'DEC_WORD');
  assert.is(
    profileOf({
      skills: { DEC_SYLLABLE: 'weak_isolated', DEC_WORD: 'weak_domain_related' },
      domains: { DEC: 'weak_domain_related' },
    }).anchorSubSkillCode,
    'DEC_WORD',
  );
  assert.is(
    profileOf({
      skills: { DEC_SYLLABLE: 'weak_isolated', DEC_WORD: 'weak_isolated' },
      domains: { DEC: 'weak_isolated' },
    }).anchorSubSkillCode,
    'DEC_SYLLABLE',
  );
});

test('an indicator is the anchor only where nothing else of its role wants attention', () => {
  const spelling = (word: 'monitor' | 'adequate') =>
    profileOf({
      skills: { SPL_TAA: 'weak_isolated', SPL_WORD: word, DEC_WORD: 'monitor' },
      domains: { SPL: 'weak_domain_related' },
    }).anchorSubSkillCode;
  assert.is(spelling('monitor'), 'SPL_WORD');
  assert.is(spelling('adequate'), 'SPL_TAA');
});

test('modifiers: all that hold, by code; none without an educational profile', () => {
  const all = profileOf({
    skills: { DEC_WORD: 'weak_isolated', LK_SOUND: 'cautionary_weakness_with_metadata', ACC_SHADDA: 'weak_isolated' },
    contextReview: true,
    severe: true,
  });
  assert.equal(all.modifiers, [
    'ARABIC_ACCURACY_ONLY_MONITOR',
    'CAUTIONARY_METADATA',
    'CONTEXT_FLAG_ACTIVE',
    'PARTIAL_DOMAINS',
    'SEVERE_TILE',
  ]);
  assert.equal(
    profileOf({ skills: { LK_SOUND: 'cautionary_weakness_with_metadata' } }).modifiers,
    ['PARTIAL_DOMAINS'],
    'what the profile says already is no modifier of it',
  );
  const halted = { halts: { DEC_WORD: 'INSUFFICIENT_ITEMS' }, contextReview: true, severe: true } as const;
  assert.equal(profileOf(halted).modifiers, []);
});

test('PMD-03: what the grade does not have is not missing', () => {
  const run = runOf();
  const domains = Object.entries(run.domains).map(([code, one]) => [
    code,
    one.status === null ? { ...one, outcome: 'not_in_scope' } : one,
  ]);
  const modifiersOf = (of: typeof run) => engines.profiles.resolve(2, of).modifiers;
  assert.equal(modifiersOf(run), ['PARTIAL_DOMAINS']);
  assert.equal(modifiersOf({ ...run, domains: Object.fromEntries(domains) }), []);
});

test('a role with several domains has the worst of those that are decided', () => {
  const language = (domains: Differences['domains']) => profileOf({ domains: domains ?? {} }).profileCode;
  assert.is(language({ LIS: 'adequate', VOC: 'weak_domain_related' }), 'LANGUAGE_NEED');
  assert.is(language({ LIS: null, VOC: 'weak_domain_related' }), 'LANGUAGE_NEED');
  assert.is(language({ LIS: null, VOC: null }), 'DATA_INCOMPLETE');
});

test.run();
