// Schemas of the groups of a class, of their activation, and of the preview of a student's support.
import Type from 'typebox';
import { itemTypes } from '#assessment/content/index.ts';
import { nextDataActions } from '#assessment/skill-status/index.ts';
import { Count, Cuid, EnteredDate, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { leftReasons } from '../engine/clustering/changes.ts';
import { notActivatableReasons } from '../engine/clustering/generation.ts';
import { clusterKeyLength, clusterKeyPattern, clusterTiers } from '../engine/clustering/key.ts';
import { exclusionReasons } from '../engine/clustering/partition.ts';
import { deliveryModes } from '../engine/vocabulary.ts';
import { InterventionVersions } from '../profiles/schemas.ts';

const ClusterKey = named('ClusterKey', Type.String({ maxLength: clusterKeyLength, pattern: clusterKeyPattern }));
const mostMembers = 60;

const keyFields = {
  clusterKey: ClusterKey,
  bundle_id: Type.String(),
  anchor_skill_group: Type.String(),
  scaffold_tier: oneOf(clusterTiers),
  compatible_delivery_mode: oneOf([...deliveryModes, 'none']),
  sufficient_data: Type.Boolean(),
};

export const ClusterView = named(
  'Cluster',
  object({
    ...keyFields,
    memberStudentIds: Type.Array(IntegerId),
    teachingGroups: Type.Array(Type.Array(IntegerId)),
    classwide: Type.Boolean(),
    activatable: Type.Boolean(),
    notActivatableReason: nullable(oneOf(notActivatableReasons)),
  }),
);

const InGroup = { studentId: IntegerId, clusterKey: ClusterKey };

export const ClusterChanges = named(
  'ClusterChanges',
  object({
    entered: Type.Array(object(InGroup)),
    left: Type.Array(object({ ...InGroup, reasonCode: oneOf(leftReasons) })),
  }),
);

const Excluded = { studentId: IntegerId, reasonCode: oneOf(exclusionReasons) };

const generation = {
  generationId: Cuid,
  classId: IntegerId,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  ruleVersions: InterventionVersions,
  minimumSize: Type.Integer({ minimum: 1 }),
  clusters: Type.Array(ClusterView),
  changes: nullable(ClusterChanges),
  individualReview: Type.Array(object(Excluded)),
  moreDataNeeded: Type.Array(object({ ...Excluded, nextRecommendedDataAction: nullable(oneOf(nextDataActions)) })),
};

export const GenerationView = named('ClusterGeneration', object(generation));
export const RecomputedView = named('RecomputedClusters', object({ ...generation, created: Type.Boolean() }));

export const BulkBody = named(
  'BulkActivation',
  object({
    clusterKey: ClusterKey,
    confirmedMemberStudentIds: Type.Array(IntegerId, { minItems: 1, maxItems: mostMembers, uniqueItems: true }),
    memberAdjustments: Type.Optional(Type.Array(Type.Unknown(), { maxItems: mostMembers })),
    classId: Type.Optional(IntegerId),
    generationId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    startOn: Type.Optional(EnteredDate),
  }),
);

export const BulkView = named(
  'BulkActivated',
  object({
    classId: IntegerId,
    generationId: Cuid,
    clusterKey: ClusterKey,
    bundle_id: Type.String(),
    assignments: Type.Array(object({ studentId: IntegerId, assignmentId: Cuid, created: Type.Boolean() })),
  }),
);

export const ScaffoldPreviewView = named(
  'ScaffoldPreview',
  object({
    studentId: IntegerId,
    currentCluster: nullable(object({ generationId: Cuid, ...keyFields, expiresAt: Timestamp })),
    exclusion: nullable(oneOf(['individualReview', 'moreDataNeeded'])),
    skills: Type.Array(
      object({
        subSkillCode: Type.String(),
        taskTypes: Type.Array(object({ taskType: oneOf(itemTypes), Level_1: Count, Level_2: Count, Level_3: Count })),
      }),
    ),
    asOf: Timestamp,
    ruleVersions: InterventionVersions,
  }),
);
