// Request schemas of observations.
import Type, { type Static } from 'typebox';
import { IntegerId, named, object, oneOf, Uuid } from '#core/http/schemas.ts';
import { observationCodes } from '../enums.ts';

const LiveObservation = object({
  clientObservationId: Uuid,
  studentId: IntegerId,
  observationCode: oneOf(observationCodes),
  subSkillCode: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
export type LiveObservationInput = Static<typeof LiveObservation>;

export const LiveObservationsBody = named(
  'LiveObservationsBody',
  object({ observations: Type.Array(LiveObservation, { minItems: 1, maxItems: 50 }) }),
);
