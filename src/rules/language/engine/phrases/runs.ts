// A letter that is drawn out («ضعيييف») hides a word from the dictionary: such words are also looked for with their runs
// cut.

const drawnOut = /(.)\1\1/su;
const run = /(.)\1+/gsu;
const longRun = /(.)\1\1+/gsu;

export const isDrawnOut = (word: string): boolean => drawnOut.test(word);

/** Every run of one letter is that letter once. */
export const collapsed = (word: string): string => word.replace(run, '$1');

/** Long runs only, to one letter and to two: the word itself may have a double one. */
export const shortened: readonly ((word: string) => string)[] = [
  (word) => word.replace(longRun, '$1'),
  (word) => word.replace(longRun, '$1$1'),
];
