// The rules of a language set, and the tiers to which each applies.

/** The audiences of texts. Families and students have more rules than staff. */
export const tiers = ['ui', 'reports', 'teacher_note', 'admin', 'parent', 'parent_stricter', 'student'] as const;
export type Tier = (typeof tiers)[number];

/** The documents of the family `language` that contain rules, with the tiers of each. */
export const tiersOfSet = {
  'language/staff': ['ui', 'reports', 'teacher_note', 'admin'],
  'language/family': ['parent', 'parent_stricter'],
  'language/student': ['student'],
} as const satisfies Readonly<Record<string, readonly Tier[]>>;
export type SetName = keyof typeof tiersOfSet;
export const setNames = Object.keys(tiersOfSet) as readonly SetName[];

export const setOfTier = (tier: Tier): SetName =>
  setNames.find((name) => (tiersOfSet[name] as readonly Tier[]).includes(tier)) as SetName;

export const languageReasonCodes = [
  'deficit_label',
  'ranking',
  'number',
  'internal_code',
  'diagnosis',
  'blame',
  'comparison',
] as const;
export type LanguageReasonCode = (typeof languageReasonCodes)[number];

export const actions = ['block', 'rewrite'] as const;
export type Action = (typeof actions)[number];

export interface LanguageRule {
  readonly id: string;
  readonly tiers: readonly Tier[];
  /** `pattern` is a regular expression over folded text. */
  readonly match: { readonly phrases: readonly string[] } | { readonly pattern: string };
  /** Whether vowel marks are compared: `كَسول` is not `كُسول`. */
  readonly exact?: boolean;
  readonly action: Action;
  /** The replacement of the whole word; for `rewrite` only. */
  readonly replacementAr?: string;
  readonly reasonCode: LanguageReasonCode;
}

/** Returns whether a rule applies to a tier. Rules for `parent` also apply to `parent_stricter`. */
export const appliesToTier = (rule: LanguageRule, tier: Tier): boolean =>
  rule.tiers.includes(tier) || (tier === 'parent_stricter' && rule.tiers.includes('parent'));
