// Groups: buckets, merged tiers, teaching groups, class-wide needs, and changes between generations.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { changesSince } from '#support/interventions/engine/clustering/changes.ts';
import {
  contentHashOf,
  expiryOf,
  generationDocuments,
  minimumSizeOf,
} from '#support/interventions/engine/clustering/generation.ts';
import { differsInModeOnly, parseClusterKey } from '#support/interventions/engine/clustering/key.ts';
import type { ClassMember } from '#support/interventions/engine/clustering/partition.ts';
import { bundle, engines } from '../runs.ts';
import { memberOf } from './classes.ts';

const { clusters: rules, settings } = engines;
const partition = (members: readonly ClassMember[], minimum = 2) => rules.partition(members, minimum);
const pairOf = (more: Partial<ClassMember>) => partition([memberOf(1, more), memberOf(2, more)]);

for (const [ruleId, member, bucket, reasonCode] of [
  ['CLP-01', { acuteOpen: true }, 'individualReview', 'acute_regression_open'],
  ['CLP-01', { acuteOpen: true, dndy: true }, 'individualReview', 'acute_regression_open'],
  ['CLP-02', { dndy: true, profileCode: 'DATA_INCOMPLETE' }, 'moreDataNeeded', 'do_not_decide_yet'],
  ['CLP-03', { profileCode: 'DATA_INCOMPLETE' }, 'moreDataNeeded', 'data_incomplete'],
  ['CLP-04', { recommended_bundle_id: null }, 'moreDataNeeded', 'no_recommendation'],
] as const) {
  test(`${ruleId}: ${JSON.stringify(member)}`, () => {
    const found = pairOf(member);
    assert.equal(found.clusters, []);
    assert.equal(
      found[bucket].map((one) => [one.studentId, one.reasonCode]),
      [
        [1, reasonCode],
        [2, reasonCode],
      ],
    );
  });
}

test('CLM-01: with a teacher the two lighter tiers are one; alone they are not', () => {
  const light = (mode: ClassMember['compatible_delivery_mode']) =>
    partition(
      (['Level_1', 'Level_2', 'Level_3'] as const).map((scaffold_tier, at) =>
        memberOf(at, { scaffold_tier, compatible_delivery_mode: mode }),
      ),
      1,
    ).clusters.map(({ scaffold_tier, memberStudentIds }) => [scaffold_tier, memberStudentIds]);
  assert.equal(light('teacher_led_small_group'), [
    ['Level_1_2', [0, 1]],
    ['Level_3', [2]],
  ]);
  assert.equal(light('blended'), [
    ['Level_1', [0]],
    ['Level_2', [1]],
    ['Level_3', [2]],
  ]);
});

test('teaching groups: most support first, unknown rates before known ones, then the least independent', () => {
  const members = [
    memberOf(1, { scaffold_tier: 'Level_1', independentRate: 0.5 }),
    memberOf(2, { scaffold_tier: 'Level_2', independentRate: 0.9 }),
    memberOf(3, { scaffold_tier: 'Level_2', independentRate: 0.1 }),
    memberOf(4, { scaffold_tier: 'Level_2' }),
    memberOf(5, { scaffold_tier: 'Level_1', independentRate: 0.5 }),
  ];
  assert.equal(partition(members).clusters[0]?.teachingGroups, [[4, 3, 2, 1, 5]]);
  const seven = Array.from({ length: 7 }, (_, at) => memberOf(at));
  assert.equal(partition(seven).clusters[0]?.teachingGroups, [
    [0, 1, 2, 3],
    [4, 5, 6],
  ]);
});

test('classwide: at least five, and at least half of the class', () => {
  const isClasswide = (members: number, others: number) =>
    partition([
      ...Array.from({ length: members }, (_, at) => memberOf(at)),
      ...Array.from({ length: others }, (_, at) => memberOf(100 + at, { dndy: true, profileCode: 'DATA_INCOMPLETE' })),
    ]).clusters[0]?.classwide;
  assert.is(isClasswide(5, 5), true);
  assert.is(isClasswide(5, 6), false);
  assert.is(isClasswide(4, 0), false);
});

test('activatable: not what cannot be assigned, nor what everybody has open', () => {
  const reason = (more: Partial<ClassMember>, one: Partial<ClassMember> = more) => {
    const [cluster] = partition([memberOf(1, one), memberOf(2, more)]).clusters;
    return [cluster?.activatable, cluster?.notActivatableReason];
  };
  const core = { recommended_bundle_id: 'NIO-CORE-01', compatible_delivery_mode: 'none' } as const;
  assert.equal(reason(core), [false, 'not_assignable']);
  assert.equal(reason({ openBundles: ['BND-DECODE-01'] }), [false, 'all_open']);
  assert.equal(reason({ openBundles: ['BND-DECODE-01'] }, {}), [true, null]);
});

test('the hash is of class, versions, minimum and membership; what is worked out when answering is not in it', () => {
  const identity = { classId: 1, ruleVersions: { 'cluster/smart-cluster': 1 } };
  const hash = contentHashOf(identity, pairOf({}));
  assert.is(contentHashOf(identity, pairOf({ openBundles: ['BND-DECODE-01'] })), hash);
  assert.is(contentHashOf(identity, pairOf({ independentRate: 0.5 })), hash);
  for (const other of [
    contentHashOf({ ...identity, classId: 2 }, pairOf({})),
    contentHashOf({ ...identity, ruleVersions: { 'cluster/smart-cluster': 2 } }, pairOf({})),
    contentHashOf(identity, partition([memberOf(1), memberOf(3)])),
    contentHashOf(identity, partition([memberOf(1), memberOf(2)], 1)),
    contentHashOf(identity, pairOf({ scaffold_tier: 'Level_2' })),
  ]) {
    assert.is.not(other, hash);
  }
});

test('a generation names the documents that decide it, and ends sixty days later to the millisecond', () => {
  for (const name of generationDocuments) assert.ok(bundle.versions[name] !== undefined, name);
  const created = new Date('2026-10-01T08:15:30.123Z');
  assert.is(expiryOf(created, settings).toISOString(), '2026-11-30T08:15:30.123Z');
  assert.is(minimumSizeOf(null, null, settings), 2);
  assert.is(minimumSizeOf(null, 3, settings), 3);
  assert.is(minimumSizeOf(4, 3, settings), 4);
});

test('changes: who came, who left and where to', () => {
  const gone = (studentId: number) => memberOf(studentId, { acuteOpen: true });
  const before = partition([1, 2, 3, 4, 5, 6, 7].map((id) => memberOf(id)));
  const language = { recommended_bundle_id: 'BND-LANGUAGE-01', anchor_skill_group: 'LIS_ALL' };
  const now = partition([
    ...[memberOf(1), memberOf(2), memberOf(3, language), memberOf(8, language), gone(4)],
    ...[memberOf(5, { dndy: true, profileCode: 'DATA_INCOMPLETE' }), memberOf(6, { dataSufficiency: 'contextual' })],
  ]);
  const [decoding, other] = now.clusters.map(({ clusterKey }) => clusterKey);
  const left = (studentId: number, reasonCode: string) => ({ studentId, clusterKey: decoding, reasonCode });
  assert.equal(changesSince(before, now, new Set([1, 2, 3, 4, 5, 6, 8])), {
    entered: [3, 8].map((studentId) => ({ studentId, clusterKey: other })),
    left: [
      left(3, 'other_cluster'),
      left(4, 'individualReview'),
      left(5, 'moreDataNeeded'),
      left(6, 'dropped'),
      left(7, 'left_class'),
    ],
  });
  assert.is(changesSince(null, now, new Set()), null);
  assert.equal(changesSince(now, now, new Set()), { entered: [], left: [] });
});

test('texts that are no cluster key', () => {
  const [key = ''] = pairOf({}).clusters.map(({ clusterKey }) => clusterKey);
  assert.ok(parseClusterKey(key));
  for (const bad of [
    '',
    ` ${key}`,
    `${key}|x=y`,
    key.replace('bundle_id=', 'bundle=').replace('|', ' | '),
    key.replace('true', 'yes'),
    key.replace('DEC_BASIC', 'DEC BASIC'),
    key.replace('DEC_BASIC', ''),
    key.replace('DEC_BASIC', 'X'.repeat(200)),
    `${key}\n`,
  ]) {
    assert.is(parseClusterKey(bad), undefined, bad);
  }
  const otherMode = key.replace('teacher_led_small_group', 'blended');
  assert.is(differsInModeOnly(key, otherMode), true);
  assert.is(differsInModeOnly(key, otherMode.replace('true', 'false')), false);
  assert.is(differsInModeOnly(key, key), false);
});

test.run();
