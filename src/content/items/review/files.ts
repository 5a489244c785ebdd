// Review records on disk: one file a cell, beside the source of the items that they speak of.
import fs from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ReviewFile } from '../engine/review.ts';
import { bankDir, readJson } from '../files.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
const isReviewFile = ajv.compile<ReviewFile>(ReviewFile);

const reviewPath = (rulesDir: string, cell: string) => path.join(bankDir(rulesDir), 'review', `${cell}.json`);

/** A cell without a file has been reviewed by nobody. Throws RangeError for a file that is no record. */
export async function readReviews(rulesDir: string, cell: string): Promise<ReviewFile> {
  const file = reviewPath(rulesDir, cell);
  const isThere = await fs.access(file).then(
    () => true,
    () => false,
  );
  const records = isThere ? await readJson<unknown>(file) : {};
  if (!isReviewFile(records)) throw new RangeError(`${file}: ${ajv.errorsText(isReviewFile.errors)}`);
  return records;
}

/** One item a line, for a readable diff. */
export async function writeReviews(rulesDir: string, cell: string, records: ReviewFile): Promise<void> {
  const lines = Object.entries(records).map(([id, record]) => `  ${JSON.stringify(id)}: ${JSON.stringify(record)}`);
  const file = reviewPath(rulesDir, cell);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, `{\n${lines.join(',\n')}\n}\n`);
}
