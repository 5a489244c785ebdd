// A whole set, read file by file into packed pages of rows: what is held does not grow with what the rows say twice.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { newSpan } from '../../values/dates.ts';
import type { SourceFile, SourceRow } from '../content.ts';
import { filesOf, type SentFile, type SetFiles } from './archive.ts';
import { checkTree, treeFiles } from './cycles.ts';
import { Faults } from './faults.ts';
import { type Manifest, readManifest, type SetVersion } from './manifest.ts';
import { type FileModel, isDeleted, isId, modelsOf, type Reading } from './rows.ts';
import { readTable, type TableRow } from './table.ts';

const rowsInPage = 250;

export interface ParsedSet {
  readonly version: SetVersion;
  /** Of each file that the set has, whether it replaces what is stored. */
  readonly modes: ReadonlyMap<SourceFile, 'bulk' | 'delta'>;
  /** Each as `unpacked` reads it. */
  readonly pages: readonly Buffer[];
}

/** Files without which a set says nothing of a class. */
const needed: ReadonlySet<SourceFile> = new Set(['classes', 'users', 'roles', 'enrollments']);

/** Throws VALIDATION_ERROR with every fault of structure that was found; nothing of the set is kept then. */
export async function parseSet(sent: readonly SentFile[], guardians: boolean): Promise<ParsedSet> {
  const files = await filesOf(sent);
  const faults = new Faults();
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

async function manifestOf(files: SetFiles, faults: Faults): Promise<Manifest | undefined> {
  const pieces = files.get('manifest.csv');
  if (pieces) return readManifest(pieces(), faults);
  faults.add('manifest.csv', 'missing_file');
  return undefined;
}

function refused(faults: Faults): never {
  faults.refuse();
  throw new RangeError('a set without a manifest has a fault');
}

async function checkTrees(files: SetFiles, manifest: Manifest, faults: Faults): Promise<void> {
  for (const name of treeFiles) {
    const pieces = files.get(name.toLowerCase());
    if (pieces && manifest.modeOf(name.replace('.csv', '')) !== 'absent') await checkTree(name, pieces(), faults);
  }
}

async function readRows(
  model: FileModel,
  pieces: AsyncIterable<Buffer>,
  reading: Reading,
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

/** Each id of a file stands in it once; what a row refers to is named. */
function hasIds({ name, references, needed: columns }: FileModel, row: TableRow, ids: Set<string>, faults: Faults) {
  const id = row.cell('sourcedId');
  const named = isDeleted(row) ? [] : references;
  const bad = ['sourcedId', ...named].filter((column) => columns.includes(column) && !isId(row.cell(column)));
  for (const column of bad) faults.add(`${name}:${row.line}:${column}`, 'bad_id');
  if (ids.has(id)) faults.add(`${name}:${row.line}:sourcedId`, 'duplicate_id');
  ids.add(copied(id));
  return bad.length === 0;
}

/** A page's rows. */
export const unpacked = (page: Buffer): readonly SourceRow[] => JSON.parse(inflateRawSync(page).toString());

const packed = (rows: readonly SourceRow[]): Buffer => deflateRawSync(JSON.stringify(rows), { level: 1 });

/** Part of a text keeps the whole text in memory. */
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

  /** What comes next begins a page. Answers how many there are. */
  close(): number {
    if (this.#rows.length > 0) this.#pack();
    return this.#packed.length;
  }

  /** Each row of the pages behind the first `from` ones, page by page. */
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
