// Shapes of items within a sub-skill: a script that counts syllables cannot refer to an item that asks for a truncated word.
import type { Item } from '#assessment/content/items/engine/item.ts';

const bare = (text: string) => text.replace(/[\u064B-\u0652]/g, '');
const keyOf = ({ options, correctIndex }: Item) => options[correctIndex]?.text ?? '';
const asks =
  (pattern: RegExp) =>
  ({ prompt }: Item): boolean =>
    pattern.test(bare(prompt.text));
const hasKey =
  (pattern: RegExp) =>
  (item: Item): boolean =>
    pattern.test(keyOf(item));

export const itemShapes: Readonly<Record<string, (item: Item) => boolean>> = {
  /** The number of syllables: the correct option is a number. */
  count: asks(/^كم مقطعا/),
  /** The correct option is a word, not a letter or a sound. */
  word: asks(/^(أي كلمة تبدأ بالصوت|ما الكلمة التي تسمعها)/),
  sounds: asks(/^ما الأصوات/),
  /** The form of a letter by its position. */
  place: asks(/^أي شكل/),
  meaning: asks(/^ما معنى/),
  opposite: asks(/^ما ضد/),
  /** One word and its synonym or opposite. */
  pair: asks(/^ما (ضد|مرادف) كلمة «[^»]*»؟$/),
  family: asks(/^أي كلمة من عائلة/),
  root: asks(/^ما جذر/),
  /** Hamza on a carrier inside the word: the stronger vowel decides. */
  middle: hasKey(/\p{L}\p{M}*[ئؤأ]\p{M}*\p{L}/u),
  /** Ends with a taa of one kind or the other. */
  taa: hasKey(/^[^ ]*[ةت]\p{M}*$/u),
  /** Contains a long vowel. */
  long: hasKey(/\u064Eا|\u064Fو(?!\p{M})|\u0650ي(?!\p{M})/u),
  /** Contains a doubled letter. */
  doubled: hasKey(/\u0651/),
};
