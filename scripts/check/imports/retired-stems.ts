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
    for (const [stem, instead] of Object.entries(retiredStems))
      if (words.some((word) => word.startsWith(stem)))
        found.set(`${file} ${stem}`, `${file}: uses "${stem}" instead of ${instead}`);
  }
  const stale = kept.filter(({ file, stem }) => !found.delete(`${file} ${stem}`));
  return [
    ...found.values(),
    ...stale.map(({ file, stem }) => `${file}: an exception for "${stem}" that nothing needs`),
  ].sort();
}

/** Returns the words in lower case: whole names, and the parts that capitals divide them into. */
const wordsOf = (text: string): string[] =>
  [...(text.match(/[A-Za-z]+/g) ?? []), ...(text.match(/[A-Z]?[a-z]+/g) ?? [])].map((word) => word.toLowerCase());
