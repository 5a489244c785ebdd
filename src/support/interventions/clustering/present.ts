// The response of a generation. Whether a group can be activated is computed for each response, because it changes with every
// assignment.
import type { Static } from 'typebox';
import type { ClusterRules } from '../engine/clustering/generation.ts';
import type { ClusterChanges, ClusterView, GenerationView } from './schemas.ts';
import type { Generation, StoredCluster } from './store.ts';

/** Returns the bundle_id of each open assignment; undefined for a student without one or who has left. */
export type OpenBundles = (studentId: number) => readonly string[] | undefined;

export function presentGeneration(
  generation: Generation,
  rules: ClusterRules,
  openBundles: OpenBundles,
): Static<typeof GenerationView> {
  const { groups, changes } = generation;
  return {
    generationId: generation.id,
    classId: generation.classId,
    createdAt: generation.createdAt,
    expiresAt: generation.expiresAt,
    ruleVersions: { ...generation.ruleVersions },
    minimumSize: generation.minimumSize,
    clusters: groups.clusters.map((cluster) => presentCluster(cluster, rules, openBundles)),
    changes: changes && presentChanges(changes),
    individualReview: groups.individualReview.map(({ studentId, reasonCode }) => ({ studentId, reasonCode })),
    moreDataNeeded: groups.moreDataNeeded.map(({ studentId, reasonCode, nextRecommendedDataAction }) => ({
      studentId,
      reasonCode,
      nextRecommendedDataAction,
    })),
  };
}

function presentCluster(cluster: StoredCluster, rules: ClusterRules, openBundles: OpenBundles): View {
  const open = cluster.memberStudentIds.map((id) => openBundles(id) ?? []);
  return {
    ...presentKey(cluster),
    memberStudentIds: [...cluster.memberStudentIds],
    teachingGroups: cluster.teachingGroups.map((group) => [...group]),
    classwide: cluster.classwide,
    ...rules.activatability(cluster.bundle_id, open),
  };
}

type View = Static<typeof ClusterView>;

/** The key, and its five values. */
export const presentKey = (cluster: StoredCluster) => ({
  clusterKey: cluster.clusterKey,
  bundle_id: cluster.bundle_id,
  anchor_skill_group: cluster.anchor_skill_group,
  scaffold_tier: cluster.scaffold_tier,
  compatible_delivery_mode: cluster.compatible_delivery_mode,
  sufficient_data: cluster.sufficient_data,
});

const presentChanges = ({ entered, left }: NonNullable<Generation['changes']>): Static<typeof ClusterChanges> => ({
  entered: entered.map(({ studentId, clusterKey }) => ({ studentId, clusterKey })),
  left: left.map(({ studentId, clusterKey, reasonCode }) => ({ studentId, clusterKey, reasonCode })),
});
