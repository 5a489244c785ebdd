// The JSON Schema of the passage file, so that a wrong one is refused before a child reads from it.
import Type from 'typebox';

const closed = { additionalProperties: false };

const Word = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    text: Type.String({ minLength: 1, pattern: '^\\S+$' }),
    line: Type.Integer({ minimum: 1 }),
  },
  closed,
);

const PassageEntry = Type.Object(
  {
    passageId: Type.String({ pattern: '^ORF-G[1-4]-[0-9]{2}$' }),
    grade: Type.Integer({ minimum: 1, maximum: 4 }),
    formFamily: Type.String({ pattern: '^ORF-G[1-4]$' }),
    vowelled: Type.Boolean(),
    titleAr: Type.String({ minLength: 1 }),
    words: Type.Array(Word, { minItems: 1 }),
  },
  closed,
);

export const PassageFile = Type.Object(
  { version: Type.Integer({ minimum: 1 }), passages: Type.Array(PassageEntry, { minItems: 1 }) },
  closed,
);
