// What an administrator hands over to connect a platform without a redirect.
import Type from 'typebox';
import { Cuid, named, object } from '../../http/schemas.ts';

const SentFile = named(
  'LmsSentFile',
  object({ name: Type.String({ minLength: 1, maxLength: 255 }), contentBase64: Type.String() }),
);

export const CsvTokenBody = named(
  'LmsCsvTokenBody',
  object({
    type: Type.Literal('csv'),
    organizationId: Type.Optional(Cuid),
    /** OneRoster files, or one archive of them. */
    files: Type.Array(SentFile, { minItems: 1, maxItems: 100 }),
  }),
);

export const tokenBodyLimitBytes = 20 * 1024 * 1024;
