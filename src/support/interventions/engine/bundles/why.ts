// Explains why a bundle is recommended and each other one is not: a code, and the smallest change of measurements that would
// lead to it.

import type { SkillStatus } from '#assessment/skill-status/engine/index.ts';
import {
  type Facts,
  type FactValue,
  flipDistance,
  isActionable,
  type Layers,
  layersOf,
  leavesOf,
  type RuleBundle,
} from '#rules/rulesets/engine/index.ts';
import { factCategories } from '../fact-categories.ts';
import { wantsAttention } from '../profiles/facts.ts';
import { isAssignable, isStrong, type RoleCode, strengthOf } from '../vocabulary.ts';
import type { InterventionBundle } from './catalogue.ts';
import type { Recommendation, RecommendationRules, RecommendedProfile } from './recommend.ts';

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
  /** Null when no measurement of the child alone would lead to the bundle. */
  readonly from: readonly { readonly fact: string; readonly is: FactValue; readonly would: FactValue }[] | null;
}

export interface WhyQuestion {
  readonly profile: RecommendedProfile & { readonly facts: Facts | null };
  readonly found: Recommendation;
  /** Statuses of the profile's run; empty without one. */
  readonly roleStatuses: ReadonlyMap<RoleCode, SkillStatus | null>;
}

export interface WhyRules {
  because(question: WhyQuestion): readonly Because[];
  /** One entry for each assignable bundle but the recommended one, in catalogue order. */
  notChosen(question: WhyQuestion): readonly NotChosen[];
}

/** Throws BundleError when a document is missing. */
export function compileWhy(bundle: RuleBundle, { catalogue }: Pick<RecommendationRules, 'catalogue'>): WhyRules {
  const table = bundle.table('bundle/recommendation');
  const profiles = bundle.table('profile/resolution');
  const layers = layersOf(table.document);
  return {
    because({ profile, found }) {
      const ofBundle = factsOfRule(table.document, found.ruleId, found.facts);
      const ofProfile = profile.facts === null ? [] : factsOfRule(profiles.document, profile.ruleId, profile.facts);
      return [...ofBundle, ...ofProfile].map(([fact, value]) => {
        const isOfAnchor =
          profile.anchorRole !== null && (fact.endsWith(profile.anchorRole) || value === profile.anchorRole);
        return { fact, value, subSkillCode: isOfAnchor ? profile.anchorSubSkillCode : null };
      });
    },
    notChosen(question) {
      const { found } = question;
      const chosen = found.outcome === 'recommended' ? found.bundle.bundle_id : null;
      return catalogue.bundles
        .filter(({ bundle_id, objectType }) => isAssignable(objectType) && bundle_id !== chosen)
        .map((one) => ({
          bundle_id: one.bundle_id,
          code: codeOf(one, question),
          from: nearestTo(layers, found.facts, one.bundle_id),
        }));
    },
  };
}

/** The facts that a rule asked about, each once, with their values. */
function factsOfRule(
  { rules }: RuleBundleTable,
  ruleId: string | null,
  facts: Facts,
): readonly (readonly [string, FactValue])[] {
  const rule = rules.find(({ name }) => name === ruleId);
  const names = new Set(rule ? leavesOf(rule.conditions).map(({ fact }) => fact) : []);
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

/** Derived from the name of the profile alone. */
const derived = 'strongNeed';

function nearestTo(layers: Layers, facts: Facts, bundleId: string): NotChosen['from'] {
  const { document, deciding } = layers;
  const isTarget = (row: number) => document.rules[row]?.event.params.outcome === bundleId;
  const towards = { ...layers, deciding: deciding.map((boxes, row) => (isTarget(row) ? boxes : [])) };
  // Looks up an assignment that did not work without its result.
  const asked = { ...facts, lastResult: 'none' };
  const flip = flipDistance(towards, asked, '', (fact) => isActionable(factCategories, 'bundle/recommendation', fact));
  if (!flip) return null;
  return flip.changes
    .filter(({ fact }) => fact !== derived)
    .map(({ fact, from, to }) => ({ fact, is: from, would: to }));
}
