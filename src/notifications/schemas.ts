// Shapes of notifications that leave through the rooms of others: what a kind says when it is tried.
import Type from 'typebox';
import { named, object, oneOf } from '../http/schemas.ts';
import { actions, reasonCodes } from '../language/index.ts';

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
