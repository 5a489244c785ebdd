// Schemas of a student's profile as staff read it.
import Type from 'typebox';
import { nextDataActions } from '#assessment/skill-status/index.ts';
import { IntegerId, mapOf, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { profileCodes, profileModifiers, profileOutcomes, roleCodes } from '../engine/vocabulary.ts';

export const InterventionVersions = named(
  'InterventionVersions',
  mapOf('^[a-z-]+/[a-z0-9-]+$', Type.Integer({ minimum: 1 })),
);

const shown = {
  studentId: IntegerId,
  outcome: oneOf(profileOutcomes),
  profileCode: oneOf(profileCodes),
  ruleId: Type.String(),
  modifiers: Type.Array(oneOf(profileModifiers)),
  anchorRole: nullable(oneOf(roleCodes)),
  anchorSubSkillCode: nullable(Type.String()),
  nextRecommendedDataAction: nullable(oneOf(nextDataActions)),
  runId: Type.String(),
  resolvedAt: Timestamp,
  ruleVersions: InterventionVersions,
};

export const StudentProfileView = named(
  'StudentProfile',
  object({
    ...shown,
    profileId: nullable(IntegerId),
    ruleId: nullable(shown.ruleId),
    anchorDomainCode: nullable(Type.String()),
    anchorSkillGroup: Type.String(),
    narrative: nullable(object({ titleAr: Type.String(), bodyAr: Type.String() })),
    runId: nullable(shown.runId),
    pending: Type.Boolean(),
    resolvedAt: nullable(Timestamp),
  }),
);

export const ProfileHistoryQuery = object(pageQuery);
export const ProfileHistoryView = named('ProfileHistory', page(object({ id: IntegerId, ...shown })));
