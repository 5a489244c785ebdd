// Invariants of the groups of every class (INV-1, 3, 4, 5 of the contract), over generated classes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { contentHashOf } from '#support/interventions/engine/clustering/generation.ts';
import { clusterKeyOf, parseClusterKey } from '#support/interventions/engine/clustering/key.ts';
import { engines } from '../runs.ts';
import { generatedClass, shuffled } from './classes.ts';

const { clusters: rules } = engines;
const seeds = Array.from({ length: 300 }, (_, at) => at + 1);
/** Of 0, 1 and 60 students, and of all sizes between. */
const classOf = (seed: number) => generatedClass(seed, seed % 61);
const minimumOf = (seed: number) => 2 + (seed % 4);

test('INV-1: every student is in one cluster, one exclusion list, or dropped; no id appears twice', () => {
  const seen = { cluster: 0, individualReview: 0, moreDataNeeded: 0, dropped: 0 };
  for (const seed of seeds) {
    const members = classOf(seed);
    const found = rules.partition(members, minimumOf(seed));
    const ids = [
      ...found.clusters.flatMap(({ memberStudentIds }) => memberStudentIds),
      ...found.individualReview.map(({ studentId }) => studentId),
      ...found.moreDataNeeded.map(({ studentId }) => studentId),
    ];
    assert.is(new Set(ids).size, ids.length, `seed ${seed}`);
    const enrolled = new Set(members.map(({ studentId }) => studentId));
    assert.ok(ids.every((id) => enrolled.has(id)));
    for (const { teachingGroups, memberStudentIds } of found.clusters) {
      assert.equal(
        teachingGroups.flat().sort((a, b) => a - b),
        memberStudentIds,
      );
    }
    seen.cluster += found.clusters.length;
    seen.individualReview += found.individualReview.length;
    seen.moreDataNeeded += found.moreDataNeeded.length;
    seen.dropped += enrolled.size - ids.length;
  }
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 100, `${what} hardly occurs: ${count}`);
});

test('INV-3: the order of students changes neither groups nor the hash', () => {
  const identity = { classId: 1, ruleVersions: { 'bundle/recommendation': 1 } };
  for (const seed of seeds) {
    const members = classOf(seed);
    const [found, again] = [members, shuffled(members, seed)].map((list) => rules.partition(list, minimumOf(seed)));
    assert.ok(found && again);
    assert.is(JSON.stringify(again), JSON.stringify(found), `seed ${seed}`);
    assert.is(contentHashOf(identity, again), contentHashOf(identity, found));
  }
});

test('INV-3: members of a cluster have the same five values, and no student outside it has', () => {
  for (const seed of seeds) {
    const members = classOf(seed);
    const { clusters } = rules.partition(members, 1);
    const keyOf = new Map(clusters.flatMap((one) => one.memberStudentIds.map((id) => [id, one.clusterKey] as const)));
    assert.is(new Set(clusters.map(({ clusterKey }) => clusterKey)).size, clusters.length);
    for (const { clusterKey, memberStudentIds } of clusters) {
      assert.ok(memberStudentIds.every((id) => keyOf.get(id) === clusterKey));
    }
  }
});

test('INV-4: the key gives back the five values', () => {
  for (const seed of seeds) {
    for (const cluster of rules.partition(classOf(seed), 1).clusters) {
      const fields = parseClusterKey(cluster.clusterKey);
      assert.ok(fields, cluster.clusterKey);
      for (const [name, value] of Object.entries(fields)) {
        assert.is(cluster[name as keyof typeof fields], value);
      }
      assert.is(clusterKeyOf(fields), cluster.clusterKey);
    }
  }
});

test('INV-5: no cluster is smaller than the minimum; raising it only removes clusters', () => {
  for (const seed of seeds) {
    const members = classOf(seed);
    let before = rules.partition(members, 1);
    for (let minimum = 2; minimum <= 6; minimum += 1) {
      const found = rules.partition(members, minimum);
      assert.ok(found.clusters.every(({ memberStudentIds }) => memberStudentIds.length >= minimum));
      const kept = before.clusters.filter(({ memberStudentIds }) => memberStudentIds.length >= minimum);
      assert.equal(found.clusters, kept, `seed ${seed}`);
      assert.equal(found.individualReview, before.individualReview);
      assert.equal(found.moreDataNeeded, before.moreDataNeeded);
      before = found;
    }
  }
});

test('teaching groups: the fewest of at most the mode’s size, sizes differing by at most one, larger first', () => {
  const most: Readonly<Record<string, number>> = { teacher_led_small_group: 6, teacher_led_micro_group: 3 };
  for (const seed of seeds) {
    for (const cluster of rules.partition(classOf(seed), 1).clusters) {
      const sizes = cluster.teachingGroups.map((group) => group.length);
      const limit = most[cluster.compatible_delivery_mode] ?? cluster.memberStudentIds.length;
      assert.is(sizes.length, Math.ceil(cluster.memberStudentIds.length / limit));
      assert.ok(sizes.every((size) => size <= limit));
      assert.equal(
        sizes,
        sizes.toSorted((a, b) => b - a),
      );
      assert.ok((sizes[0] ?? 0) - (sizes.at(-1) ?? 0) <= 1);
    }
  }
});

test.run();
