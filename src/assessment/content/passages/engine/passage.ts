// The passages for oral reading: words in order with their line numbers.

export interface PassageWord {
  /** From 0. */
  readonly index: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

export interface Passage {
  /** `ORF-G{grade}-{nn}` */
  readonly passageId: string;
  readonly grade: number;
  /** Readings of one family are comparable: `ORF-G{grade}`. */
  readonly formFamily: string;
  readonly vowelled: boolean;
  readonly titleAr: string;
  readonly words: readonly PassageWord[];
}

/** How one behaviour of readers is marked, in words for the teacher. */
export interface MarkingRule {
  readonly code: string;
  /** A mark of oral reading: correct, incorrect, omitted, self_corrected. */
  readonly mark: string;
  readonly ar: string;
  readonly en: string;
}

/** The document `passages.v<version>.json`. */
export interface PassageDocument {
  readonly version: number;
  readonly markingGuide?: readonly MarkingRule[];
  readonly passages: readonly Passage[];
}

export const lastWordOf = ({ words }: Passage): number => words.length - 1;

/** Returns the indexes of the words of the first line. A child who misses all of them is stopped. */
export const firstLineWords = ({ words }: Passage): number[] =>
  words.filter(({ line }) => line === words[0]?.line).map(({ index }) => index);

export class PassageBook {
  readonly version: number;
  readonly passages: readonly Passage[];
  /** Empty in version 1. */
  readonly markingGuide: readonly MarkingRule[];
  readonly #byId: ReadonlyMap<string, Passage>;

  constructor({ version, passages, markingGuide = [] }: PassageDocument) {
    this.version = version;
    this.markingGuide = markingGuide;
    this.passages = passages;
    this.#byId = new Map(passages.map((passage) => [passage.passageId, passage]));
  }

  find(passageId: string): Passage | undefined {
    return this.#byId.get(passageId);
  }

  /** In the order of their ids. */
  ofGrade(grade: number): Passage[] {
    return this.passages
      .filter((passage) => passage.grade === grade)
      .sort((left, right) => (left.passageId < right.passageId ? -1 : 1));
  }
}
