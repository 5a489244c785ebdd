// Explains why a bundle is recommended and each other one is not: a code, and the smallest change of measured statuses that
// would lead to it.

import type { SkillStatus } from '#assessment/skill-status/engine/index.ts';
import { type Facts, type FactValue, leavesOf, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { wantsAttention } from '../profiles/facts.ts';
import type { ProfileRules } from '../profiles/resolve.ts';
import { isAssignable, isStrong, type RoleCode, strengthOf } from '../vocabulary.ts';
import type { InterventionBundle } from './catalogue.ts';
import type { Recommendation, RecommendationRules, RecommendedProfile } from './recommend.ts';
import { compileStatusChanges, type MeasuredRun, type StatusChange } from './status-changes.ts';

export const notChosenCodes = [
  'not_for_grade',
  'not_active',
  'role_not_in_need',
  'needs_stronger_status',
  'needs_other_pattern',
  'covered_by_open',
  'acute_open',
  'await_measure',
] as const;
export type NotChosenCode = (typeof notChosenCodes)[number];

export interface Because {
  /** The name in the table. */
  readonly fact: string;
  readonly value: FactValue;
  /** The anchor sub-skill, when the fact is about its role. */
  readonly subSkillCode: string | null;
}

export interface NotChosen {
  readonly bundle_id: string;
  readonly code: NotChosenCode;
  /** Null when no change of one or two domains would lead to the bundle, or nothing was measured. */
  readonly from: readonly StatusChange[] | null;
}

export interface WhyQuestion {
  readonly profile: RecommendedProfile & { readonly facts: Facts | null };
  readonly found: Recommendation;
  /** Statuses of the profile's run; empty without one. */
  readonly roleStatuses: ReadonlyMap<RoleCode, SkillStatus | null>;
  /** Null without a run. */
  readonly measured: MeasuredRun | null;
}

export interface WhyRules {
  /** Each fact once. */
  because(question: WhyQuestion): readonly Because[];
  /** One entry for each assignable bundle but the recommended one, in catalogue order. */
  notChosen(question: WhyQuestion): readonly NotChosen[];
}

/** Throws BundleError when a document is missing. */
export function compileWhy(
  bundle: RuleBundle,
  { catalogue, profiles }: Pick<RecommendationRules, 'catalogue'> & { readonly profiles: ProfileRules },
): WhyRules {
  const table = bundle.table('bundle/recommendation');
  const resolution = bundle.table('profile/resolution');
  const changesOf = compileStatusChanges(bundle, profiles);
  return {
    because({ profile, found }) {
      const { profileCode } = profile;
      const ofBundle = factsOfRule(table.document, found.ruleId, found.facts);
      const ofProfile = profile.facts
        ? factsOfRule(resolution.document, profile.ruleId, { profileCode, ...profile.facts })
        : [];
      return [...new Map([...ofBundle, ...ofProfile])].map(([fact, value]) => {
        const isOfAnchor =
          profile.anchorRole !== null && (fact.endsWith(profile.anchorRole) || value === profile.anchorRole);
        return { fact, value, subSkillCode: isOfAnchor ? profile.anchorSubSkillCode : null };
      });
    },
    notChosen(question) {
      const { found, measured } = question;
      const chosen = found.outcome === 'recommended' ? found.bundle.bundle_id : null;
      const changes = measured ? changesOf(measured) : undefined;
      return catalogue.bundles
        .filter(({ bundle_id, objectType }) => isAssignable(objectType) && bundle_id !== chosen)
        .map((one) => ({
          bundle_id: one.bundle_id,
          code: codeOf(one, question),
          from: changes?.get(one.bundle_id) ?? null,
        }));
    },
  };
}

/** The facts that a rule asked about, each once, with their values; of a rule without conditions the profile. */
function factsOfRule(
  { rules }: RuleBundleTable,
  ruleId: string | null,
  facts: Facts,
): readonly (readonly [string, FactValue])[] {
  const rule = rules.find(({ name }) => name === ruleId);
  if (!rule) return [];
  const asked = leavesOf(rule.conditions).map(({ fact }) => fact);
  const names = new Set(asked.length > 0 ? asked : ['profileCode']);
  return [...names].flatMap((name) => {
    const value = facts[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}
type RuleBundleTable = ReturnType<RuleBundle['table']>['document'];

function codeOf(bundle: InterventionBundle, { found, profile, roleStatuses }: WhyQuestion): NotChosenCode {
  const { facts, action } = found;
  if (!bundle.grades.includes(facts.grade)) return 'not_for_grade';
  if (bundle.state !== 'active') return 'not_active';
  if (action === 'collect_data') return 'await_measure';
  if (facts.acuteOpen) return 'acute_open';
  if (action === 'continue' || (found.outcome === 'recommended' && found.covering)) return 'covered_by_open';
  return needCode(bundle, profile.anchorRole, roleStatuses);
}

/** A bundle without roles is about the anchor role, or about marks, for which the pattern decides. */
function needCode(
  { roles, objectType }: InterventionBundle,
  anchorRole: RoleCode | null,
  roleStatuses: WhyQuestion['roleStatuses'],
): NotChosenCode {
  const meant = roles.length > 0 ? roles : anchorRole === null ? [] : [anchorRole];
  const statuses = meant.flatMap((role) => roleStatuses.get(role) ?? []);
  if (!statuses.some(wantsAttention)) return 'role_not_in_need';
  const needsStrong = strengthOf[objectType] === strengthOf.INTERVENTION_BUNDLE;
  return needsStrong && !statuses.some(isStrong) ? 'needs_stronger_status' : 'needs_other_pattern';
}
