// The teaser's own items. They are separate from the bank, because public items must not spoil a diagnostic.
import Type, { type Static } from 'typebox';
import { itemTypes } from '../../items/engine/item.ts';

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1 });
const NullableText = Type.Union([Text, Type.Null()]);

const TeaserItem = Type.Object(
  {
    id: Type.String({ pattern: '^TEASER-G[1-4]-[0-9]{2}$' }),
    grade: Type.Integer({ minimum: 1, maximum: 4 }),
    subSkillCode: Type.String({ pattern: '^[A-Z][A-Z_]*$' }),
    itemType: Type.Enum([...itemTypes]),
    prompt: Type.Object({ text: Text, speech: Text, audioUrl: NullableText, passage: NullableText }, closed),
    options: Type.Array(
      Type.Object({ index: Type.Integer({ minimum: 0 }), text: Text, speech: Type.Optional(NullableText) }, closed),
      { minItems: 2, maxItems: 4 },
    ),
    /** Never leaves the server. */
    correctIndex: Type.Integer({ minimum: 0 }),
    /** Rasch difficulty in logits, one decimal. */
    difficulty: Type.Number({ minimum: -4, maximum: 4 }),
  },
  closed,
);
export type TeaserItem = Static<typeof TeaserItem>;

export const TeaserItemsFile = Type.Object(
  { version: Type.Integer({ minimum: 1 }), items: Type.Array(TeaserItem, { minItems: 1 }) },
  closed,
);
export type TeaserItemsFile = Static<typeof TeaserItemsFile>;

/** The item ids of one grade's set. */
export interface ItemSetNames {
  readonly grade: number;
  readonly subSkillId: string;
  readonly itemIds: readonly string[];
}

/**
 * Returns the set's items in order; undefined unless they are `count` different, well-formed items of its grade and
 * sub-skill.
 */
export function itemsOfSet(
  set: ItemSetNames,
  items: ReadonlyMap<string, TeaserItem>,
  count: number,
): TeaserItem[] | undefined {
  const found = set.itemIds.flatMap((id) => items.get(id) ?? []);
  const complete = found.length === count && set.itemIds.length === count && new Set(set.itemIds).size === count;
  const fits = found.every((item) => item.grade === set.grade && item.subSkillCode === set.subSkillId);
  return complete && fits && found.every(isAnswerable) ? found : undefined;
}

/** Returns whether options are numbered from 0, all different, and include the right one. */
function isAnswerable({ options, correctIndex }: TeaserItem): boolean {
  const texts = new Set(options.map(({ text }) => text));
  return (
    correctIndex < options.length && texts.size === options.length && options.every(({ index }, at) => index === at)
  );
}

/** Looks up recordings of spoken texts. */
export interface Recordings {
  urlOf(speech: string | null): string | null;
}

/** Returns the fields that the public may see: no key, no difficulty. */
export const presentItem = ({ id, itemType, prompt, options }: TeaserItem, { urlOf }: Recordings) => ({
  id,
  itemType,
  prompt: { text: prompt.text, speech: prompt.speech, audioUrl: urlOf(prompt.speech), passage: prompt.passage },
  options: options.map(({ index, text, speech = null }) => ({ index, text, speech, audioUrl: urlOf(speech) })),
});
