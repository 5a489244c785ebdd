// The findings of the rules by path, and the recommended blueprints for the assignments of a class.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { compileBlueprints } from '#teaching/lesson-blueprints/engine/findings.ts';
import { readSessionCodes } from '#teaching/lesson-blueprints/engine/session-codes.ts';
import {
  type ActiveAssignment,
  type Blueprint,
  lessonBlueprintsCapability,
  type PublishedHead,
  recommendLessons,
} from '#teaching/lesson-blueprints/index.ts';
import { blueprintOf, itemOf } from './rows.ts';

const bundle = await loadNewestBundle('rules');
const ask = compileBlueprints(bundle);
const found = (overrides: Partial<Blueprint>) =>
  ask({ blueprint: blueprintOf(overrides), sameCodes: 1, samePublished: false, unsafeTexts: [] }).map(
    ({ ruleId, path }) => `${ruleId} ${path}`.trim(),
  );

const { segments, items } = blueprintOf();
const [opening, check] = segments as [Blueprint['segments'][number], Blueprint['segments'][number]];
const item = itemOf('item-1', 'DEC_WORD');
const others = items.slice(1);
const step8 = { stepNo: 8, sessionRole: 'PROGRESS_CHECK' };
const monitor = { bundle_id: 'LSA-MONITOR-01', sessionRole: 'GUIDED_PRACTICE' };
const accuracy = { bundle_id: 'SUP-ARACC-01', sessionRole: 'GUIDED_PRACTICE', deliveryModes: ['blended' as const] };
const vowels = { targetSubSkillCodes: ['ACC_SUKUN'], anchorSkillGroup: 'ACC_ALL' };

const cases: readonly [string, Partial<Blueprint>, readonly string[]][] = [
  ['nothing', {}, []],
  [
    'BPV-01, 02, 03, 04: no such bundle',
    { bundle_id: 'NO-SUCH' },
    [
      'BPV-01 bundle_id',
      'BPV-02 stepNo',
      'BPV-03 grade',
      'BPV-03 deliveryModes.0',
      'BPV-03 deliveryModes.1',
      'BPV-04 targetSubSkillCodes.0',
    ],
  ],
  ['BPV-02: the role of another step', { stepNo: 2 }, ['BPV-02 sessionRole']],
  ['BPV-03: a mode that is not offered', { deliveryModes: ['digital_self_paced'] }, ['BPV-03 deliveryModes.0']],
  [
    'BPV-04: a sub-skill of another role, and one that is none',
    { targetSubSkillCodes: ['DEC_WORD', 'LK_SOUND', 'NONE'] },
    ['BPV-04 targetSubSkillCodes.1', 'BPV-04 targetSubSkillCodes.2'],
  ],
  [
    'BPV-04: a light action takes any sub-skill',
    { ...monitor, ...vowels, items: items.map((one) => ({ ...one, subSkillCode: 'ACC_SUKUN' })) },
    [],
  ],
  [
    'BPV-04: the accuracy module takes sub-skills about diacritics',
    { ...accuracy, ...vowels, items: items.map((one) => ({ ...one, subSkillCode: 'ACC_SUKUN' })) },
    [],
  ],
  ['BPV-04: and nothing else', accuracy, ['BPV-04 targetSubSkillCodes.0']],
  ['BPV-05: a number that is left out', { segments: [opening, { ...check, segmentNo: 3 }] }, ['BPV-05 segments.1']],
  [
    'BPV-06: twice, undefined, unused',
    {
      segments: [opening, { ...check, itemRefs: [...check.itemRefs, 'item-9'] }],
      items: [...items, item, itemOf('item-8', 'DEC_WORD')],
    },
    ['BPV-06 segments.1.itemRefs.6', 'BPV-06 items.6', 'BPV-06 items.7'],
  ],
  ['BPV-07: a key that leads nowhere', { items: [{ ...item, correctOptionIndex: 3 }, ...others] }, ['BPV-07 items.0']],
  [
    'BPV-07: options equal except for spaces and the order of diacritics',
    { items: [{ ...item, options: ['شَّ', ' ش\u0651\u064e'] }, ...others] },
    ['BPV-07 items.0'],
  ],
  ['BPV-07: marks count', { items: [{ ...item, options: ['بَابٌ', 'بَابًا'] }, ...others] }, []],
  [
    'BPV-08: five items on the target in checks',
    { ...step8, items: [itemOf('item-1', 'DEC_PSEUDO'), ...others] },
    ['BPV-08 segments', 'BPV-21 items.0'],
  ],
  ['BPV-08: six are enough', step8, []],
  [
    'BPV-08: items of other segments do not count',
    { ...step8, segments: [opening, { ...check, kind: 'practice' }] },
    ['BPV-08 segments'],
  ],
];
for (const [name, overrides, expected] of cases) {
  test(name, () => {
    assert.equal(found(overrides), expected);
  });
}

test('BPV-20 concerns the blueprint itself, BPV-09 each text', () => {
  const question = {
    blueprint: blueprintOf(),
    sameCodes: 1,
    samePublished: true,
    unsafeTexts: ['titleAr', 'segments.1.scriptAr'],
  };
  assert.equal(
    ask(question).map(({ ruleId, level, path, issue }) => [ruleId, level, path, issue].join(' ')),
    [
      'BPV-09 error titleAr language_unsafe',
      'BPV-09 error segments.1.scriptAr language_unsafe',
      'BPV-20 warning  same_as_published',
    ],
  );
});

test('the validation of drafts reads both documents of blueprints', () => {
  const readers = lessonBlueprintsCapability.ruleReaders ?? [];
  const without = (name: string) => ({
    ...bundle,
    table: (one: never) => (one === name ? refuse(name) : bundle.table(one)),
    values: (one: never) => (one === name ? refuse(name) : bundle.values(one)),
  });
  const refuse = (name: string): never => {
    throw new RangeError(`no ${name}`);
  };
  for (const read of readers) read(bundle, []);
  for (const name of ['bundle/blueprint-validation', 'bundle/session-codes']) {
    const read = () => {
      for (const one of readers) one(without(name) as never, []);
    };
    assert.throws(read, (error: Error) => error.message === `no ${name}`);
  }
});

test('the codes of lessons are those that the code implements', () => {
  readSessionCodes(bundle);
  const changed = (change: (document: Record<string, never>) => object) => ({
    ...bundle,
    values: (name: never) => change(structuredClone(bundle.values(name))),
  });
  const refusal = (change: (document: Record<string, never>) => object) => {
    try {
      readSessionCodes(changed(change) as never);
      return 'accepted';
    } catch (error) {
      return error instanceof RangeError ? error.message : 'something else';
    }
  };
  assert.match(
    refusal((one) => ({ ...one, taskTypes: [{ code: 'essay' }] })),
    /taskTypes has essay/,
  );
  assert.match(
    refusal((one) => ({ ...one, events: { student: [] } })),
    /events\.student has state_changed/,
  );
  assert.match(
    refusal((one) => ({ ...one, observations: [] })),
    /no observation is not_present/,
  );
});

const bundles = new Map(
  bundle
    .values<{ bundles: { bundle_id: string }[] }>('bundle/catalogue')
    .bundles.map((one) => [one.bundle_id, one as never]),
);
const plan = (studentId: number, overrides: Partial<ActiveAssignment> = {}): ActiveAssignment => ({
  ...{ studentId, state: 'active', bundle_id: 'BND-DECODE-01', currentStepNo: 1 },
  ...{ deliveryMode: 'blended', scaffoldTier: 'Level_3', anchorSkillGroup: 'DEC_BASIC', left: false, ...overrides },
});
const head = (blueprintId: string, overrides: Partial<PublishedHead> = {}): PublishedHead => ({
  ...{ blueprintId, state: 'active', bundle_id: 'BND-DECODE-01', stepNo: 1, grade: 2, deliveryModes: ['blended'] },
  ...{ scaffoldTier: null, anchorSkillGroup: 'DEC_BASIC', publishedAt: '2026-01-01', ...overrides },
});
const chosen = (assignments: ActiveAssignment[], blueprints: PublishedHead[]) =>
  recommendLessons({ grade: 2, assignments, blueprints, bundles }).map(
    ({ blueprintId, recipientStudentIds }) => `${blueprintId} ${recipientStudentIds}`,
  );

test('a row contains everything that a lesson has to match', () => {
  assert.equal(recommendLessons({ grade: 2, assignments: [plan(7)], blueprints: [head('a')], bundles }), [
    {
      ...{ blueprintId: 'a', bundle_id: 'BND-DECODE-01', stepNo: 1, sessionRole: 'EXPLICIT_TEACHING' },
      ...{ deliveryMode: 'blended', scaffoldTier: 'Level_3', recipientStudentIds: [7], reasonCode: 'current_step' },
      anchor_skill_group: 'DEC_BASIC',
    },
  ]);
});

test('forms take turns: A after an even number of sessions of the step, else B, by who was taught it least', () => {
  const forms = [head('b', { form: 'B', publishedAt: '2026-06-01' }), head('a', { form: 'A' })];
  const taught = (...sessions: readonly (number | undefined)[]) =>
    chosen(
      sessions.map((deliveredSessions, at) =>
        plan(at + 1, deliveredSessions === undefined ? {} : { deliveredSessions }),
      ),
      forms,
    );
  assert.equal(taught(undefined), ['a 1']);
  assert.equal([taught(0), taught(1), taught(2), taught(3)].flat(), ['a 1', 'b 1', 'a 1', 'b 1']);
  assert.equal(taught(1, 4, 2), ['b 1,2,3']);
  assert.equal(taught(3, 2, 3), ['a 1,2,3']);
  assert.equal(chosen([plan(1, { deliveredSessions: 1 })], [head('only', { form: 'A' })]), ['only 1'], 'no B is there');
  assert.equal(chosen([plan(1)], [head('only', { form: 'B' })]), ['only 1'], 'no A is there');
  const own = head('own', { form: 'A', scaffoldTier: 'Level_3' });
  assert.equal(chosen([plan(1, { deliveredSessions: 1 })], [...forms, own]), ['own 1'], 'the tier comes first');
  const ofGroup = head('group', { form: 'A' });
  const foreign = head('foreign', { form: 'B', anchorSkillGroup: 'DEC_LONG' });
  assert.equal(chosen([plan(1, { deliveredSessions: 1 })], [ofGroup, foreign]), ['group 1'], 'so does the skill group');
});

test('preferred: same scaffold tier, same skill group, newest, then by id', () => {
  const plans = [plan(1)];
  const same = head('tier', { scaffoldTier: 'Level_3', anchorSkillGroup: 'DEC_LONG', publishedAt: '2025-01-01' });
  assert.equal(chosen(plans, [head('any'), same]), ['tier 1']);
  assert.equal(
    chosen(plans, [head('new', { anchorSkillGroup: 'DEC_LONG', publishedAt: '2026-06-01' }), head('group')]),
    ['group 1'],
  );
  assert.equal(chosen(plans, [head('old'), head('new', { publishedAt: '2026-06-01' })]), ['new 1']);
  assert.equal(chosen(plans, [head('b'), head('a')]), ['a 1']);
});

test('no row without a match: grade, step, mode, scaffold tier, state', () => {
  for (const odd of [
    { grade: 3 },
    { stepNo: 2 },
    { deliveryModes: ['x'] },
    { scaffoldTier: 'Level_1' },
    { state: 'superseded' },
  ]) {
    assert.equal(chosen([plan(1)], [head('a', odd)]), [], JSON.stringify(odd));
  }
});

test('students without an active assignment, halted ones and those with an acute alert are left out; others are grouped', () => {
  const out = [plan(1, { state: 'paused' }), plan(2, { left: true }), plan(3, { currentStepNo: null })];
  assert.equal(chosen(out, [head('a')]), []);
  const groups = [
    plan(9),
    plan(4),
    plan(5, { anchorSkillGroup: 'DEC_LONG' }),
    plan(6, { scaffoldTier: 'Level_2' }),
    ...out,
  ];
  assert.equal(chosen(groups, [head('a')]), ['a 6', 'a 4,9', 'a 5']);
});

test('a light action takes only a blueprint of its skill group', () => {
  const plans = [plan(1, { bundle_id: 'LSA-MONITOR-01' })];
  const light = (id: string, anchorSkillGroup: string) => head(id, { bundle_id: 'LSA-MONITOR-01', anchorSkillGroup });
  assert.equal(chosen(plans, [light('other', 'LK_SOUNDS')]), []);
  assert.equal(chosen(plans, [light('other', 'LK_SOUNDS'), light('own', 'DEC_BASIC')]), ['own 1']);
});

test.run();
