// The rewards document and its compiled rules.
import { documentId, type RuleBundle, type ValueDocument } from '#rules/rulesets/engine/index.ts';
import { firstAvatarTier, type MasterySourceKind } from './enums.ts';

export const rewardsDocument = 'gamification/rewards';

export type BadgeCondition =
  | { readonly events: number }
  | { readonly kind: MasterySourceKind }
  | { readonly streak: number };

export interface BadgeRule {
  readonly code: string;
  readonly nameAr: string;
  readonly descriptionAr: string;
  readonly condition: BadgeCondition;
  readonly bonusXp: number;
}

export interface Framing {
  readonly topLabelAr: string;
  readonly bottomLabelAr: string;
}

export interface RewardsDocument extends ValueDocument {
  readonly xp: Readonly<Record<MasterySourceKind, number>>;
  /** Maximum XP from one session of a student, over all days. */
  readonly sessionCap: number;
  /** Mastery events after which the second, third, fourth and fifth tier begin. */
  readonly avatarTiers: readonly number[];
  readonly streak: { readonly graceSchoolDays: number; readonly milestones: readonly number[] };
  /** In evaluation order. */
  readonly badges: readonly BadgeRule[];
  readonly framing: Framing;
}

export interface RewardRules extends Pick<RewardsDocument, 'xp' | 'sessionCap' | 'streak' | 'badges' | 'framing'> {
  /** `gamification/rewards@1`. */
  readonly ruleVersion: string;
  tierOf(events: number): number;
  badgeOf(code: string): BadgeRule | undefined;
}

/** Compiles a document that has passed its schema and checks. */
export function compileRewards(document: RewardsDocument): RewardRules {
  const { xp, sessionCap, avatarTiers, streak, badges, framing } = document;
  const byCode = new Map(badges.map((badge) => [badge.code, badge]));
  return {
    ...{ ruleVersion: documentId(document), xp, sessionCap, streak, badges, framing },
    tierOf: (events) => firstAvatarTier + avatarTiers.filter((threshold) => events >= threshold).length,
    badgeOf: (code) => byCode.get(code),
  };
}

/** Throws BundleError when the bundle has no rewards document. */
export const rewardRules = (bundle: RuleBundle): RewardRules =>
  compileRewards(bundle.values<RewardsDocument>(rewardsDocument));
