// The words that a kind has for the codes of its payload: exactly one for each code of the schema.
import { errorFinding, type Finding } from '#rules/rulesets/engine/index.ts';
import type { KindDocument } from './kinds.ts';
import { type CodeWords, codeVariables, fieldFor, type NoticeWords } from './template.ts';

/** Pure. */
export const textFindings = (kind: KindDocument): Finding[] =>
  codeVariables.flatMap((name) => {
    const words = kind.words?.[name];
    return words === undefined ? [] : issuesOf(kind, name, words).map((issue) => errorFinding('SCHEMA', issue));
  });

function issuesOf(
  { kind, payloadSchema: { properties } }: KindDocument,
  name: keyof CodeWords,
  words: Readonly<Record<string, string>>,
): string[] {
  const field = fieldFor(kind, name);
  const codes = codesOf(properties[field]);
  if (!codes) return [`words.${name}: the payload holds no ${field} with closed codes`];
  const missing = codes.filter((code) => !Object.hasOwn(words, code));
  const foreign = Object.keys(words).filter((code) => !codes.includes(code));
  const braced = Object.entries(words).filter(([, word]) => /[{}]/.test(word));
  return [
    ...missing.map((code) => `words.${name} has no word for ${code}`),
    ...foreign.map((code) => `words.${name} has a word for ${code}, which is no ${field}`),
    ...braced.map(([code]) => `words.${name}.${code} holds a brace: a word holds no variables`),
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
