// Schemas of explanations of support: a profile down to the responses, an assignment and a group down to the profiles.
import Type, { type Static } from 'typebox';
import { ExplainedResult } from '#assessment/skill-status/index.ts';
import { Cuid, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { DecisionView, explainedFrame, listOf, RuleId } from '#rules/rulesets/index.ts';
import { exclusionReasons } from '../engine/clustering/partition.ts';
import { profileCodes, profileModifiers, profileOutcomes, roleCodes } from '../engine/vocabulary.ts';
import { frozenRecommendation } from '../recommendations/schemas.ts';

export const ExplainedProfile = named(
  'ExplainedProfile',
  object({
    kind: Type.Literal('profile'),
    ...explainedFrame,
    result: object({
      outcome: oneOf(profileOutcomes),
      profileCode: oneOf(profileCodes),
      ruleId: RuleId,
      modifiers: listOf(oneOf(profileModifiers)),
      anchorRole: nullable(oneOf(roleCodes)),
      anchorSubSkillCode: nullable(Type.String()),
      anchorSkillGroup: Type.String(),
    }),
    /** The run from which it was resolved, explained down to the responses. */
    run: ExplainedResult,
  }),
);
export type ExplainedProfile = Static<typeof ExplainedProfile>;

const ProfileStamp = nullable(Type.String({ pattern: '^profile:[0-9]+$' }));

export const ExplainedAssignment = named(
  'ExplainedAssignment',
  object({
    kind: Type.Literal('assignment'),
    ...explainedFrame,
    result: object({ bundle_id: Type.String(), ...frozenRecommendation }),
    /** The profile behind the recommendation, explained; null when the student had none. */
    profile: nullable(ExplainedProfile),
  }),
);
export type ExplainedAssignment = Static<typeof ExplainedAssignment>;

const { studentId: _ofOne, nearestChange: _ofOneToo, ...frameOfClass } = explainedFrame;

export const ExplainedGeneration = named(
  'ExplainedGeneration',
  object({
    kind: Type.Literal('generation'),
    ...frameOfClass,
    classId: IntegerId,
    result: object({
      generationId: Cuid,
      contentHash: Type.String(),
      minimumSize: Type.Integer({ minimum: 1 }),
      expiresAt: Timestamp,
      clusters: listOf(object({ clusterKey: Type.String(), members: Type.Integer({ minimum: 1 }) })),
    }),
    /** Each student of the class with the reason for the group, or for none. */
    from: Type.Unsafe<readonly ExplainedMember[]>(
      Type.Array(
        object({
          studentId: IntegerId,
          profileStampId: ProfileStamp,
          clusterKey: nullable(Type.String()),
          exclusion: nullable(oneOf(exclusionReasons)),
          decisions: Type.Array(DecisionView),
        }),
      ),
    ),
  }),
);
export interface ExplainedMember {
  readonly studentId: number;
  readonly profileStampId: string | null;
  readonly clusterKey: string | null;
  readonly exclusion: (typeof exclusionReasons)[number] | null;
  readonly decisions: readonly DecisionView[];
}
export type ExplainedGeneration = Static<typeof ExplainedGeneration>;
