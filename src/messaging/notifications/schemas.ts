// Schemas of notifications that several folders or other capabilities use: a payload, and the result of trying a kind.
import Type, { type Static } from 'typebox';
import { mapOf, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { actions, languageReasonCodes } from '#rules/language/index.ts';

/** Ids, codes, dates and numbers, as the kind's document defines. */
export const Payload = mapOf(
  '^[a-z][A-Za-z0-9]*$',
  nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
);

export type Payload = Static<typeof Payload>;

const Position = Type.Integer({ minimum: 0 });

/** `start` and `end` count UTF-16 units in the text of `field`; the end is excluded. */
const TextViolation = object({
  ...{ field: oneOf(['titleAr', 'bodyAr']), ruleId: Type.String(), start: Position, end: Position },
  ...{ action: oneOf(actions), reasonCode: oneOf(languageReasonCodes) },
});

export const NotificationTrial = named(
  'NotificationTrial',
  object({
    ...{ titleAr: Type.String(), bodyAr: Type.String(), safe: Type.Boolean() },
    violations: Type.Array(TextViolation),
  }),
);
