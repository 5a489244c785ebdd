// Profiles of the simulated children. A profile describes how a child reads and works, not results: the service derives
// those from the child's answers.

export interface ReaderProfile {
  readonly name: string;
  /** Children of a hundred with this profile. */
  readonly share: number;
  /** Rasch ability on the scale of the item bank. Items are chosen near it, so secure readers are well above 2. */
  readonly abilityLogit: number;
  /** Added to the ability within a domain. */
  readonly domainLogit: Readonly<Record<string, number>>;
  /** Median time for an item, as a share of the item's expected time. */
  readonly pace: number;
  /** Share of items answered at once, without reading. */
  readonly guesses: number;
  readonly skips: number;
  /** Micro-patterns that attract wrong answers. */
  readonly leans: readonly string[];
  /** Ability gained between a part and its repetition weeks later. */
  readonly growthLogit: number;
}

const steady = { domainLogit: {}, pace: 0.5, guesses: 0, skips: 0, leans: [], growthLogit: 0.8 } as const;

export const profiles: readonly ReaderProfile[] = [
  { ...steady, name: 'typical', share: 36, abilityLogit: 3 },
  { ...steady, name: 'strong', share: 22, abilityLogit: 4.5, pace: 0.35 },
  {
    ...steady,
    name: 'weak decoding',
    share: 12,
    abilityLogit: 3,
    domainLogit: { PA: -1, LK: -2.5, DEC: -4, FLU: -4, RC: -3, SPL: -3 },
    pace: 0.9,
    leans: ['dot_confusion', 'similar_shape', 'phoneme_order', 'phoneme_omission', 'whole_word_guess'],
    growthLogit: 1.2,
  },
  {
    ...steady,
    name: 'weak language',
    share: 9,
    abilityLogit: 3,
    domainLogit: { LIS: -4, VOC: -4, RC: -4 },
    leans: ['near_meaning', 'opposite_meaning', 'outside_text', 'literal_only'],
    growthLogit: 0.6,
  },
  { ...steady, name: 'slow but accurate', share: 7, abilityLogit: 4, pace: 3.4 },
  {
    ...steady,
    name: 'accuracy marks only',
    share: 6,
    abilityLogit: 3,
    domainLogit: { ACC: -4 },
    leans: ['short_vowel_swap', 'vowel_length', 'shadda_drop', 'tanween_noon', 'sukun_vowel', 'sun_lam'],
  },
  { ...steady, name: 'guessing', share: 4, abilityLogit: 1.5, guesses: 0.6, growthLogit: 0 },
  { ...steady, name: 'skipping', share: 4, abilityLogit: 1.5, pace: 0.7, skips: 0.2 },
];

/** Returns the profile at a point of [0, 1) on the scale of shares. Throws RangeError for other points. */
export function profileAt(point: number): ReaderProfile {
  let left = point * profiles.reduce((sum, { share }) => sum + share, 0);
  for (const profile of profiles) {
    left -= profile.share;
    if (left < 0) return profile;
  }
  throw new RangeError(`${point} is not in [0, 1)`);
}
