// The texts that children read aloud, as they stand on the page: words in order, each on its line.

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
  /** Readings of one family may be compared: `ORF-G{grade}`. */
  readonly formFamily: string;
  readonly vowelled: boolean;
  readonly titleAr: string;
  readonly words: readonly PassageWord[];
}

/** `passages.v<version>.json` as it is written. */
export interface PassageDocument {
  readonly version: number;
  readonly passages: readonly Passage[];
}

export const lastWordOf = ({ words }: Passage): number => words.length - 1;

/** Words of the first printed line: a child who misses them all is not made to read on. */
export const firstLineWords = ({ words }: Passage): number[] =>
  words.filter(({ line }) => line === words[0]?.line).map(({ index }) => index);

export class PassageBook {
  readonly version: number;
  readonly passages: readonly Passage[];
  readonly #byId: ReadonlyMap<string, Passage>;

  constructor({ version, passages }: PassageDocument) {
    this.version = version;
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
