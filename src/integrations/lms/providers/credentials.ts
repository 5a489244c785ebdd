// What a connection is opened with. It is stored sealed, and stands in the clear only while a provider is asked.
import type { SealedColumn } from '#core/module/sealing.ts';
import type { SecretCipher } from '#core/platform/keys/cipher.ts';
import type { LmsConnection } from '../connections/rows.ts';
import { ProviderFault } from '../provider.ts';

/** How a service is shown who asks. */
export interface ClientCredentials {
  /** Missing: `basic`. */
  readonly auth?: 'basic' | 'body';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | null;
}

/** A token that was given once and cannot be renewed. */
export interface BearerCredentials {
  readonly auth: 'bearer';
  readonly token: string;
}

export type RestClient = ClientCredentials | BearerCredentials;

export type RestCredentials = RestClient & {
  /** The root of the service, without a slash at its end: `https://…/ims/oneroster/rostering/v1p2`. */
  readonly root: string;
};

export interface GoogleCredentials {
  readonly refreshToken: string;
}

type Owner = Pick<LmsConnection, 'organizationId' | 'provider'>;

/** A sealed text that is moved to another organization or provider opens nothing. */
const contextOf = ({ organizationId, provider }: Owner) => `lms_connection:${organizationId}:${provider}`;

/** The same in the database. */
export const sealedCredentials: SealedColumn = {
  ...{ lock: 'lmsConnection', table: 'lms_connection', id: 'id', column: 'sealed_credentials' },
  context: "'lms_connection:' || organization_id || ':' || provider",
  keyIdColumn: 'credentials_key_id',
};

export interface Sealed {
  readonly sealed: string;
  readonly keyId: string;
}

export function sealCredentials(
  cipher: SecretCipher,
  owner: Owner,
  credentials: RestCredentials | GoogleCredentials,
): Sealed {
  const [keyId = ''] = cipher.keyIds;
  return { sealed: cipher.encrypt(JSON.stringify(credentials), contextOf(owner)), keyId };
}

/** Throws ProviderFault `provider_configuration` where none of the service's keys opens them. */
export function openCredentials<Credentials extends RestCredentials | GoogleCredentials>(
  cipher: SecretCipher,
  connection: LmsConnection,
): Credentials {
  try {
    return JSON.parse(cipher.decrypt(connection.sealedCredentials ?? '', contextOf(connection)));
  } catch {
    throw new ProviderFault('provider_configuration', 'What the provider is reached with cannot be read any more.');
  }
}

/** Whether one of the service's keys opens them. */
export function opensCredentials(cipher: SecretCipher, connection: LmsConnection): boolean {
  try {
    openCredentials(cipher, connection);
    return true;
  } catch {
    return false;
  }
}
