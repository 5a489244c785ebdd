// Schemas of celebrations.
import Type from 'typebox';
import { Cuid, IntegerIdText, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { celebrationKinds } from '../engine/enums.ts';

export const Celebration = named(
  'Celebration',
  object({
    id: Cuid,
    kind: oneOf(celebrationKinds),
    value: Type.Integer({ minimum: 1, description: 'The tier, or the length of the streak.' }),
    createdAt: Timestamp,
    seenAt: nullable(Timestamp),
  }),
);

export const CelebrationList = named('CelebrationList', page(Celebration));

export const CelebrationQuery = object({ ...pageQuery, seen: Type.Optional(Type.Boolean()) });
export const celebrationParams = object({ id: IntegerIdText, celebrationId: Cuid });
