// The JSON Schema of the passage file. An invalid file is refused.
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

/** A marking rule for the teacher: a frequent behaviour of readers and its mark. */
const MarkingRule = Type.Object(
  {
    code: Type.String({ pattern: '^[a-z_]+$' }),
    mark: Type.String({ pattern: '^[a-z_]+$' }),
    ar: Type.String({ minLength: 1 }),
    en: Type.String({ minLength: 1 }),
  },
  closed,
);

export const PassageFile = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    /** Version 1 has no guide. A reading pins the version, so the guide used for it is known. */
    markingGuide: Type.Optional(Type.Array(MarkingRule, { minItems: 1 })),
    passages: Type.Array(PassageEntry, { minItems: 1 }),
  },
  closed,
);
