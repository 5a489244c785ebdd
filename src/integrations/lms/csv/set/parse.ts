// Parses a whole set file by file into compressed pages of rows, so that repetitions in the rows take little memory.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { newSpan } from '../../values/dates.ts';
import type { SourceFile, SourceRow } from '../content.ts';
import { filesOf, type SentFile, type SetFiles } from './archive.ts';
import { checkTree, treeFiles } from './cycles.ts';
import { CsvFaults } from './faults.ts';
import { type Manifest, readManifest, type SetVersion } from './manifest.ts';
import { type CsvReading, type FileModel, isDeleted, isSourceId, modelsOf } from './rows.ts';
import { readTable, type TableRow } from './table.ts';

const rowsInPage = 250;

export interface ParsedSet {
  readonly version: SetVersion;
  /** The mode of each file of the set: whether it replaces the stored rows or changes them. */
  readonly modes: ReadonlyMap<SourceFile, 'bulk' | 'delta'>;
  /** `unpacked` reads the rows of a page. */
  readonly pages: readonly Buffer[];
}

/** The files that a set needs to describe a class. */
const needed: ReadonlySet<SourceFile> = new Set(['classes', 'users', 'roles', 'enrollments']);

/** Throws VALIDATION_ERROR with all structural faults. Nothing of the set is stored then. */
export async function parseSet(sent: readonly SentFile[], guardians: boolean): Promise<ParsedSet> {
  const files = await filesOf(sent);
  const faults = new CsvFaults();
  const manifest = await manifestOf(files, faults);
  if (!manifest) return refused(faults);
  await checkTrees(files, manifest, faults);
  const pages = new Pages();
  const modes = new Map<SourceFile, 'bulk' | 'delta'>();
  const models = modelsOf(manifest.version);
  const isDelta = models.some(({ file }) => manifest.modeOf(file) === 'delta');
  for (const model of models) {
    const mode = manifest.modeOf(model.file);
    const pieces = files.get(model.name.toLowerCase());
    const isMissing = mode === 'absent' ? needed.has(model.file) && !isDelta : pieces === undefined;
    if (isMissing) faults.add(model.name, 'missing_file');
    if (mode === 'absent' || !pieces) continue;
    modes.set(model.file, mode);
    await readRows(model, pieces(), { version: manifest.version, guardians, faults, span: newSpan() }, pages);
  }
  faults.refuse();
  return { version: manifest.version, modes, pages: pages.done() };
}

async function manifestOf(files: SetFiles, faults: CsvFaults): Promise<Manifest | undefined> {
  const pieces = files.get('manifest.csv');
  if (pieces) return readManifest(pieces(), faults);
  faults.add('manifest.csv', 'missing_file');
  return undefined;
}

function refused(faults: CsvFaults): never {
  faults.refuse();
  throw new RangeError('a set without a manifest has a fault');
}

async function checkTrees(files: SetFiles, manifest: Manifest, faults: CsvFaults): Promise<void> {
  for (const name of treeFiles) {
    const pieces = files.get(name.toLowerCase());
    if (pieces && manifest.modeOf(name.replace('.csv', '')) !== 'absent') await checkTree(name, pieces(), faults);
  }
}

async function readRows(
  model: FileModel,
  pieces: AsyncIterable<Buffer>,
  reading: CsvReading,
  pages: Pages,
): Promise<void> {
  const ids = new Set<string>();
  const before = pages.close();
  await readTable(model, pieces, reading.faults, (row) => {
    if (!hasIds(model, row, ids, reading.faults)) return;
    for (const one of model.rows(row, reading)) pages.add(one);
  });
  const { settled } = model;
  if (settled && (reading.span.from.hasUnsettled || reading.span.to.hasUnsettled)) {
    pages.rewrite(before, (row) => settled(row, reading.span));
  }
}

/** Records a fault for each repeated id, and for each invalid id. Returns whether the ids are valid. */
function hasIds({ name, references, needed: columns }: FileModel, row: TableRow, ids: Set<string>, faults: CsvFaults) {
  const id = row.cell('sourcedId');
  const named = isDeleted(row) ? [] : references;
  const bad = ['sourcedId', ...named].filter((column) => columns.includes(column) && !isSourceId(row.cell(column)));
  for (const column of bad) faults.add(`${name}:${row.line}:${column}`, 'bad_id');
  if (ids.has(id)) faults.add(`${name}:${row.line}:sourcedId`, 'duplicate_id');
  ids.add(copied(id));
  return bad.length === 0;
}

/** Returns the rows of a page. */
export const unpacked = (page: Buffer): readonly SourceRow[] => JSON.parse(inflateRawSync(page).toString());

const packed = (rows: readonly SourceRow[]): Buffer => deflateRawSync(JSON.stringify(rows), { level: 1 });

/** Copies the text, because a substring keeps the whole text in memory. */
const copied = (text: string): string => Buffer.from(text).toString();

class Pages {
  readonly #packed: Buffer[] = [];
  #rows: SourceRow[] = [];

  add(row: SourceRow): void {
    this.#rows.push(row);
    if (this.#rows.length === rowsInPage) this.#pack();
  }

  done(): readonly Buffer[] {
    this.close();
    return this.#packed;
  }

  /** Ends the current page. Returns the number of pages. */
  close(): number {
    if (this.#rows.length > 0) this.#pack();
    return this.#packed.length;
  }

  /** Changes each row of the pages after the first `from` ones. */
  rewrite(from: number, change: (row: SourceRow) => SourceRow): void {
    const until = this.close();
    for (let at = from; at < until; at++) {
      const page = this.#packed[at];
      if (page) this.#packed[at] = packed(unpacked(page).map(change));
    }
  }

  #pack(): void {
    this.#packed.push(packed(this.#rows));
    this.#rows = [];
  }
}
