// The kinds of children of the demo. Each is a way of reading and of working, none is a result: what the service says of a
// child comes out of the child's answers alone.

export interface Profile {
  readonly name: string;
  /** Of a hundred children. */
  readonly share: number;
  /** Rasch ability on the scale of the item bank. Items are chosen near it, so secure readers stand well above 2. */
  readonly abilityLogit: number;
  /** Added within a domain. */
  readonly domainLogit: Readonly<Record<string, number>>;
  /** Median time for an item, as a share of the item's expected time. */
  readonly pace: number;
  /** Share of items answered at once, without reading. */
  readonly guesses: number;
  readonly skips: number;
  /** Micro-patterns that a wrong choice is drawn to. */
  readonly leans: readonly string[];
  /** Gained between a part and its repetition weeks later. */
  readonly growthLogit: number;
}

const steady = { domainLogit: {}, pace: 0.5, guesses: 0, skips: 0, leans: [], growthLogit: 0.8 } as const;

export const profiles: readonly Profile[] = [
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

/** The profile at a point of [0, 1) on the scale of shares. */
export function profileAt(point: number): Profile {
  let left = point * profiles.reduce((sum, { share }) => sum + share, 0);
  for (const profile of profiles) {
    left -= profile.share;
    if (left < 0) return profile;
  }
  throw new RangeError(`${point} is not in [0, 1)`);
}
