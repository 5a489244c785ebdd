// Shapes that several operations of roster imports share.
import Type from 'typebox';
import { Cuid, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { connectionStatuses, providers } from './enums.ts';

/** Any other provider is an address that leads nowhere. */
export const ProviderName = named('LmsProvider', oneOf(providers));
export const providerParams = object({ provider: ProviderName });

/** What a provider calls a course or a person: no controls. */
export const ExternalLmsId = named(
  'ExternalLmsId',
  Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
);

/** Given by SUPER callers, whose own organization is none. */
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
