// Review records on disk: one file a cell, beside the source of the items that they speak of.
import fs from 'node:fs/promises';
import path from 'node:path';
import { shapeOf } from '#core/platform/pure/json-schema.ts';
import { ReviewFile } from '../engine/review.ts';
import { bankDir, readJson } from '../files.ts';

const reviewFile = shapeOf<ReviewFile>(ReviewFile);

const reviewPath = (rulesDir: string, cell: string) => path.join(bankDir(rulesDir), 'review', `${cell}.json`);

/** A cell without a file has been reviewed by nobody. Throws RangeError for a file that is no record. */
export async function readReviews(rulesDir: string, cell: string): Promise<ReviewFile> {
  const file = reviewPath(rulesDir, cell);
  const isThere = await fs.access(file).then(
    () => true,
    () => false,
  );
  return reviewFile(isThere ? await readJson<unknown>(file) : {}, file);
}

/** One item a line, for a readable diff. */
export async function writeReviews(rulesDir: string, cell: string, records: ReviewFile): Promise<void> {
  const lines = Object.entries(records).map(([id, record]) => `  ${JSON.stringify(id)}: ${JSON.stringify(record)}`);
  const file = reviewPath(rulesDir, cell);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, `{\n${lines.join(',\n')}\n}\n`);
}
