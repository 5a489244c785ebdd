// Every result of the check of a bulk activation, by one change each to a group that equals the one seen; the first failing
// check is returned.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type BulkQuestion, checkBulk } from '#support/interventions/engine/clustering/bulk-check.ts';
import { clusterKeyOf, parseClusterKey } from '#support/interventions/engine/clustering/key.ts';

const fields = {
  ...{ bundle_id: 'BND-DECODE-01', anchor_skill_group: 'DEC_BASIC', scaffold_tier: 'Level_3' },
  ...{ compatible_delivery_mode: 'teacher_led_small_group', sufficient_data: true },
};
const clusterKey = clusterKeyOf(fields);
const clusterOf = (
  memberStudentIds: readonly number[],
  key = clusterKey,
  notActivatableReason: string | null = null,
) => ({
  ...(parseClusterKey(key) ?? fields),
  ...{ clusterKey: key, memberStudentIds, activatable: notActivatableReason === null, notActivatableReason },
});
const computed = (...clusters: ReturnType<typeof clusterOf>[]) => ({
  ...{ ruleVersions: { 'bundle/recommendation': 1 }, clusters },
  ...{ individualReview: [], moreDataNeeded: [] },
});
const seen = { ...computed(clusterOf([11, 12, 13])), generationId: 'g1' };
const asSeen: BulkQuestion = {
  body: { clusterKey, confirmedMemberStudentIds: [11, 12, 13] },
  stored: seen,
  fresh: computed(clusterOf([11, 12, 13])),
  openBundles: {},
  capacity: 2,
};
const body = (more: Partial<BulkQuestion['body']>) => ({ body: { ...asSeen.body, ...more } });
const answer = (more: Partial<BulkQuestion>) => {
  const found = checkBulk({ ...asSeen, ...more });
  return found.status === 201
    ? found
    : [found.status, found.code, found.issues.map((one) => `${one.field} ${one.issue}`)];
};
const stale = (...issues: string[]) => [409, 'CLUSTER_STALE', issues];

test('as it was: one row a member, none for a member who has the bundle open', () => {
  assert.equal(answer({ openBundles: { 12: ['BND-DECODE-01'], 13: ['SUP-COMP-01'] } }), {
    status: 201,
    created: { 11: true, 12: false, 13: true },
  });
  assert.equal(answer(body({ generationId: 'g1', memberAdjustments: [] })), {
    status: 201,
    created: { 11: true, 12: true, 13: true },
  });
});

test('1 and 2: the key, then the adjustments', () => {
  const bad = { ...body({ clusterKey: 'x', memberAdjustments: [{}] }), stored: null };
  assert.equal(answer(bad), [422, 'VALIDATION_ERROR', ['clusterKey invalid']]);
  assert.equal(answer({ ...body({ memberAdjustments: [{}] }), stored: null }), [
    ...[422, 'MEMBER_ADJUSTMENTS_NOT_SUPPORTED', []],
  ]);
});

test('4: excluded members, each with its path and reason, before staleness', () => {
  const fresh = {
    ...computed(clusterOf([11])),
    individualReview: [{ studentId: 13, reasonCode: 'acute_regression_open' }],
    moreDataNeeded: [{ studentId: 12, reasonCode: 'do_not_decide_yet' }],
  };
  assert.equal(answer({ fresh, stored: null }), [
    ...[422, 'EXCLUDED_MEMBER'],
    ['confirmedMemberStudentIds.1 do_not_decide_yet', 'confirmedMemberStudentIds.2 acute_regression_open'],
  ]);
});

test('5 to 7: all that is stale, in one order, without a student’s id', () => {
  assert.equal(answer({ stored: null, ...body({ generationId: 'g0' }) }), stale('clusterKey no_current_generation'));
  const superseded = 'generationId generation_superseded';
  assert.equal(answer(body({ generationId: 'g0' })), stale(superseded));
  const ruleVersions = { 'bundle/recommendation': 2 };
  const changed = 'clusterKey rule_version_changed';
  assert.equal(answer({ fresh: { ...asSeen.fresh, ruleVersions } }), stale(changed));
  const more = { 'bundle/recommendation': 1, 'cluster/key-tier': 1 };
  assert.equal(answer({ fresh: { ...asSeen.fresh, ruleVersions: more } }), stale(changed));
  const unknown = 'clusterKey unknown_cluster';
  const none = { fresh: { ...computed(), ruleVersions }, stored: { ...computed(), generationId: 'g1' } };
  assert.equal(answer({ ...none, ...body({ generationId: 'g0' }) }), stale(superseded, changed, unknown));
  const [added, removed] = ['added', 'removed'].map((word) => `confirmedMemberStudentIds membership_${word}`);
  const blended = clusterKeyOf({ ...fields, compatible_delivery_mode: 'blended' });
  assert.equal(
    answer({ fresh: computed(clusterOf([11, 12, 13], blended)) }),
    stale('clusterKey delivery_mode_changed', String(removed)),
  );
  assert.equal(answer({ fresh: computed(clusterOf([11, 12, 13, 14])) }), stale(String(added)));
  assert.equal(answer(body({ confirmedMemberStudentIds: [11, 12] })), stale(String(added)));
  assert.equal(answer({ fresh: computed(clusterOf([11, 12])) }), stale(String(removed)));
  const leftOut = body({ confirmedMemberStudentIds: [11, 12] });
  assert.equal(answer({ ...leftOut, fresh: computed(clusterOf([11, 12])) }), stale(String(removed)));
  assert.equal(answer(body({ confirmedMemberStudentIds: [11, 12, 13, 99] })), stale(String(removed)));
  assert.equal(answer({ stored: { ...computed(), generationId: 'g1' } }), stale(String(added)));
  assert.equal(answer({ fresh: computed(clusterOf([11, 12, 14])) }), stale(String(added), String(removed)));
});

test('8 and 9: what cannot be activated, and members at the limit', () => {
  const fresh = computed(clusterOf([11, 12, 13], clusterKey, 'all_open'));
  assert.equal(answer({ fresh }), [409, 'CONFLICT', ['clusterKey all_open']]);
  const openBundles = { 12: ['SUP-COMP-01', 'SUP-PHON-01'], 13: ['BND-DECODE-01', 'SUP-PHON-01'] };
  assert.equal(answer({ openBundles }), [409, 'CONFLICT', ['confirmedMemberStudentIds.1 capacity']]);
});

test.run();
