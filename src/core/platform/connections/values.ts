// What values of PostgreSQL become in code, where the driver's own choice would lose something.
import pg from 'pg';

/** Type numbers that pg does not name: `date[]`, `text[]` and `bigint[]`. */
type TypeNumber = (typeof pg.types.builtins)['DATE'];
const dateArray = 1182 as TypeNumber;
const textArray = 1009 as TypeNumber;
const bigintArray = 1016 as TypeNumber;

/** JavaScript values that keep meaning: safe integers or an error, dates as their text, instants as ISO 8601 UTC. */
export function setTypeParsers(): void {
  const { builtins, setTypeParser } = pg.types;
  const anyStringsOf = pg.types.getTypeParser(textArray);
  const stringsOf = (text: string): string[] => simpleStrings(text) ?? (anyStringsOf(text) as string[]);
  setTypeParser(builtins.INT8, safeInteger);
  setTypeParser(textArray, stringsOf);
  setTypeParser(bigintArray, (text) => stringsOf(text).map(safeInteger));
  setTypeParser(builtins.NUMERIC, Number);
  setTypeParser(builtins.DATE, (text) => text);
  setTypeParser(dateArray, stringsOf);
  setTypeParser(builtins.TIMESTAMPTZ, instants());
}

/** Most lists hold words, numbers or dates: what PostgreSQL writes without quotes needs no search for them. */
function simpleStrings(text: string): string[] | undefined {
  if (text === '{}') return [];
  return /^\{[^"\\{}]*\}$/.test(text) && !text.includes('NULL') ? text.slice(1, -1).split(',') : undefined;
}

/** Rows of one answer mostly share their moments: the one before is remembered. */
function instants(): (text: string) => string {
  let [before, instant] = ['', ''];
  return (text) => {
    if (text === before) return instant;
    instant = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();
    before = text;
    return instant;
  };
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint out of range: ${text}`);
  return value;
}
