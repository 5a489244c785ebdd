// Parsers of PostgreSQL values, where the driver's own would lose information.
import pg from 'pg';

/** Type OIDs that pg does not name: `date[]`, `text[]` and `bigint[]`. */
type TypeNumber = (typeof pg.types.builtins)['DATE'];
const dateArray = 1182 as TypeNumber;
const textArray = 1009 as TypeNumber;
const bigintArray = 1016 as TypeNumber;

/** Sets lossless parsers: safe integers or an error, dates as their text, instants as ISO 8601 UTC. */
export function setTypeParsers(): void {
  const { builtins, setTypeParser } = pg.types;
  const parseAnyStrings = pg.types.getTypeParser(textArray);
  const parseStrings = (text: string): string[] => simpleStrings(text) ?? (parseAnyStrings(text) as string[]);
  setTypeParser(builtins.INT8, safeInteger);
  setTypeParser(textArray, parseStrings);
  setTypeParser(bigintArray, (text) => parseStrings(text).map(safeInteger));
  setTypeParser(builtins.NUMERIC, Number);
  setTypeParser(builtins.DATE, (text) => text);
  setTypeParser(dateArray, parseStrings);
  setTypeParser(builtins.TIMESTAMPTZ, instantParser());
}

/** Parses arrays without quoted elements, which most arrays of words, numbers and dates are. */
function simpleStrings(text: string): string[] | undefined {
  if (text === '{}') return [];
  return /^\{[^"\\{}]*\}$/.test(text) && !text.includes('NULL') ? text.slice(1, -1).split(',') : undefined;
}

/** Returns a parser that caches the last instant, since consecutive rows mostly share it. */
function instantParser(): (text: string) => string {
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
