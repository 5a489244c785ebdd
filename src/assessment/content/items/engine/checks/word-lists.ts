// The lists that authors extend: names, words with a dagger alef, strings with a second reading, exceptions.
import Type, { type Static } from 'typebox';
import { type Letter, lettersOf, proclitics } from '../arabic-marks.ts';

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, pattern: '\\S' });

/** `proper-nouns.json` */
export const ProperNouns = Type.Object(
  { takesNoTanween: Type.Array(Text, { uniqueItems: true }), daggerAlef: Type.Array(Text, { uniqueItems: true }) },
  closed,
);
/** `second-readings.json`: a string without marks → the readings that make it dangerous as an option. */
export const SecondReadings = Type.Record(Type.String(), Type.Array(Text, { minItems: 1 }));
/** `exceptions.json`: findings that an author has reviewed and permitted. */
export const Exceptions = Type.Array(
  Type.Object(
    { cell: Text, k: Type.Integer({ minimum: 1 }), check: Text, why: Type.String({ minLength: 20 }) },
    closed,
  ),
);
export type Exception = Static<typeof Exceptions>[number];

export interface WordLists {
  /** Fully vowelled names, except for the mark of the last letter. */
  readonly namesWithoutTanween: readonly string[];
  readonly daggerAlefWords: readonly string[];
  /** Without marks → readings. */
  readonly secondReadings: ReadonlyMap<string, readonly string[]>;
  readonly exceptions: readonly Exception[];
}

/** Without ك: «كَرِيم» is a name of its own, and no item compares with a person. */
const prefixesOfNames = proclitics.replace('ك', '');

/** Returns the listed name that a word is, alone or after a prefix; undefined for other words. */
export function nameOf(letters: readonly Letter[], names: readonly string[]): string | undefined {
  for (let start = 0; start <= 2 && start < letters.length - 1; start++) {
    if (!letters.slice(0, start).every(({ letter }) => prefixesOfNames.includes(letter))) return undefined;
    const name = names.find((one) => isName(letters.slice(start), lettersOf(one)));
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Compares a word with a name, ignoring the last letter's mark, which is the case ending. */
function isName(letters: readonly Letter[], name: readonly Letter[]): boolean {
  return (
    letters.length === name.length &&
    letters.every(({ letter, marks }, at) => {
      const other = name[at];
      return other?.letter === letter && (at === name.length - 1 || other.marks === marks);
    })
  );
}
