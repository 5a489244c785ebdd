// Request and response schemas of client logs: closed objects with short texts.
import Type, { type Static } from 'typebox';
import { named, object, oneOf, Timestamp } from '#core/http/schemas.ts';

export const clientLevels = ['warn', 'error'] as const;
export type ClientLevel = (typeof clientLevels)[number];

const ClientLogEntry = named(
  'ClientLogEntry',
  object({
    level: oneOf(clientLevels),
    message: Type.String({ minLength: 1, maxLength: 1000 }),
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_.-]{1,64}$' })),
    url: Type.Optional(Type.String({ maxLength: 2048 })),
    /** By the browser's clock: stored, never relied on. */
    at: Type.Optional(Timestamp),
  }),
);

export const ClientLogBatch = named(
  'ClientLogBatch',
  object({ entries: Type.Array(ClientLogEntry, { minItems: 1, maxItems: 50 }) }),
);

export type ClientLogBatch = Static<typeof ClientLogBatch>;

export const ClientLogReceipt = named(
  'ClientLogReceipt',
  object({ accepted: Type.Integer({ minimum: 0, maximum: 50 }) }),
);
