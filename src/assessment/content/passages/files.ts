// Reads passage files; each version is read once and never changes.
import fs from 'node:fs/promises';
import path from 'node:path';
import { conflict, invalid, unavailable } from '#core/platform/errors.ts';
import { shapeOf } from '#core/platform/pure/json-schema.ts';
import { type Passage, PassageBook, type PassageDocument } from './engine/passage.ts';
import { PassageFile } from './engine/passage-schema.ts';

const rulesDir = path.resolve(import.meta.dirname, '../../../../rules');
/** The passage version for new readings. */
const currentVersion = 2;

export interface Passages {
  /** Throws ENGINE_UNAVAILABLE when the version cannot be read. */
  version(version: number): Promise<PassageBook>;
  current(): Promise<PassageBook>;
}

export function passageBooks(dir: string = rulesDir): Passages {
  const loaded = new Map<number, Promise<PassageBook>>();
  const version = (wanted: number) => {
    const book =
      loaded.get(wanted) ??
      loadPassages(dir, wanted).catch(() => {
        loaded.delete(wanted);
        throw unavailable('The reading passages are not available.');
      });
    loaded.set(wanted, book);
    return book;
  };
  return { version, current: () => version(currentVersion) };
}

const passageFile = shapeOf<PassageDocument>(PassageFile);

/** Reads a passage file. Throws when the version is missing or the file is another version. */
export async function loadPassages(dir: string, version: number): Promise<PassageBook> {
  const file = path.join(dir, `content/orf/passages.v${version}.json`);
  const document = passageFile(JSON.parse(await fs.readFile(file, 'utf8')), file);
  if (document.version !== version) throw new RangeError(`${file} says that it is version ${document.version}`);
  const misplaced = document.passages.find(({ words }) => words.some(({ index }, at) => index !== at));
  if (misplaced) throw new RangeError(`${file}: the words of ${misplaced.passageId} are not numbered in order`);
  return new PassageBook(document);
}

/**
 * Returns the named passage. Throws VALIDATION_ERROR on `passageId` when it is unknown or of another grade; throws
 * CONFLICT `no_grade` without a grade.
 */
export function namedPassage(book: PassageBook, passageId: string, grade: number | null): Passage {
  const passage = book.find(passageId);
  if (!passage) throw invalid('passageId', 'is unknown');
  if (grade === null) throw conflict('no_grade', 'The student is in no class of this school year.');
  if (passage.grade !== grade) throw invalid('passageId', 'is not of the student’s grade');
  return passage;
}
