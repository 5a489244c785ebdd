// What is wrong with authored items, so that an author can find the place and mend it.

export type ItemFindingCode =
  | 'SHAPE'
  | 'CELL'
  | 'COUNT'
  | 'OPTIONS'
  | 'TEXT'
  | 'VOWELS'
  | 'PATTERN'
  | 'ANSWER'
  | 'REPEATED'
  | 'COVERAGE'
  | 'BALANCE';

export interface ItemFinding {
  /** `{code}.{band}`, as the source file is named. */
  readonly cell: string;
  /** The item's 1-based position; null when the finding is about the whole cell. */
  readonly k: number | null;
  readonly code: ItemFindingCode;
  readonly message: string;
}

/** `DEC_WORD.G12 k7 VOWELS: …` */
export const itemFindingLine = ({ cell, k, code, message }: ItemFinding): string =>
  `${cell}${k === null ? '' : ` k${k}`} ${code}: ${message}`;

/** Items that may not become a bank; `findings` holds every reason. */
export class ItemSourceError extends Error {
  readonly findings: readonly ItemFinding[];

  constructor(findings: readonly ItemFinding[]) {
    super(`the item bank is refused, ${findings.length} findings:\n${findings.map(itemFindingLine).join('\n')}`);
    this.name = 'ItemSourceError';
    this.findings = findings;
  }
}
