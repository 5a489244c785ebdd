// The words of items in a script: what stands in the place of `{1.heard}` or `{a.key}`.
import type { Item as BankItem } from '#assessment/content/items/engine/item.ts';

const place = /\{([0-9a-z])\.([a-z]+)\}/g;

/** What a script may say of an item. */
const fields: Readonly<Record<string, (item: BankItem) => string | undefined>> = {
  /** What is said: a word, a sound, a text that is listened to. */
  heard: ({ prompt }) => prompt.speech,
  question: ({ prompt }) => prompt.text,
  /** The word or phrase that the question is about. */
  asked: ({ prompt }) => /«([^»]+)»/.exec(prompt.text)?.[1],
  key: ({ options, correctIndex }) => options[correctIndex]?.text,
  other: ({ options, correctIndex }) => options.find(({ index }) => index !== correctIndex)?.text,
  third: ({ options, correctIndex }) => options.filter(({ index }) => index !== correctIndex)[1]?.text,
  passage: ({ prompt }) => prompt.passage ?? undefined,
  /** What is listened to without the question at its end. */
  story: ({ prompt }) => prompt.speech.replace(prompt.text, '').trim(),
  /** The unvowelled word between brackets, and the sentence around it. */
  bare: ({ prompt }) => /\(([^)]+)\)/.exec(prompt.text)?.[1],
  sentence: ({ prompt }) => /؟ (.+)$/.exec(prompt.text)?.[1]?.replace(/[()]/g, ''),
};

/** Places of a script: `1`, `2` … its items, `a`, `b` … its examples. */
export interface Spoken {
  readonly items: readonly BankItem[];
  readonly examples: readonly BankItem[];
}

/** What the script says of the item that stands at `who`: its fields, each once. */
export const saidOf = (script: string, who: string): string[] => [
  ...new Set([...script.matchAll(place)].flatMap(([, name, field = '']) => (name === who ? [field] : []))),
];

/** Not every question has a word between quotes, and not every one may be cited in a script. */
export const canSay = (item: BankItem, said: readonly string[], maySay: (text: string) => boolean): boolean =>
  said.every((field) => {
    const text = fields[field]?.(item);
    return Boolean(text) && maySay(text ?? '');
  });

/** Throws RangeError for a place that no item fills. */
export const filled = (script: string, { items, examples }: Spoken): string =>
  script.replace(place, (found, who: string, field: string) => {
    const item = /[0-9]/.test(who) ? items[Number(who) - 1] : examples[who.charCodeAt(0) - 'a'.charCodeAt(0)];
    const word = item && fields[field]?.(item);
    if (!word) throw new RangeError(`nothing stands for ${found} (${item?.id ?? 'no item'})`);
    return word.replace(/[.]$/, '');
  });

/** The script as authored, without the places of items: what tells two scripts apart. */
export const withoutWords = (script: string): string => script.replace(place, ' ');
