// Items as authors write them: one file per sub-skill and grade band, ordered from easy to hard.
import Type, { type Static } from 'typebox';
import type { GradeBand } from './item.ts';

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, pattern: '\\S' });
const Word = Type.String({ pattern: '^[a-z][a-z_]*$' });

const SourceDistractor = Type.Object(
  { text: Text, speech: Type.Optional(Text), microPattern: Type.Optional(Word), errorFamily: Type.Optional(Word) },
  closed,
);

export const SourceItem = Type.Object(
  {
    k: Type.Integer({ minimum: 1, maximum: 99 }),
    prompt: Type.Object({ text: Text, speech: Text, passage: Type.Optional(Text) }, closed),
    correct: Text,
    /**
     * The spoken text of the right option where it differs from its text; `speech` of a distractor has the same
     * meaning.
     */
    correctSpeech: Type.Optional(Text),
    distractors: Type.Array(SourceDistractor, { minItems: 2, maxItems: 3 }),
    designedPatterns: Type.Array(Word, { uniqueItems: true }),
    stemGroup: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
    /** English note for later authors; not part of the bank. */
    note: Type.Optional(Text),
  },
  closed,
);
export type SourceItem = Static<typeof SourceItem>;

/** All items of one sub-skill and band. */
export interface SourceCell {
  readonly subSkillCode: string;
  readonly gradeBand: GradeBand;
  readonly items: readonly SourceItem[];
}
