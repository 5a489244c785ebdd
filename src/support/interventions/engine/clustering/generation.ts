// Partitions a class in one pass into clusters and two lists of students outside them. Deterministic: equal facts give equal
// generations.

import type { NextDataAction } from '#assessment/skill-status/engine/index.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { type BundleCatalogue, compileBundles } from '../bundles/catalogue.ts';
import { type BundleSettings, bundleSettings } from '../bundles/settings.ts';
import { isAssignable } from '../vocabulary.ts';
import type { ClusterFields } from './key.ts';
import { type ClassMember, compilePartition, type ExclusionReason, type Placement } from './partition.ts';
import { teachingGroups } from './teaching-groups.ts';

export const notActivatableReasons = ['not_assignable', 'all_open'] as const;

/** Computed for each response, because it changes with every activation while membership does not. */
export interface Activatability {
  readonly activatable: boolean;
  readonly notActivatableReason: (typeof notActivatableReasons)[number] | null;
}

export interface Cluster extends ClusterFields, Activatability {
  readonly clusterKey: string;
  /** Ascending. */
  readonly memberStudentIds: readonly number[];
  readonly teachingGroups: readonly (readonly number[])[];
  /** Whether the need is one of the whole class. */
  readonly classwide: boolean;
}

export interface ClassPartition {
  readonly minimumSize: number;
  /** By key. */
  readonly clusters: readonly Cluster[];
  /** By student. */
  readonly individualReview: readonly { readonly studentId: number; readonly reasonCode: ExclusionReason }[];
  readonly moreDataNeeded: readonly {
    readonly studentId: number;
    readonly reasonCode: ExclusionReason;
    readonly nextRecommendedDataAction: NextDataAction | null;
  }[];
}

export interface ClusterRules {
  readonly settings: BundleSettings;
  placementOf(member: ClassMember): Placement;
  /** Takes the members in any order. */
  partition(members: readonly ClassMember[], minimumSize: number): ClassPartition;
  /** `openBundles`: the bundle_id of each open assignment, for each member. */
  activatability(bundleId: string, openBundles: readonly (readonly string[])[]): Activatability;
}

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export function compileClusters(bundle: RuleBundle): ClusterRules {
  const placementOf = compilePartition(bundle);
  const catalogue = compileBundles(bundle);
  const settings = bundleSettings(bundle);
  return {
    settings,
    activatability: (bundleId, openBundles) => activatability(bundleId, openBundles, catalogue),
    placementOf,
    partition(members, minimumSize) {
      const placed = members
        .toSorted((a, b) => a.studentId - b.studentId)
        .map((member) => ({ member, placement: placementOf(member) }));
      const clusters = [...gathered(placed)]
        .filter(([, { members: own }]) => own.length >= minimumSize)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([clusterKey, cluster]) => ({
          clusterKey,
          ...clusterOf(cluster, members.length, settings),
          ...activatability(
            cluster.fields.bundle_id,
            cluster.members.map(({ openBundles }) => openBundles),
            catalogue,
          ),
        }));
      return { minimumSize, clusters, ...withoutCluster(placed) };
    },
  };
}

interface PlacedMember {
  readonly member: ClassMember;
  readonly placement: Placement;
}

interface Gathered {
  readonly fields: ClusterFields;
  readonly members: ClassMember[];
}

/** By key, in the order in which members are placed. */
function gathered(placed: readonly PlacedMember[]): Map<string, Gathered> {
  const byKey = new Map<string, Gathered>();
  for (const { member, placement } of placed) {
    if (placement.bucket !== 'clusterable') continue;
    const cluster = byKey.get(placement.clusterKey) ?? { fields: placement.fields, members: [] };
    cluster.members.push(member);
    byKey.set(placement.clusterKey, cluster);
  }
  return byKey;
}

const clusterOf = ({ fields, members }: Gathered, enrolled: number, settings: BundleSettings) => ({
  ...fields,
  memberStudentIds: members.map(({ studentId }) => studentId),
  teachingGroups: teachingGroups(members, fields.compatible_delivery_mode, settings),
  classwide: isClasswide(members.length, enrolled, settings),
});

const withoutCluster = (
  placed: readonly PlacedMember[],
): Pick<ClassPartition, 'individualReview' | 'moreDataNeeded'> => ({
  individualReview: placed.flatMap(({ member: { studentId }, placement }) =>
    placement.bucket === 'individualReview' ? [{ studentId, reasonCode: placement.reasonCode }] : [],
  ),
  moreDataNeeded: placed.flatMap(({ member: { studentId, nextRecommendedDataAction }, placement }) =>
    placement.bucket === 'moreDataNeeded'
      ? [{ studentId, reasonCode: placement.reasonCode, nextRecommendedDataAction }]
      : [],
  ),
});

const isClasswide = (
  members: number,
  enrolled: number,
  { classwideMembers, classwideShare }: BundleSettings,
): boolean => members >= classwideMembers && members >= enrolled * classwideShare;

function activatability(
  bundleId: string,
  openBundles: readonly (readonly string[])[],
  { byId }: BundleCatalogue,
): Activatability {
  const bundle = byId.get(bundleId);
  if (!bundle || !isAssignable(bundle.objectType)) {
    return { activatable: false, notActivatableReason: 'not_assignable' };
  }
  return openBundles.every((open) => open.includes(bundleId))
    ? { activatable: false, notActivatableReason: 'all_open' }
    : { activatable: true, notActivatableReason: null };
}

export interface GenerationIdentity {
  readonly classId: number;
  /** Versions of the documents that decide the generation. */
  readonly ruleVersions: Readonly<Record<string, number>>;
}

/** SHA-256, lower-case hex. Fields that follow from the members, or are computed for each response, are left out. */
export const contentHashOf = ({ classId, ruleVersions }: GenerationIdentity, partition: ClassPartition): string =>
  canonicalHash({
    classId,
    ruleVersions,
    minimumSize: partition.minimumSize,
    clusters: partition.clusters.map(({ clusterKey, memberStudentIds }) => ({ clusterKey, memberStudentIds })),
    individualReview: partition.individualReview,
    moreDataNeeded: partition.moreDataNeeded,
  });

/** The instant from which a generation is no longer current. */
export const expiryOf = (createdAt: Date, { generationDays }: Pick<BundleSettings, 'generationDays'>): Date =>
  new Date(createdAt.getTime() + generationDays * dayMs);

/** The documents that decide a generation, as it names them. */
export const generationDocuments = [
  'profile/resolution',
  'profile/modifiers',
  'profile/settings',
  'bundle/recommendation',
  'bundle/scaffold-tier',
  'bundle/delivery-mode',
  'bundle/catalogue',
  'bundle/settings',
  'cluster/smart-cluster',
  'cluster/key-tier',
  'rti/data-sufficiency',
] as const;

/** The number of the school has precedence over that of the organization. */
export const minimumSizeOf = (
  school: number | null,
  organization: number | null,
  { clusterMinimum }: Pick<BundleSettings, 'clusterMinimum'>,
): number => school ?? organization ?? clusterMinimum;
