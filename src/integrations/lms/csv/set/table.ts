// Reads a file of a set as rows by the names of its columns.
import { type CsvFaults, StructureFault, type StructureIssue, UnreadableHeader } from './faults.ts';
import { RecordReader, separators } from './records.ts';

const mostColumns = 200;
const mostRows = 500_000;

export interface TableRow {
  readonly line: number;
  /** Returns the value without surrounding spaces, and an empty text when the column or cell is missing. */
  cell(column: string): string;
}

export interface CsvTable {
  /** The name of the file, for example `users.csv`. */
  readonly name: string;
  readonly needed: readonly string[];
}

/** Calls `row` with each row. Faults are recorded; one that makes the file unreadable ends it. */
export async function readTable(
  { name, needed }: CsvTable,
  pieces: AsyncIterable<Buffer>,
  faults: CsvFaults,
  row: (row: TableRow) => void,
): Promise<void> {
  const rows = new Rows(name, needed, faults, row);
  const reader = new RecordReader((cells, line) => rows.take(cells, line));
  try {
    await readTexts(pieces, reader);
    reader.end();
    if (!rows.hasHeader) throw new StructureFault('empty_file');
  } catch (error) {
    if (error instanceof UnreadableHeader) return;
    if (!(error instanceof StructureFault)) throw error;
    faults.add(error.line === undefined ? name : `${name}:${error.line}`, error.issue);
  }
}

async function readTexts(pieces: AsyncIterable<Buffer>, reader: RecordReader): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of pieces) readText(reader, () => decoder.decode(piece, { stream: true }));
  readText(reader, () => decoder.decode());
}

function readText(reader: RecordReader, decode: () => string): void {
  let text: string;
  try {
    text = decode();
  } catch {
    throw new StructureFault('encoding_not_utf8');
  }
  const nul = text.indexOf('\0');
  reader.read(nul === -1 ? text : text.slice(0, nul));
  if (nul !== -1) throw new StructureFault('nul_byte', reader.startLine);
}

/** The first record has the names of the columns. Unknown and unnamed columns are ignored. */
class Rows {
  readonly #name: string;
  readonly #needed: readonly string[];
  readonly #faults: CsvFaults;
  readonly #row: (row: TableRow) => void;
  #columns: ReadonlyMap<string, number> | undefined;
  #width = 0;
  #count = 0;

  constructor(name: string, needed: readonly string[], faults: CsvFaults, row: (row: TableRow) => void) {
    this.#name = name;
    this.#needed = needed;
    this.#faults = faults;
    this.#row = row;
  }

  get hasHeader(): boolean {
    return this.#columns !== undefined;
  }

  take(cells: string[], line: number): void {
    if (!this.#columns) {
      this.#takeHeader(cells);
      return;
    }
    this.#count += 1;
    if (this.#count > mostRows) throw new StructureFault('too_large');
    if (this.#faults.isFull || cells.every((cell) => cell.trim() === '')) return;
    if (isOtherwiseSeparated(cells, this.#width)) throw new StructureFault('wrong_separator', line);
    if (cells.length > this.#width) {
      this.#note(`${line}`, 'too_many_fields');
      return;
    }
    const columns = this.#columns;
    this.#row({ line, cell: (column) => (cells[columns.get(column) ?? -1] ?? '').trim() });
  }

  #takeHeader(cells: readonly string[]): void {
    if (cells.length > mostColumns) throw new StructureFault('too_many_columns', 1);
    const columns = new Map<string, number>();
    for (const [at, cell] of cells.entries()) {
      const column = cell.trim();
      if (column === '') continue;
      if (columns.has(column)) this.#note(`1:${named(column)}`, 'duplicate_column');
      columns.set(column, at);
    }
    this.#columns = columns;
    this.#width = cells.length;
    const missing = this.#needed.filter((column) => !columns.has(column));
    for (const column of missing) this.#note(`1:${column}`, 'missing_column');
    if (missing.length > 0) throw new UnreadableHeader();
  }

  #note(position: string, issue: StructureIssue): void {
    this.#faults.add(`${this.#name}:${position}`, issue);
  }
}

/** Returns whether a row that should have several cells has a single one with another separator in it. */
const isOtherwiseSeparated = (cells: readonly string[], width: number): boolean =>
  cells.length === 1 && width > 1 && separators.some((one) => cells[0]?.includes(one));

/** Returns the column when it looks like a name. A header may be any text, which is not repeated to the caller. */
const named = (column: string): string => (/^[A-Za-z0-9_.]{1,64}$/.test(column) ? column : '');
