// Reads and writes review records: one file per cell, beside the source of the items.
import fs from 'node:fs/promises';
import path from 'node:path';
import { shapeOf } from '#core/platform/pure/json-schema.ts';
import { ReviewFile } from '../engine/review.ts';
import { bankDir, readJson } from '../files.ts';

const reviewFile = shapeOf<ReviewFile>(ReviewFile);

const reviewPath = (rulesDir: string, cell: string) => path.join(bankDir(rulesDir), 'review', `${cell}.json`);

/** Returns the records of a cell; empty when there is no file. Throws RangeError for an invalid file. */
export async function readReviews(rulesDir: string, cell: string): Promise<ReviewFile> {
  const file = reviewPath(rulesDir, cell);
  const isThere = await fs.access(file).then(
    () => true,
    () => false,
  );
  return reviewFile(isThere ? await readJson<unknown>(file) : {}, file);
}

/** Writes one item a line, for a readable diff. */
export async function writeReviews(rulesDir: string, cell: string, records: ReviewFile): Promise<void> {
  const lines = Object.entries(records).map(([id, record]) => `  ${JSON.stringify(id)}: ${JSON.stringify(record)}`);
  const file = reviewPath(rulesDir, cell);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, `{\n${lines.join(',\n')}\n}\n`);
}
