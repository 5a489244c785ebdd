// What a language set holds, and for whom each of its rules speaks.

/** Who reads a text. Families and students get more rules than staff. */
export const tiers = ['ui', 'reports', 'teacher_note', 'admin', 'parent', 'parent_stricter', 'student'] as const;
export type Tier = (typeof tiers)[number];

/** The documents of the family `language` that hold rules, with the tiers that each answers for. */
export const tiersOfSet = {
  'language/staff': ['ui', 'reports', 'teacher_note', 'admin'],
  'language/family': ['parent', 'parent_stricter'],
  'language/student': ['student'],
} as const satisfies Readonly<Record<string, readonly Tier[]>>;
export type SetName = keyof typeof tiersOfSet;
export const setNames = Object.keys(tiersOfSet) as readonly SetName[];

export const setOf = (tier: Tier): SetName =>
  setNames.find((name) => (tiersOfSet[name] as readonly Tier[]).includes(tier)) as SetName;

export const reasonCodes = [
  'deficit_label',
  'ranking',
  'number',
  'internal_code',
  'diagnosis',
  'blame',
  'comparison',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

export const actions = ['block', 'rewrite'] as const;
export type Action = (typeof actions)[number];

export interface LanguageRule {
  readonly id: string;
  readonly tiers: readonly Tier[];
  /** `pattern` is a regular expression over folded text. */
  readonly match: { readonly phrases: readonly string[] } | { readonly pattern: string };
  /** Vowel marks count: `كَسول` is not `كُسول`. */
  readonly exact?: boolean;
  readonly action: Action;
  /** For `rewrite`: what takes the place of the whole word. */
  readonly replacementAr?: string;
  readonly reasonCode: ReasonCode;
}

/** What is said to parents is the least of what is asked of their stricter tier. */
export const speaksFor = (rule: LanguageRule, tier: Tier): boolean =>
  rule.tiers.includes(tier) || (tier === 'parent_stricter' && rule.tiers.includes('parent'));
