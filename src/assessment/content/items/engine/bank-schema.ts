// The schema of bank files. An invalid file is not loaded, so that no malformed item reaches a child.
import Type, { type Static } from 'typebox';
import { gradeBands, itemTypes } from './item.ts';

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1 });
const NullableText = Type.Union([Text, Type.Null()]);
const oneOf = <Value extends string>(values: readonly Value[]) => Type.Unsafe<Value>(Type.Enum([...values]));

const ItemOption = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    text: Text,
    /** Files of version 1 have no spoken options. */
    speech: Type.Optional(NullableText),
    audioUrl: NullableText,
    microPattern: NullableText,
    errorFamily: NullableText,
  },
  closed,
);

const Item = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Z_]+-G(12|34)-[0-9]{2}$' }),
    publicId: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    subSkillCode: Type.String({ pattern: '^[A-Z_]+$' }),
    gradeBand: oneOf(gradeBands),
    itemType: oneOf(itemTypes),
    prompt: Type.Object({ text: Text, speech: Text, audioUrl: NullableText, passage: NullableText }, closed),
    options: Type.Array(ItemOption, { minItems: 2 }),
    correctIndex: Type.Integer({ minimum: 0 }),
    difficulty: Type.Number({ minimum: -4, maximum: 4 }),
    calibration: Type.Object({ n: Type.Integer({ minimum: 0 }), version: Text }, closed),
    designedPatterns: Type.Array(Text, { uniqueItems: true }),
    stemGroup: Text,
    expectedSeconds: Type.Integer({ minimum: 1 }),
    status: oneOf(['active', 'withdrawn']),
    withdrawnAt: Type.Optional(Text),
    version: Type.Integer({ minimum: 1 }),
  },
  closed,
);

export const BankFile = Type.Object(
  { version: Type.Integer({ minimum: 1 }), items: Type.Array(Item, { minItems: 1 }) },
  closed,
);
export type BankFile = Static<typeof BankFile>;
