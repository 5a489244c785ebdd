// Handles drawn-out letters («ضعيييف»), which hide a word from the dictionary: such words are also looked up with their
// runs shortened.

const drawnOut = /(.)\1\1/su;
const run = /(.)\1+/gsu;
const longRun = /(.)\1\1+/gsu;

export const isDrawnOut = (word: string): boolean => drawnOut.test(word);

/** Replaces every run of a letter by one letter. */
export const collapsed = (word: string): string => word.replace(run, '$1');

/** Shortens long runs only, to one letter and to two, since the word itself may have a double letter. */
export const shortened: readonly ((word: string) => string)[] = [
  (word) => word.replace(longRun, '$1'),
  (word) => word.replace(longRun, '$1$1'),
];
