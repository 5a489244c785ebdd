// Records of a CSV file (RFC 4180, with semicolons and tabs as spreadsheets write them), read piece by piece. Every record knows on which line it starts, also after one whose
// cells hold line ends.
import { StructureFault } from './faults.ts';

const mostRecordBytes = 64 * 1024;
const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/** The first that stands outside of quotes is that of the file: the names of columns hold none. */
export const separators = [',', ';', '\t'] as const;
const separatorCodes: readonly number[] = separators.map((one) => one.charCodeAt(0));

type State = 'start of cell' | 'in cell' | 'in quotes' | 'after quotes' | 'after return';

export class RecordReader {
  readonly #found: (cells: string[], line: number) => void;
  #state: State = 'start of cell';
  #cells: string[] = [];
  #cell = '';
  /** UTF-16 units of the record so far, and of its bytes at least as many. */
  #length = 0;
  #line = 1;
  #startLine = 1;
  /** 0: none has come yet. */
  #separator = 0;

  /** `found` is told each record; blank lines are none. */
  constructor(found: (cells: string[], line: number) => void) {
    this.#found = found;
  }

  /** Where the record that is being read starts. */
  get startLine(): number {
    return this.#startLine;
  }

  /** Throws StructureFault: text_after_quote, too_long. */
  read(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const letter = text.charCodeAt(at);
      if (this.#state === 'in quotes') {
        if (letter === lineFeed) this.#line += 1;
        if (letter !== quote) continue;
        this.#keep(text.slice(from, at));
        this.#state = 'after quotes';
        from = at + 1;
      } else if (letter === quote) {
        from = this.#quoted(at, from);
      } else if (letter === lineFeed || (this.#separates(letter) && this.#state !== 'after return')) {
        this.#keep(text.slice(from, at));
        this.#endCell(letter === lineFeed);
        if (letter === lineFeed) this.#endRecord();
        from = at + 1;
      } else if (this.#state === 'after quotes' && letter === carriageReturn) {
        this.#state = 'after return';
        from = at + 1;
      } else if (this.#state === 'after quotes' || this.#state === 'after return') {
        this.#refuse('text_after_quote');
      } else if (this.#state === 'start of cell') {
        this.#state = 'in cell';
      }
    }
    this.#keep(text.slice(from));
  }

  /** In the first record, which names the columns, the first one of all decides. */
  #separates(letter: number): boolean {
    if (this.#separator === 0 && this.#startLine === 1 && separatorCodes.includes(letter)) this.#separator = letter;
    return letter === this.#separator;
  }

  /** Throws StructureFault: unclosed_quote, text_after_quote. */
  end(): void {
    if (this.#state === 'in quotes') this.#refuse('unclosed_quote');
    if (this.#state === 'start of cell' && this.#cells.length === 0) return;
    this.#endCell(true);
    this.#endRecord();
  }

  /** A quote opens a cell, stands for itself when it is doubled, and has no place in a cell without quotes. */
  #quoted(at: number, from: number): number {
    if (this.#state === 'start of cell') {
      this.#state = 'in quotes';
      return at + 1;
    }
    if (this.#state !== 'after quotes' || at !== from) this.#refuse('text_after_quote');
    this.#keep('"');
    this.#state = 'in quotes';
    return at + 1;
  }

  #keep(text: string): void {
    this.#length += text.length;
    if (this.#length > mostRecordBytes) this.#refuse('too_long');
    this.#cell += text;
  }

  #endCell(atLineEnd: boolean): void {
    const returns = atLineEnd && this.#state === 'in cell' && this.#cell.endsWith('\r');
    this.#cells.push(returns ? this.#cell.slice(0, -1) : this.#cell);
    this.#cell = '';
    this.#length += 1;
    this.#state = 'start of cell';
  }

  #endRecord(): void {
    const cells = this.#cells;
    const isBlank = cells.length === 1 && cells[0] === '';
    if (this.#length * 3 > mostRecordBytes) this.#measure(cells);
    if (!isBlank) this.#found(cells, this.#startLine);
    this.#line += 1;
    this.#startLine = this.#line;
    this.#cells = [];
    this.#length = 0;
  }

  #measure(cells: readonly string[]): void {
    const bytes = cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 1, 0);
    if (bytes > mostRecordBytes) this.#refuse('too_long');
  }

  #refuse(issue: 'text_after_quote' | 'unclosed_quote' | 'too_long'): never {
    throw new StructureFault(issue, this.#startLine);
  }
}
