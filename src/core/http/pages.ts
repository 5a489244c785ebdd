// Keyset pagination: an opaque cursor holds the sort key of the last row, so that rows inserted between two requests neither repeat
// nor hide rows.
import { invalid } from '../platform/errors.ts';

type Key = readonly (string | number)[];
/** `instant` is ISO 8601 UTC, `number` an id, `count` a four-byte integer. */
type KeyKind = 'string' | 'number' | 'count' | 'instant';

/** The query parameters of every list. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** The page size if the request names none. */
export const defaultLimit = 25;

/** In characters. The longest sort key is a folded name of 200 characters of four bytes each, and an id. */
export const maxCursor = 1200;

const mostCounted = 2 ** 31 - 1;

export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

const cursorOf = (key: Key): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** Returns the sort key in a cursor; `kinds` gives the expected types. Throws VALIDATION_ERROR for anything else. */
export function keyInCursor(cursor: string | undefined, kinds: readonly KeyKind[]): Key | undefined {
  if (cursor === undefined) return undefined;
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(key) && key.length === kinds.length && key.every((part, index) => isStorable(part, kinds[index])))
      return key;
  } catch {
    // A cursor that is not JSON is refused below like every other unknown cursor.
  }
  throw unknownCursor();
}

const unknownCursor = () => invalid('cursor', 'is not one of ours');

function isStorable(part: unknown, kind: KeyKind | undefined): boolean {
  if (kind === 'number') return Number.isSafeInteger(part);
  if (kind === 'count') return Number.isSafeInteger(part) && Math.abs(Number(part)) <= mostCounted;
  if (typeof part !== 'string' || part.includes('\0') || !part.isWellFormed()) return false;
  return kind !== 'instant' || isInstant(part);
}

const wholeSeconds = 'YYYY-MM-DDTHH:MM:SS'.length;

/** Whether the day exists (a Date accepts the 31st of February) and the database knows the year. */
function isInstant(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return false;
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text.slice(0, wholeSeconds));
}

/** Returns the rows of an in-memory list behind the row that the cursor names. Throws VALIDATION_ERROR if there is no such row. */
export function rowsAfterCursor<Row>(
  rows: readonly Row[],
  cursor: string | undefined,
  id: (row: Row) => string,
): readonly Row[] {
  const [after] = keyInCursor(cursor, ['string']) ?? [];
  const at = rows.findIndex((row) => id(row) === after);
  if (after !== undefined && at < 0) throw unknownCursor();
  return rows.slice(at + 1);
}

/** Cuts `limit + 1` rows to a page: the extra row shows that there are more. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  key: (row: Row) => Key,
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(present),
    nextCursor: rows.length > limit && last !== undefined ? cursorOf(key(last)) : null,
  };
}
