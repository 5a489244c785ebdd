// What an administrator hands over to connect a platform without a redirect.
import Type, { type Static } from 'typebox';
import { Cuid, named, object, oneOf } from '#core/http/schemas.ts';

export const tokenBodyLimitBytes = 20 * 1024 * 1024;
/** A form holds the bytes of a file as they are. */
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
    /** What stands before `/ims/oneroster/…`, or the root of one version. */
    baseUrl: address,
    /** These three are needed but where `auth` is `bearer`. */
    tokenUrl: Type.Optional(address),
    clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    clientSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    scope: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    /** Default: HTTP Basic. `bearer` shows a token that cannot be renewed. */
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

/** Files, or what a OneRoster service is reached with. */
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
