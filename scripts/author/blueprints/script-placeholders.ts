// Placeholders of a script for texts of items: `{1.heard}`, `{a.key}`.
import type { Item as BankItem } from '#assessment/content/items/engine/item.ts';

const placeholder = /\{([0-9a-z])\.([a-z]+)\}/g;

/** The fields of an item that a script may quote. */
const fields: Readonly<Record<string, (item: BankItem) => string | undefined>> = {
  /** The spoken text: a word, a sound, a passage. */
  heard: ({ prompt }) => prompt.speech,
  question: ({ prompt }) => prompt.text,
  /** The word or phrase that the question is about. */
  asked: ({ prompt }) => /«([^»]+)»/.exec(prompt.text)?.[1],
  key: ({ options, correctIndex }) => options[correctIndex]?.text,
  other: ({ options, correctIndex }) => options.find(({ index }) => index !== correctIndex)?.text,
  third: ({ options, correctIndex }) => options.filter(({ index }) => index !== correctIndex)[1]?.text,
  passage: ({ prompt }) => prompt.passage ?? undefined,
  /** The spoken text without the question at its end. */
  story: ({ prompt }) => prompt.speech.replace(prompt.text, '').trim(),
  /** The unvowelled word in brackets, and the sentence around it. */
  bare: ({ prompt }) => /\(([^)]+)\)/.exec(prompt.text)?.[1],
  sentence: ({ prompt }) => /؟ (.+)$/.exec(prompt.text)?.[1]?.replace(/[()]/g, ''),
};

/** The items of a script: `1`, `2` … are its items, `a`, `b` … its examples. */
export interface PlaceholderItems {
  readonly items: readonly BankItem[];
  readonly examples: readonly BankItem[];
}

/** Returns the fields of one item that the script quotes, each once. */
export const fieldsOf = (script: string, name: string): string[] => [
  ...new Set(
    [...script.matchAll(placeholder)].flatMap(([, itemName, field = '']) => (itemName === name ? [field] : [])),
  ),
];

/** Returns whether the item has all fields with texts that are allowed in a script. */
export const hasAllowedFields = (
  item: BankItem,
  quoted: readonly string[],
  isAllowed: (text: string) => boolean,
): boolean =>
  quoted.every((field) => {
    const text = fields[field]?.(item);
    return Boolean(text) && isAllowed(text ?? '');
  });

/** Replaces the placeholders. Throws RangeError for one that no item fills. */
export const fillPlaceholders = (script: string, { items, examples }: PlaceholderItems): string =>
  script.replace(placeholder, (found, name: string, field: string) => {
    const item = /[0-9]/.test(name) ? items[Number(name) - 1] : examples[name.charCodeAt(0) - 'a'.charCodeAt(0)];
    const word = item && fields[field]?.(item);
    if (!word) throw new RangeError(`nothing fills ${found} (${item?.id ?? 'no item'})`);
    return word.replace(/[.]$/, '');
  });

/** Returns the script without placeholders, to compare two scripts. */
export const withoutPlaceholders = (script: string): string => script.replace(placeholder, ' ');
