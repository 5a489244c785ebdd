// Each row of the recommendation tables with the student of the contract; open assignments, past results, scaffold tier and
// delivery mode.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadRules } from '#rules/rulesets/files.ts';
import { documentName, overlaid } from '#rules/rulesets/index.ts';
import {
  type NewestTierMove,
  type OpenAssignment,
  type PastAssignment,
  pastFacts,
  tierRoseSince,
} from '#support/interventions/engine/bundles/covering.ts';
import { compileRecommendation, type RecommendationQuestion } from '#support/interventions/engine/bundles/recommend.ts';
import { targetSubSkills } from '#support/interventions/engine/bundles/targets.ts';
import { neverMeasured } from '#support/interventions/engine/profiles/resolve.ts';
import { type Differences, engines, profileOf } from '../runs.ts';
import { noPast } from './no-past.ts';

const { recommendation } = engines;

function ask(student: Differences | null, more: Partial<RecommendationQuestion> = {}) {
  const found = recommendation.recommend({
    grade: student?.grade ?? 2,
    tier: 1,
    contextReview: false,
    acuteOpen: false,
    profile: student === null ? neverMeasured : profileOf(student),
    counts: { Level_1: 0, Level_2: 0, Level_3: 0 },
    open: [],
    past: () => noPast,
    anchorByOrf: false,
    ...more,
  });
  return found;
}

const summary = (...given: Parameters<typeof ask>) => {
  const found = ask(...given);
  return found.outcome === 'recommended'
    ? [found.ruleId, found.bundle.bundle_id, found.action]
    : [found.ruleId, found.nextRecommendedDataAction, found.action];
};

const weakWord: Differences = { skills: { DEC_WORD: 'weak_gateway' } };
const broad: Differences = {
  skills: { DEC_WORD: 'broad_weakness_related', LIS_LITERAL: 'broad_weakness_related' },
};
const openOf = (bundle_id: string, more: Partial<OpenAssignment> = {}): OpenAssignment => ({
  ...{ assignmentId: 'a', bundle_id, anchorRole: null, activatedAt: '2026-01-01', scaffoldTier: 'Level_2' as const },
  ...more,
});
const older = (grade: number, student: Differences): Differences => ({ ...student, grade });

type Row = readonly [string, Differences | null, Partial<RecommendationQuestion>, string, string];
const rows: readonly Row[] = [
  ['BRR-01', { halts: { DEC_WORD: 'INSUFFICIENT_ITEMS' } }, {}, 'administer_more_items', 'collect_data'],
  ['BRR-02', null, {}, 'run_diagnostic', 'collect_data'],
  ['BRR-03', weakWord, { acuteOpen: true }, 'RTG-ACUTE-01', 'route'],
  ['BRR-04', { domains: { LIS: 'contextual_review' } }, {}, 'DCP-CONTEXT-01', 'clarify'],
  ['BRR-05', { skills: { LK_SOUND: 'cautionary_weakness_with_metadata' } }, {}, 'DCP-METADATA-01', 'clarify'],
  ['BRR-06', weakWord, { open: [openOf('BND-DECODE-01')] }, 'BND-DECODE-01', 'continue'],
  [
    'BRR-22',
    weakWord,
    { open: [openOf('BND-DECODE-01')], tierRose: () => true },
    ...(['BND-DECODE-01', 'intensify'] as const),
  ],
  ['BRR-23', weakWord, { past: () => ({ ...noPast, lastResult: 'goals_met' }) }, 'DCP-METADATA-01', 'clarify'],
  ['BRR-20', weakWord, { past: () => ({ ...noPast, awaitingMeasure: true }) }, 'repeat_diagnostic', 'collect_data'],
  ['BRR-21', weakWord, { past: () => ({ ...noPast, lastResult: 'goals_not_met' }) }, 'BND-DECODE-01', 'intensify'],
  ['BRR-07', broad, {}, 'CIB-BROAD-01', 'activate'],
  ['BRR-08', older(3, broad), {}, 'CSP-BROAD-01', 'activate'],
  [
    'BRR-09',
    { skills: { DEC_WORD: 'weak_gateway', RC_LITERAL: 'weak_domain_related' }, pattern: 'combined_dual_bottleneck' },
    {},
    ...(['CIB-DUAL-01', 'activate'] as const),
  ],
  ['BRR-10A', { skills: { PA_BLEND: 'weak_gateway' } }, {}, 'BND-PHON-01', 'activate'],
  ['BRR-10B', older(3, { skills: { PA_BLEND: 'weak_gateway' } }), {}, 'BND-PHON-02', 'activate'],
  ['BRR-11A', { skills: { LK_SOUND: 'weak_gateway' } }, {}, 'BND-LETTER-01', 'activate'],
  ['BRR-11B', older(4, { skills: { LK_SOUND: 'weak_gateway' } }), {}, 'BND-LETTER-02', 'activate'],
  ['BRR-12A', weakWord, {}, 'BND-DECODE-01', 'activate'],
  ['BRR-12B', older(3, weakWord), {}, 'BND-DECODE-02', 'activate'],
  ['BRR-13A', { skills: { LIS_LITERAL: 'weak_gateway' } }, {}, 'BND-LANGUAGE-01', 'activate'],
  ['BRR-13B', older(4, { skills: { LIS_LITERAL: 'weak_gateway' } }), {}, 'BND-LANGUAGE-02', 'activate'],
  ['BRR-14', { skills: { FLU_TEXT: 'weak_domain_related' } }, {}, 'BND-FLUENCY-01', 'activate'],
  [
    'BRR-15',
    { skills: { RC_LITERAL: 'weak_isolated' }, pattern: 'text_strategy_bottleneck' },
    {},
    ...(['BND-COMP-01', 'activate'] as const),
  ],
  ['BRR-16', { skills: { SPL_WORD: 'weak_domain_related' } }, {}, 'BND-ENCODE-01', 'activate'],
  ['BRR-17A', { domains: { PA: 'weak_isolated' } }, {}, 'SUP-PHON-01', 'activate'],
  ['BRR-17B', { domains: { LK: 'weak_isolated' } }, {}, 'SUP-LETTER-01', 'activate'],
  ['BRR-17C', { domains: { DEC: 'weak_isolated' } }, {}, 'SUP-DECODE-01', 'activate'],
  ['BRR-17D', { domains: { FLU: 'weak_isolated' } }, {}, 'SUP-FLUENCY-01', 'activate'],
  ['BRR-17E', { domains: { VOC: 'weak_isolated' } }, {}, 'SUP-LANGUAGE-01', 'activate'],
  ['BRR-17F', { domains: { RC: 'weak_isolated' } }, {}, 'SUP-COMP-01', 'activate'],
  ['BRR-17G', { domains: { SPL: 'weak_isolated' } }, {}, 'SUP-ENCODE-01', 'activate'],
  ['BRR-18', { skills: { ACC_SHADDA: 'weak_isolated' } }, {}, 'SUP-ARACC-01', 'activate'],
  ['BRR-19', { skills: { DEC_WORD: 'monitor' } }, {}, 'LSA-MONITOR-01', 'activate'],
  ['BRR-99', {}, {}, 'NIO-CORE-01', 'none'],
];

for (const [ruleId, student, more, target, action] of rows) {
  test(`${ruleId}: ${JSON.stringify(student)} ${Object.keys(more)}`, () => {
    assert.equal(summary(student, more), [ruleId, target, action]);
  });
}

test('every rule of BRR has a student here', () => {
  const { rules } = engines.bundle.table('bundle/recommendation').document;
  assert.equal(rows.map(([ruleId]) => ruleId).sort(), rules.map(({ name }) => name).sort());
});

test('BRR-06: what covers the role has to be strong enough for the need', () => {
  const gap: Differences = { skills: { DEC_WORD: 'weak_isolated' } };
  const watched: Differences = { skills: { DEC_WORD: 'monitor' } };
  const light = { open: [openOf('LSA-MONITOR-01', { anchorRole: 'DECODE' })] };
  const module = { open: [openOf('SUP-DECODE-01')] };
  const composite = { open: [openOf('CIB-DUAL-01')] };
  assert.is(summary(weakWord, light)[2], 'activate');
  assert.is(summary(weakWord, module)[2], 'activate');
  assert.is(summary(gap, light)[2], 'activate');
  assert.equal(summary(gap, module), ['BRR-06', 'SUP-DECODE-01', 'continue']);
  assert.equal(summary(watched, light), ['BRR-06', 'LSA-MONITOR-01', 'continue']);
  assert.equal(summary(gap, composite), ['BRR-06', 'CIB-DUAL-01', 'continue']);
  const ofLetters = [openOf('LSA-MONITOR-01', { anchorRole: 'LETTER', bundle_id: 'LSA-MONITOR-01' })];
  assert.is(
    summary(watched, { open: ofLetters })[2],
    'continue',
    'the bundle that would be recommended is itself open',
  );
});

test('BRR-06: of several the newest, then the first by id', () => {
  const open = [
    openOf('BND-DECODE-01', { assignmentId: 'c', activatedAt: '2026-02-01' }),
    openOf('CIB-DUAL-01', { assignmentId: 'b', activatedAt: '2026-03-01' }),
    openOf('CIB-BROAD-01', { assignmentId: 'a', activatedAt: '2026-03-01' }),
  ];
  assert.equal(summary(weakWord, { open }), ['BRR-06', 'CIB-BROAD-01', 'continue']);
});

test('SCF-00: what goes on keeps its tier', () => {
  const found = ask(weakWord, { open: [openOf('BND-DECODE-01')] });
  assert.ok(found.outcome === 'recommended');
  assert.equal([found.scaffold.ruleId, found.scaffold.scaffoldTier], ['SCF-00', 'Level_2']);
});

test('SCF: status and independence decide the scaffold tier', () => {
  const tierOf = (student: Differences, counts = { Level_1: 0, Level_2: 0, Level_3: 0 }) => {
    const found = ask(student, { counts });
    return found.outcome === 'recommended' ? [found.scaffold.ruleId, found.scaffold.scaffoldTier] : [];
  };
  const isolated: Differences = { skills: { DEC_WORD: 'weak_isolated' } };
  assert.equal(tierOf(weakWord), ['SCF-01', 'Level_3']);
  assert.equal(tierOf(isolated, { Level_1: 2, Level_2: 1, Level_3: 2 }), ['SCF-02', 'Level_3']);
  assert.equal(tierOf(isolated), ['SCF-03', 'Level_2']);
  assert.equal(
    tierOf(isolated, { Level_1: 1, Level_2: 1, Level_3: 0 }),
    ['SCF-03', 'Level_2'],
    'half is not below half',
  );
  assert.equal(tierOf({ skills: { DEC_WORD: 'monitor' } }), ['SCF-99', 'Level_1']);
});

test('DLM: no modes, the most intensive tier, independent work, else the default', () => {
  const modeOf = (student: Differences, more: Partial<RecommendationQuestion> = {}) => {
    const found = ask(student, more);
    return found.outcome === 'recommended' ? [found.delivery.ruleId, found.delivery.deliveryMode] : [];
  };
  const watched: Differences = { skills: { DEC_WORD: 'monitor' } };
  assert.equal(modeOf({}), ['DLM-01', 'none']);
  assert.equal(modeOf(weakWord, { tier: 3 }), ['DLM-02', 'teacher_led_micro_group']);
  assert.equal(modeOf(watched), ['DLM-03', 'digital_self_paced']);
  assert.equal(modeOf(older(1, { skills: { DEC_WORD: 'monitor', PA_BLEND: 'adequate' } })), ['DLM-99', 'blended']);
  assert.equal(modeOf(weakWord), ['DLM-99', 'teacher_led_small_group']);
});

test('BRR-21: the same bundle again, with the most support in the smallest group', () => {
  const found = ask(weakWord, { past: () => ({ ...noPast, lastResult: 'goals_not_met' }) });
  assert.ok(found.outcome === 'recommended');
  const { scaffold, delivery } = found;
  assert.equal([scaffold.scaffoldTier, delivery.deliveryMode], ['Level_3', 'teacher_led_micro_group']);
  const weaker: Differences = { skills: { DEC_WORD: 'weak_isolated' } };
  assert.is(summary(weaker, { past: () => ({ ...noPast, lastResult: 'goals_not_met' }) })[2], 'activate');
});

test('BRR-22: the open plan, with the most support in the smallest group; only where a plan covers a strong need', () => {
  const found = ask(weakWord, { open: [openOf('BND-DECODE-01')], tierRose: () => true });
  assert.ok(found.outcome === 'recommended');
  const { scaffold, delivery, covering } = found;
  assert.equal(
    [scaffold.ruleId, scaffold.scaffoldTier, delivery.deliveryMode, covering?.assignmentId],
    ['BRR-22', 'Level_3', 'teacher_led_micro_group', 'a'],
  );
  assert.is(summary(weakWord, { tierRose: () => true })[2], 'activate', 'no plan is open');
  const gap: Differences = { skills: { DEC_WORD: 'weak_isolated' } };
  assert.is(summary(gap, { open: [openOf('SUP-DECODE-01')], tierRose: () => true })[2], 'continue');
});

test('BRR-23: met goals of a need that is not strong change nothing', () => {
  const past = () => ({ ...noPast, lastResult: 'goals_met' }) as const;
  assert.is(summary({ skills: { DEC_WORD: 'weak_isolated' } }, { past })[2], 'activate');
});

test('version 1 of the table has neither fact nor rule: its answers are as they were', async () => {
  const files = await loadRules('rules');
  const [first] = files.filter(
    ({ document }) => documentName(document) === 'bundle/recommendation' && document.meta.version === 1,
  );
  assert.ok(first);
  const before = compileRecommendation(overlaid(engines.bundle, [first.document]));
  assert.is(before.followsPlans, false);
  const question: RecommendationQuestion = {
    ...{ grade: 2, tier: 3, contextReview: false, acuteOpen: false, profile: profileOf(weakWord), anchorByOrf: false },
    counts: { Level_1: 0, Level_2: 0, Level_3: 0 },
    open: [openOf('BND-DECODE-01')],
    past: () => ({ ...noPast, lastResult: 'goals_met' }),
    tierRose: () => true,
  };
  const found = before.recommend(question);
  assert.equal([found.ruleId, found.action], ['BRR-06', 'continue']);
  assert.not.ok('tierRose' in found.facts);
  const ended = before.recommend({ ...question, open: [] });
  assert.equal([ended.ruleId, ended.action, ended.facts.lastResult], ['BRR-12A', 'activate', 'goals_met']);
});

const move = (more: Partial<NewestTierMove> = {}): NewestTierMove => ({
  ...{ fromTier: 2, toTier: 3, committedAt: '2026-01-15T08:00:00.000Z' },
  ...more,
});
const intensive = {
  scaffoldTier: 'Level_3',
  deliveryMode: 'teacher_led_micro_group',
  sessionsPerWeek: 5,
} as const;
const roses = [
  [true, {}, move(), 'a plan of before the decision'],
  [true, { activatedAt: '2026-01-15T07:59:59.999Z' }, move(), 'a moment before it'],
  [false, { activatedAt: '2026-01-15T08:00:00.000Z' }, move(), 'a plan of the same moment'],
  [false, { activatedAt: '2026-02-01T08:00:00.000Z' }, move(), 'a later plan'],
  [false, {}, move({ fromTier: 1, toTier: 2 }), 'the second tier'],
  [false, {}, move({ fromTier: 3, toTier: 2 }), 'back from the third tier'],
  [false, {}, null, 'no movement'],
  [false, intensive, move(), 'a plan that has the support of the third tier'],
  [true, { ...intensive, sessionsPerWeek: 3 }, move(), 'fewer sessions'],
  [true, { ...intensive, scaffoldTier: 'Level_2' }, move(), 'less support'],
  [true, { ...intensive, deliveryMode: 'teacher_led_small_group' }, move(), 'a larger group'],
] as const;
for (const [expected, plan, moved, why] of roses) {
  test(`tierRose ${expected}: ${why}`, () => {
    assert.is(tierRoseSince(openOf('BND-DECODE-01', plan), moved, 5), expected);
  });
}

test('a reading aloud is measured again by one', () => {
  const past = () => ({ ...noPast, awaitingMeasure: true });
  const fluent: Differences = { skills: { FLU_TEXT: 'weak_domain_related' } };
  assert.equal(summary(fluent, { past, anchorByOrf: true }), ['BRR-20', 'administer_orf', 'collect_data']);
});

const ended = (more: Partial<PastAssignment> = {}): PastAssignment => ({
  ...{ assignmentId: 'a', bundle_id: 'BND-DECODE-01', anchorRole: null, activatedAt: '2026-01-01', state: 'completed' },
  ...{ endedOn: '2026-03-01', completionResult: 'goals_not_met' },
  ...more,
});
const pastOf = (assignments: readonly PastAssignment[], measuredOn: string | null, asOf = '2026-03-20') =>
  pastFacts(
    { assignments, need: profileOf(weakWord), measuredOn, asOf, lastResultDays: engines.settings.lastResultDays },
    'BND-DECODE-01',
    recommendation.catalogue,
  );

test('awaitingMeasure: until the day after the assignment ended', () => {
  assert.equal(pastOf([ended()], '2026-02-20'), { awaitingMeasure: true, lastResult: 'none' });
  assert.equal(pastOf([ended()], '2026-03-01'), { awaitingMeasure: true, lastResult: 'none' });
  assert.equal(pastOf([ended()], '2026-03-02'), { awaitingMeasure: false, lastResult: 'goals_not_met' });
  assert.equal(pastOf([ended({ state: 'stopped', completionResult: null })], null), noPast);
  const newer = ended({ assignmentId: 'b', activatedAt: '2026-03-05', state: 'active', endedOn: null });
  assert.is(pastOf([ended(), newer], null).awaitingMeasure, false);
  assert.equal(pastOf([ended({ bundle_id: 'BND-LETTER-01' })], null), noPast, 'another role');
});

test('lastResult: 84 days long', () => {
  assert.is(pastOf([ended()], '2026-03-02', '2026-05-24').lastResult, 'goals_not_met');
  assert.is(pastOf([ended()], '2026-03-02', '2026-05-25').lastResult, 'none');
});

test('lastResult: goals_met only until the anchor is measured a second time after the end', () => {
  const met = [ended({ completionResult: 'goals_met' })];
  const after = (measurements: readonly string[] | undefined, assignments = met) =>
    pastFacts(
      {
        ...{ assignments, need: profileOf(weakWord), measuredOn: '2026-03-10', measurements, asOf: '2026-03-20' },
        lastResultDays: engines.settings.lastResultDays,
      },
      'BND-DECODE-01',
      recommendation.catalogue,
    ).lastResult;
  assert.is(after(['2026-03-10', '2026-03-01']), 'goals_met', 'that of the last day was before the end');
  assert.is(after(['2026-03-10']), 'goals_met');
  assert.is(after(['2026-03-10', '2026-03-02']), 'none');
  assert.is(after(['2026-03-10', '2026-03-10']), 'none', 'two sessions of one day');
  assert.is(after(undefined), 'goals_met', 'where the table does not count them');
  assert.is(after(['2026-03-10', '2026-03-02'], [ended()]), 'goals_not_met', 'goals that were not met count as before');
});

test('target sub-skills: of the roles at the grade, else of the nearest lower grade; never read aloud', () => {
  const targets = (id: string, grade: number, anchorRole: 'LETTER' | null = null) => {
    const bundle = recommendation.catalogue.byId.get(id);
    assert.ok(bundle, id);
    return targetSubSkills(bundle, grade, anchorRole, engines.profiles).map(({ code }) => code);
  };
  assert.equal(targets('LSA-MONITOR-01', 2, 'LETTER'), ['LK_SOUND', 'LK_FORM', 'LK_SHAPE', 'LK_CLOSE_SOUND']);
  assert.equal(targets('SUP-LETTER-01', 4), targets('SUP-LETTER-01', 3));
  assert.ok(targets('SUP-ARACC-01', 2).every((code) => engines.profiles.catalogue.byCode.get(code)?.accuracyIndicator));
  for (const { bundle_id, grades } of recommendation.catalogue.bundles.filter(({ steps }) => steps.length > 0)) {
    for (const grade of grades) {
      const found = targets(bundle_id, grade, 'LETTER');
      assert.ok(found.length > 0, `${bundle_id} at grade ${grade} has nothing to work on`);
      assert.not.ok(found.includes('FLU_TEXT'));
    }
  }
});

test.run();
