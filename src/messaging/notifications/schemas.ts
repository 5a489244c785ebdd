// Schemas of notifications that several rooms share, or that leave through those of others: what a kind says when it is tried.
import Type, { type Static } from 'typebox';
import { mapOf, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { actions, reasonCodes } from '#rules/language/index.ts';

/** Ids, closed words, dates and numbers, as the kind's document says. */
export const Payload = mapOf(
  '^[a-z][A-Za-z0-9]*$',
  nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
);

export type Payload = Static<typeof Payload>;

const Position = Type.Integer({ minimum: 0 });

/** `start`, `end`: UTF-16 units of the text that `field` names, the end excluded. */
const TextViolation = object({
  ...{ field: oneOf(['titleAr', 'bodyAr']), ruleId: Type.String(), start: Position, end: Position },
  ...{ action: oneOf(actions), reasonCode: oneOf(reasonCodes) },
});

export const NotificationTrial = named(
  'NotificationTrial',
  object({
    ...{ titleAr: Type.String(), bodyAr: Type.String(), safe: Type.Boolean() },
    violations: Type.Array(TextViolation),
  }),
);
