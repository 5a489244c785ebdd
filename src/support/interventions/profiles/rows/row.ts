// The row of a profile: the result, the rules and the facts.

import type { NextDataAction } from '#assessment/skill-status/index.ts';
import { modelOf } from '#core/platform/model.ts';
import type { ModifierFacts, ProfileFacts } from '../../engine/profiles/facts.ts';
import type { EngineProfile } from '../../engine/profiles/resolve.ts';
import type { ProfileCode, ProfileModifier, ProfileOutcome, RoleCode } from '../../engine/vocabulary.ts';

/** The facts of PRF and PMD, and the rules of PMD that matched. */
export interface PinnedFacts {
  readonly resolution: ProfileFacts;
  readonly modifiers: ModifierFacts;
  readonly modifierRuleIds: readonly string[];
}

/** The fields by which two profiles are compared. */
export interface ProfileContent {
  readonly ruleId: string;
  readonly profileCode: ProfileCode;
  readonly outcome: ProfileOutcome;
  /** Sorted by code. */
  readonly modifiers: readonly ProfileModifier[];
  readonly anchorRole: RoleCode | null;
  readonly anchorDomainCode: string | null;
  readonly anchorSubSkillCode: string | null;
  /** `NONE` without a sub-skill. */
  readonly anchorSkillGroup: string;
  readonly nextRecommendedDataAction: NextDataAction | null;
}

export interface NewProfileRow extends ProfileContent {
  readonly organizationId: string;
  readonly studentId: number;
  readonly schoolYear: string;
  readonly runId: string;
  /** ISO 8601. */
  readonly resolvedAt: string;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly facts: PinnedFacts;
}

export type ProfileRow = NewProfileRow & { readonly id: number };

/** The documents that decide a profile, as its row names them. */
export const profileDocuments = ['profile/resolution', 'profile/modifiers', 'profile/settings'] as const;

/** Throws RangeError without a run: no row is appended for a student who was never measured. */
export function profileContent(profile: EngineProfile): ProfileContent & Pick<NewProfileRow, 'facts'> {
  const { facts, modifierFacts, modifierRuleIds, ruleId } = profile;
  if (facts === null || modifierFacts === null || ruleId === null) throw new RangeError('a profile without a run');
  return { ...shown(profile, ruleId), facts: { resolution: facts, modifiers: modifierFacts, modifierRuleIds } };
}

const shown = (profile: EngineProfile, ruleId: string): ProfileContent => ({
  ruleId,
  profileCode: profile.profileCode,
  outcome: profile.outcome,
  modifiers: profile.modifiers,
  anchorRole: profile.anchorRole,
  anchorDomainCode: profile.anchorDomainCode,
  anchorSubSkillCode: profile.anchorSubSkillCode,
  anchorSkillGroup: profile.anchorSkillGroup,
  nextRecommendedDataAction: profile.nextRecommendedDataAction,
});

const compared = [
  ...['ruleId', 'profileCode', 'outcome', 'anchorRole', 'anchorDomainCode', 'anchorSubSkillCode'],
  ...['anchorSkillGroup', 'nextRecommendedDataAction'],
] as readonly (keyof ProfileContent)[];

/** A change of versions or facts alone makes no new profile. */
export const isSameProfile = (one: ProfileContent, other: ProfileContent): boolean =>
  compared.every((name) => one[name] === other[name]) && one.modifiers.join() === other.modifiers.join();

export const ProfileAssignment = modelOf<ProfileRow>('profile_assignment', {
  id: ['organizationId', 'id', 'schoolYear'],
  json: ['ruleVersions', 'facts'],
});
