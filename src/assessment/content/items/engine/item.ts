// Items as the bank stores them, and as they may be sent to a student.

export const gradeBands = ['G12', 'G34'] as const;
export type GradeBand = (typeof gradeBands)[number];
export const itemTypes = ['mcq_text', 'mcq_audio', 'passage_mcq', 'timed_choice'] as const;
export type ItemType = (typeof itemTypes)[number];

export interface Prompt {
  /** The shown text; for heard items only the instruction. */
  readonly text: string;
  /** The vowelled text to speak when there is no recording. */
  readonly speech: string;
  readonly audioUrl: string | null;
  /** Printed passage to read; null when there is none. */
  readonly passage: string | null;
}

export interface ItemOption {
  readonly index: number;
  readonly text: string;
  /**
   * The vowelled text to speak where options are spoken (PA, LIS, VOC, MOR); null elsewhere and in all of version 1.
   */
  readonly speech: string | null;
  readonly audioUrl: string | null;
  /** The error pattern that choosing it reveals; null for the right option and where it reveals nothing. */
  readonly microPattern: string | null;
  readonly errorFamily: string | null;
}

export interface Item {
  /** `{code}-{band}-{kk}`, never reused. */
  readonly id: string;
  /** The id that students see; it does not contain the sub-skill. */
  readonly publicId: string;
  readonly subSkillCode: string;
  readonly gradeBand: GradeBand;
  readonly itemType: ItemType;
  readonly prompt: Prompt;
  readonly options: readonly ItemOption[];
  /** Never leaves the server. */
  readonly correctIndex: number;
  /** Rasch difficulty in logits, one decimal. */
  readonly difficulty: number;
  /** Number of real answers behind the difficulty, and the calibration's version. */
  readonly calibration: { readonly n: number; readonly version: string };
  /** Patterns that the item is designed to detect. */
  readonly designedPatterns: readonly string[];
  /** Items that share a stem or passage are not independent. */
  readonly stemGroup: string;
  readonly expectedSeconds: number;
  readonly status: 'active' | 'withdrawn';
  /** ISO 8601 instant; only on withdrawn items. */
  readonly withdrawnAt?: string;
  readonly version: number;
}

/** An option as it may leave the server. */
export type ServedOption = Pick<ItemOption, 'index' | 'text' | 'speech' | 'audioUrl'>;

export interface ServedItem {
  readonly servedItemId: string;
  readonly itemId: string;
  readonly seq: number;
  readonly itemType: ItemType;
  readonly prompt: Prompt;
  readonly options: ServedOption[];
  readonly expectedSeconds: number;
}

/** Returns the fields that may be sent to a student: no key, no difficulty, no pattern, no sub-skill. */
export function presentServedItem(item: Item, servedItemId: string, seq: number): ServedItem {
  const { text, speech, audioUrl, passage } = item.prompt;
  return {
    servedItemId,
    itemId: item.publicId,
    seq,
    itemType: item.itemType,
    prompt: { text, speech, audioUrl, passage },
    options: item.options.map(({ index, text, speech, audioUrl }) => ({ index, text, speech, audioUrl })),
    expectedSeconds: item.expectedSeconds,
  };
}

/** The grades of each band, from `scoring/measurement`. */
export type BandGrades = Readonly<Record<GradeBand, { readonly grades: readonly number[] }>>;

/** Returns the band of a grade. Throws RangeError for a grade outside all bands. */
export function bandOfGrade(grade: number, bands: BandGrades): GradeBand {
  const band = gradeBands.find((one) => bands[one].grades.includes(grade));
  if (!band) throw new RangeError(`no grade band holds grade ${grade}`);
  return band;
}
