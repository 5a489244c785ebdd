// The words that a kind has for the codes of its payload: exactly one for each code of the schema.
import { errorFinding, type Finding } from '#rules/rulesets/engine/index.ts';
import type { KindDocument } from './kinds.ts';
import { type CodeWords, codeVariables, fieldFor, type NoticeWords } from './template.ts';

/** Pure. */
export const textFindings = (kind: KindDocument): Finding[] =>
  codeVariables.flatMap((name) => {
    const words = kind.words?.[name];
    return words === undefined ? [] : wordFindings(kind, name, words);
  });

function wordFindings(
  { kind, payloadSchema: { properties } }: KindDocument,
  name: keyof CodeWords,
  words: Readonly<Record<string, string>>,
): Finding[] {
  const field = fieldFor(kind, name);
  const codes = codesOf(properties[field]);
  if (!codes) return [errorFinding('SCHEMA', 'words_without_codes', { variable: name, field })];
  const missing = codes.filter((code) => !Object.hasOwn(words, code));
  const foreign = Object.keys(words).filter((code) => !codes.includes(code));
  const braced = Object.entries(words).filter(([, word]) => /[{}]/.test(word));
  return [
    ...missing.map((word) => errorFinding('SCHEMA', 'word_missing', { variable: name, word })),
    ...foreign.map((word) => errorFinding('SCHEMA', 'word_foreign', { variable: name, word, field })),
    ...braced.map(([word]) => errorFinding('SCHEMA', 'word_braced', { variable: name, word })),
  ];
}

function codesOf(field: object | undefined): readonly string[] | undefined {
  const codes = (field as { readonly enum?: unknown } | undefined)?.enum;
  return Array.isArray(codes) ? codes : undefined;
}

/** The words for a payload's codes, by variable. */
export const codeWordsFor = (kind: KindDocument, payload: object): NoticeWords =>
  Object.fromEntries(
    codeVariables.flatMap((name) => {
      const word = codeWord(kind, name, (payload as Readonly<Record<string, unknown>>)[fieldFor(kind.kind, name)]);
      return word === undefined ? [] : [[name, word]];
    }),
  );

/** Returns undefined for a code without a word. */
export function codeWord({ words = {} }: KindDocument, name: keyof CodeWords, code: unknown): string | undefined {
  const known = words[name] ?? {};
  return typeof code === 'string' && Object.hasOwn(known, code) ? known[code] : undefined;
}
