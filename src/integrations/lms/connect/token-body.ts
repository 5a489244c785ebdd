// The body of a request that connects a platform without a redirect.
import Type, { type Static } from 'typebox';
import { Cuid, named, object, oneOf } from '#core/http/schemas.ts';

export const tokenBodyLimitBytes = 20 * 1024 * 1024;
/** In a form the files are not encoded. */
const contentBase64 = Type.String({ maxLength: 4 * Math.ceil(tokenBodyLimitBytes / 3), format: 'base64' });

const SentFile = named('LmsSentFile', object({ name: Type.String({ minLength: 1, maxLength: 255 }), contentBase64 }));

const CsvTokenBody = named(
  'LmsCsvTokenBody',
  object({
    type: Type.Literal('csv'),
    organizationId: Type.Optional(Cuid),
    /** OneRoster files, or one archive of them. */
    files: Type.Array(SentFile, { minItems: 1, maxItems: 100 }),
  }),
);

const address = Type.String({ minLength: 1, maxLength: 2048 });

const RestTokenBody = named(
  'LmsRestTokenBody',
  object({
    type: Type.Literal('rest'),
    organizationId: Type.Optional(Cuid),
    /** The part before `/ims/oneroster/…`, or the root of one version. */
    baseUrl: address,
    /** These three are required unless `auth` is `bearer`. */
    tokenUrl: Type.Optional(address),
    clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    clientSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    scope: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    /** Default: HTTP Basic. `bearer` is a fixed token that cannot be renewed. */
    auth: Type.Optional(
      named(
        'LmsRestAuth',
        object({
          type: oneOf(['basic', 'body', 'bearer']),
          token: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
        }),
      ),
    ),
  }),
);
export type RestTokenBody = Static<typeof RestTokenBody>;

/** Files, or the address and credentials of a OneRoster service. */
export const TokenBody = named(
  'LmsTokenBody',
  Type.Unsafe<Static<typeof CsvTokenBody> | RestTokenBody>({
    type: 'object',
    discriminator: { propertyName: 'type' },
    required: ['type'],
    oneOf: [CsvTokenBody, RestTokenBody],
  }),
);

export type TokenBody = Static<typeof TokenBody>;
