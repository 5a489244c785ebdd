// Request and response schemas of the catalogue.
import Type from 'typebox';
import { named, object, oneOf, page, pageQuery } from '#core/http/schemas.ts';
import { deliveryModes } from '#support/interventions/index.ts';
import { CatalogEntry } from '../schemas.ts';

const Code = Type.String({ minLength: 1, maxLength: 64 });

export const CatalogQuery = object({
  ...pageQuery,
  grade: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
  bundle_id: Type.Optional(Code),
  sessionRole: Type.Optional(Code),
  deliveryMode: Type.Optional(oneOf(deliveryModes)),
});

export const CatalogPage = named('SessionCatalog', page(CatalogEntry));
