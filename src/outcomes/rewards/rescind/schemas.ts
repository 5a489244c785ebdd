// Schemas of taking a badge back.
import Type from 'typebox';
import { IntegerId, IntegerIdText, named, object, oneOf } from '#core/http/schemas.ts';

/** A code of a rule document, and no other word. */
export const RescindBody = object({ overrideCode: Type.String({ minLength: 1, maxLength: 64 }) });

export const RescindedBadge = named(
  'RescindedBadge',
  object({
    studentBadgeId: IntegerId,
    status: oneOf(['rescinded']),
    compensatingXpTransactionId: IntegerId,
    reversalDelta: Type.Integer({ maximum: -1 }),
  }),
);

export const badgeParams = object({ studentBadgeId: IntegerIdText });
