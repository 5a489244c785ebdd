// Words of our own that the trade has names for. They are not used again anywhere: in code, comments, tests and documents.
import type { Sources } from './sources.ts';

/** Stem → the word of the field. A word is found by its beginning, in prose and inside of names. */
export const retiredStems: Readonly<Record<string, string>> = {
  conceal: 'suppress',
  ears: 'subscriber',
  factsort: 'fact category',
  follower: 'projection',
  gathering: 'batch',
  lends: 'a word for what the pool does',
  likewise: 'a sentence that can be read alone',
  otherwisesaid: 'retired word',
  rehears: 'simulation',
  ruleshape: 'document schema',
  sayer: 'text filter',
  standings: 'support tiers',
  voices: 'renderers',
  walker: 'a name for what visits all siblings',
  wires: 'value contracts',
};

/** Stems for a person without a role. Tests may use them for a caller without an account. */
const retiredOutsideTests: Readonly<Record<string, string>> = {
  anybody: 'the person and their role',
  nobody: 'what does not happen, or "no" with a role',
  somebody: 'the person and their role',
  whoever: 'the person and their role',
};

export interface KeptWord {
  readonly file: string;
  readonly stem: string;
  readonly reason: string;
}

/** Returns one line for each file and stem. An exception that nothing needs is a finding too. */
export function retiredStemFindings(texts: Sources, kept: readonly KeptWord[]): string[] {
  const found = new Map<string, string>();
  for (const [file, text] of texts) {
    const words = wordsOf(`${file}\n${text}`);
    for (const [stem, instead] of Object.entries(stemsFor(file)))
      if (words.some((word) => word.startsWith(stem)))
        found.set(`${file} ${stem}`, `${file}: uses "${stem}" instead of ${instead}`);
  }
  const stale = kept.filter(({ file, stem }) => !found.delete(`${file} ${stem}`));
  return [
    ...found.values(),
    ...stale.map(({ file, stem }) => `${file}: an exception for "${stem}" that nothing needs`),
  ].sort();
}

const stemsFor = (file: string): Readonly<Record<string, string>> =>
  file.startsWith('tests/') ? retiredStems : { ...retiredStems, ...retiredOutsideTests };

/** Returns the words in lower case: whole names, and the parts that capitals divide them into. */
const wordsOf = (text: string): string[] =>
  [...(text.match(/[A-Za-z]+/g) ?? []), ...(text.match(/[A-Z]?[a-z]+/g) ?? [])].map((word) => word.toLowerCase());
