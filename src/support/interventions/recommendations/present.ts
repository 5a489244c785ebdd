// The response of a recommendation, also frozen by an assignment.
import type { Versions } from '#rules/rulesets/index.ts';
import { versionsOf } from '../rules/compiled.ts';
import type { StudentSituation } from '../situations/situations.ts';

/** Documents that are always used, in addition to those in the stamp of the profile. */
const alwaysAsked = ['bundle/recommendation', 'bundle/catalogue', 'bundle/settings', 'rti/data-sufficiency'] as const;
const askedOfPlans = ['bundle/scaffold-tier', 'bundle/delivery-mode'] as const;

/** Without the fields that change from moment to moment. */
export function presentRecommendation(
  { profile, stored, recommendation: found }: Pick<StudentSituation, 'profile' | 'stored' | 'recommendation'>,
  versions: Versions,
) {
  const given = found.outcome === 'recommended' ? found : null;
  const asked = given ? [...alwaysAsked, ...askedOfPlans] : alwaysAsked;
  return {
    outcome: found.outcome,
    recommended_bundle_id: given?.bundle.bundle_id ?? null,
    objectType: given?.objectType ?? null,
    action: found.action,
    ruleId: found.ruleId,
    profileCode: profile.profileCode,
    modifiers: [...profile.modifiers],
    anchorSubSkillCode: profile.anchorSubSkillCode,
    anchor_skill_group: profile.anchorSkillGroup,
    scaffold_tier: given?.scaffold.scaffoldTier ?? null,
    compatible_delivery_mode: given?.delivery.deliveryMode ?? null,
    dataSufficiency: found.dataSufficiency,
    nextRecommendedDataAction: found.outcome === 'recommended' ? null : found.nextRecommendedDataAction,
    ruleVersions: { ...stored?.ruleVersions, ...versionsOf({ versions }, asked) },
  };
}
