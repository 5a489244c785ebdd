// Explains a generation of groups: for each student the rules that decided on the group, or on none.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { sayDecision, sentencesInForce } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { classMemberOf, type PinnedMember, replayMembers } from '../clustering/member.ts';
import { ClusterGeneration, type NewGeneration } from '../clustering/store.ts';
import { type ClusterRules, compileClusters, contentHashOf } from '../engine/clustering/generation.ts';
import { bucketQuestion, type ClassMember, keyTierQuestion } from '../engine/clustering/partition.ts';
import { type InterventionRules, recommendationRules } from '../rules/compiled.ts';
import { recommendationOf } from '../situations/input.ts';
import { decisionsOf, recommendationQuestions } from './decisions.ts';
import type { ExplainedGeneration, ExplainedMember } from './schemas.ts';

/** Returns undefined for a row that the caller cannot see. Uses the pinned rules only. */
export async function explainGeneration(
  reading: ReadTransaction,
  services: Services,
  id: string,
): Promise<ExplainedGeneration | undefined> {
  const row: NewGeneration | undefined = await reading((trx) =>
    ClusterGeneration.query(trx).modify(inAnyOrganization).where({ id }).first().execute(),
  );
  if (!row) return undefined;
  const bundle = await services.rules.pinned(services.db, row.ruleVersions);
  const rules = {
    ...recommendationRules(bundle),
    clusters: compileClusters(bundle),
  };
  const groups = new Map(
    row.groups.clusters.flatMap(({ clusterKey, memberStudentIds }) => memberStudentIds.map((one) => [one, clusterKey])),
  );
  return {
    stampId: `generation:${id}`,
    kind: 'generation',
    organizationId: row.organizationId,
    classId: row.classId,
    asOf: row.createdAt,
    ruleVersions: row.ruleVersions,
    result: {
      generationId: id,
      contentHash: row.contentHash,
      minimumSize: row.minimumSize,
      expiresAt: row.expiresAt,
      clusters: row.groups.clusters.map(({ clusterKey, memberStudentIds }) => {
        return { clusterKey, members: memberStudentIds.length };
      }),
    },
    decisions: [],
    sentence: sayDecision(await sentencesInForce(reading, services), 'CLUSTER', undefined),
    matchesStored: hashAgain(row, rules) === row.contentHash,
    from: row.facts.members.map((one) => explainedMember(one, groups.get(one.studentId) ?? null, rules, bundle)),
  };
}

type Rules = Pick<InterventionRules, 'recommendation' | 'settings'> & { readonly clusters: ClusterRules };

function hashAgain({ classId, ruleVersions, minimumSize, facts }: NewGeneration, rules: Rules): string {
  return contentHashOf(
    { classId, ruleVersions },
    rules.clusters.partition(replayMembers(facts.members, rules), minimumSize),
  );
}

function explainedMember(
  { studentId, profileId, input }: PinnedMember,
  clusterKey: string | null,
  rules: Rules,
  bundle: RuleBundle,
): ExplainedMember {
  const found = recommendationOf(input, rules);
  const member = classMemberOf(studentId, input, found);
  const placement = rules.clusters.placementOf(member);
  return {
    studentId,
    profileStampId: profileId === null ? null : `profile:${profileId}`,
    clusterKey,
    exclusion: placement.bucket === 'clusterable' ? null : placement.reasonCode,
    decisions: decisionsOf(bundle, String(studentId), [...recommendationQuestions(found), ...groupQuestions(member)]),
  };
}

/** CLP, and CLM when the student can be grouped. */
const groupQuestions = (member: ClassMember): Parameters<typeof decisionsOf>[2] => {
  const { compatible_delivery_mode: mode, scaffold_tier: tier } = member;
  const bucket = ['cluster/smart-cluster', bucketQuestion(member)] as const;
  return mode === null || tier === null ? [bucket] : [bucket, ['cluster/key-tier', keyTierQuestion(mode, tier)]];
};
