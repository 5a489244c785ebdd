// Schemas of the descriptions of bands.
import Type from 'typebox';
import { named, object, oneOf } from '#core/http/schemas.ts';
import { bandAudiences, studentBands } from '../../aggregates/index.ts';

const Audience = oneOf(bandAudiences);

export const AudienceQuery = object({ audience: Type.Optional(Audience) });

export const BandDescriptions = named(
  'BandDescriptions',
  object({
    audience: Audience,
    ruleVersion: Type.String({ pattern: '^band-descriptions/[a-z]+@[1-9][0-9]*$' }),
    items: Type.Array(object({ band: oneOf(studentBands), labelAr: Type.String(), descriptionAr: Type.String() })),
  }),
);
