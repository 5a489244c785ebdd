// Schemas that several operations of roster imports share.
import Type from 'typebox';
import { Cuid, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { connectionStatuses, providers } from './enums.ts';

/** A path with another provider is not found. */
export const ProviderName = named('LmsProvider', oneOf(providers));
export const providerParams = object({ provider: ProviderName });

/** The id of a course or person at the provider. It has no control characters. */
export const ExternalLmsId = named(
  'ExternalLmsId',
  Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
);

/** SUPER callers have no organization of their own and name one here. */
export const forOrganization = { organizationId: Type.Optional(Cuid) };

export const LmsConnectionView = named(
  'LmsConnection',
  object({
    id: Cuid,
    provider: ProviderName,
    connectionStatus: oneOf(connectionStatuses),
    lastSyncAt: nullable(Timestamp),
  }),
);
