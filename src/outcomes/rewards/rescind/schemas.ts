// Schemas of rescinding a badge.
import Type from 'typebox';
import { IntegerId, IntegerIdText, named, object, oneOf } from '#core/http/schemas.ts';

/** A code of a rule document, not free text. */
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
