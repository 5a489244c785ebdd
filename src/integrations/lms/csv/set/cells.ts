// What cells of a file say beside words and dates: ids, lists, grades.

const mostIdLength = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ids hold none
const control = /[\u0000-\u001f\u007f]/;

export const isId = (text: string): boolean => text !== '' && text.length <= mostIdLength && !control.test(text);

/** Grades 1 to 4 of a list; others the service does not teach. */
export const gradesIn = (text: string): number[] => [
  ...new Set(listIn(text).flatMap((word) => (/^0?[1-4]$/.test(word) ? [Number(word)] : []))),
];

export const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export const orNull = (text: string): string | null => (text === '' ? null : text);

export const idOrNull = (text: string): string | null => (isId(text) ? text : null);
