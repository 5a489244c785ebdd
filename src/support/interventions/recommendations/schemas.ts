// Schemas of a recommendation and of its reasons.
import Type from 'typebox';
import { nextDataActions, skillStatuses } from '#assessment/skill-status/index.ts';
import { IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { notChosenCodes } from '../engine/bundles/why.ts';
import {
  deliveryModes,
  objectTypes,
  profileCodes,
  profileModifiers,
  recommendationActions,
  scaffoldTiers,
  sufficiencies,
} from '../engine/vocabulary.ts';
import { InterventionVersions } from '../profiles/schemas.ts';

/** The fields that an assignment freezes. */
export const frozenRecommendation = {
  outcome: oneOf(['recommended', 'blocked_insufficient_evidence']),
  recommended_bundle_id: nullable(Type.String()),
  objectType: nullable(oneOf(objectTypes)),
  action: oneOf(recommendationActions),
  ruleId: Type.String(),
  profileCode: oneOf(profileCodes),
  modifiers: Type.Array(oneOf(profileModifiers)),
  anchorSubSkillCode: nullable(Type.String()),
  anchor_skill_group: Type.String(),
  scaffold_tier: nullable(oneOf(scaffoldTiers)),
  compatible_delivery_mode: nullable(oneOf([...deliveryModes, 'none'])),
  dataSufficiency: oneOf(sufficiencies),
  nextRecommendedDataAction: nullable(oneOf(nextDataActions)),
  ruleVersions: InterventionVersions,
};

export const RecommendationView = named(
  'BundleRecommendation',
  object({ studentId: IntegerId, ...frozenRecommendation, pending: Type.Boolean(), asOf: Timestamp }),
);

const ReasonValue = named('ReasonValue', Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]));

const StatusChangeView = object({
  fact: oneOf(['domainStatus']),
  domainCode: Type.String(),
  is: oneOf(skillStatuses),
  would: oneOf(skillStatuses),
});

export const WhyView = named(
  'RecommendationReasons',
  object({
    studentId: IntegerId,
    because: Type.Array(
      object({
        fact: Type.String(),
        value: ReasonValue,
        subSkillCode: nullable(Type.String()),
        domainCode: nullable(Type.String()),
        decidedAt: nullable(Timestamp),
      }),
    ),
    notChosen: Type.Array(
      object({
        bundle_id: Type.String(),
        code: oneOf(notChosenCodes),
        from: nullable(Type.Array(StatusChangeView)),
      }),
    ),
    asOf: Timestamp,
    ruleVersions: InterventionVersions,
  }),
);
