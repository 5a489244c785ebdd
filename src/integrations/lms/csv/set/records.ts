// Reads the records of a CSV file (RFC 4180, and semicolons and tabs as spreadsheets write them) piece by piece. Every record
// knows the line on which it starts, also after a record whose cells have line breaks.
import { StructureFault } from './faults.ts';

const mostRecordBytes = 64 * 1024;
const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/** The first of them outside of quotes is the separator of the file, because the names of columns have none. */
export const separators = [',', ';', '\t'] as const;
const separatorCodes: readonly number[] = separators.map((one) => one.charCodeAt(0));

type State = 'start of cell' | 'in cell' | 'in quotes' | 'after quotes' | 'after return';

export class RecordReader {
  readonly #found: (cells: string[], line: number) => void;
  #state: State = 'start of cell';
  #cells: string[] = [];
  #cell = '';
  /** The UTF-16 code units of the record so far. Its bytes are at least as many. */
  #length = 0;
  #line = 1;
  #startLine = 1;
  /** 0 until a separator was found. */
  #separator = 0;

  /** `found` is called with each record. Blank lines are not records. */
  constructor(found: (cells: string[], line: number) => void) {
    this.#found = found;
  }

  /** The line on which the current record starts. */
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

  /** The first separator in the header decides for the file. */
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

  /** A quote opens a cell, means itself when it is doubled, and is invalid in a cell without quotes. */
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
