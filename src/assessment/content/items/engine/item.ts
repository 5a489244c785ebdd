// Items as the bank holds them, and as they may reach a student.

export const gradeBands = ['G12', 'G34'] as const;
export type GradeBand = (typeof gradeBands)[number];
export const itemTypes = ['mcq_text', 'mcq_audio', 'passage_mcq', 'timed_choice'] as const;
export type ItemType = (typeof itemTypes)[number];

export interface Prompt {
  /** What is shown; for heard items only the instruction. */
  readonly text: string;
  /** The vowelled words to say, where there is no recording. */
  readonly speech: string;
  readonly audioUrl: string | null;
  /** Printed text to read; null where there is none. */
  readonly passage: string | null;
}

export interface ItemOption {
  readonly index: number;
  readonly text: string;
  /** The vowelled words to say where options are heard (PA, LIS, VOC, MOR); null elsewhere, and throughout version 1. */
  readonly speech: string | null;
  readonly audioUrl: string | null;
  /** What choosing it reveals; null on the right one, and where it reveals nothing. */
  readonly microPattern: string | null;
  readonly errorFamily: string | null;
}

export interface Item {
  /** `{code}-{band}-{kk}`, never reused. */
  readonly id: string;
  /** What students get to see instead: it does not carry the sub-skill. */
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
  /** Real answers behind the difficulty, and the calibration it comes from. */
  readonly calibration: { readonly n: number; readonly version: string };
  /** Patterns that this item is built to detect. */
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

/** The allow-list of what reaches a student: no key, no difficulty, no pattern, no sub-skill. */
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

/** Which grades each band holds, as `scoring/measurement` says it. */
export type BandGrades = Readonly<Record<GradeBand, { readonly grades: readonly number[] }>>;

/** The band that holds a grade. Throws RangeError for a grade that no band holds. */
export function bandOfGrade(grade: number, bands: BandGrades): GradeBand {
  const band = gradeBands.find((one) => bands[one].grades.includes(grade));
  if (!band) throw new RangeError(`no grade band holds grade ${grade}`);
  return band;
}
