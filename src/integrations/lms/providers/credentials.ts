// The credentials of a connection. They are stored encrypted and decrypted only for requests to the provider.
import type { EncryptedColumn } from '#core/module/reencryption.ts';
import type { SecretCipher } from '#core/platform/keys/cipher.ts';
import type { LmsConnection } from '../connections/rows.ts';
import { ProviderFault } from '../provider.ts';

/** The OAuth client that the service knows. */
export interface ClientCredentials {
  /** Default: `basic`. */
  readonly auth?: 'basic' | 'body';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | null;
}

/** A fixed token that cannot be renewed. */
export interface BearerCredentials {
  readonly auth: 'bearer';
  readonly token: string;
}

export type RestClient = ClientCredentials | BearerCredentials;

export type RestCredentials = RestClient & {
  /** The root of the service without a slash at its end: `https://…/ims/oneroster/rostering/v1p2`. */
  readonly root: string;
};

export interface GoogleCredentials {
  readonly refreshToken: string;
}

type Owner = Pick<LmsConnection, 'organizationId' | 'provider'>;

/** The context binds the ciphertext to its organization and provider: moved to another row it cannot be decrypted. */
const contextOf = ({ organizationId, provider }: Owner) => `lms_connection:${organizationId}:${provider}`;

/** The encrypted column; `context` is the SQL of `contextOf`. */
export const sealedCredentials: EncryptedColumn = {
  lock: 'lmsConnection',
  table: 'lms_connection',
  id: 'id',
  column: 'sealed_credentials',
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

/** Throws ProviderFault `provider_configuration` when none of the keys of the service decrypts them. */
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

/** Returns whether one of the keys of the service decrypts them. */
export function canOpenCredentials(cipher: SecretCipher, connection: LmsConnection): boolean {
  try {
    openCredentials(cipher, connection);
    return true;
  } catch {
    return false;
  }
}
