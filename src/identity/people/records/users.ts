// Models of accounts, auth sessions and refresh tokens.
import type { Trx } from '#core/platform/db.ts';
import { lockRows, type RowMode } from '#core/platform/locks.ts';
import { Row } from '#core/platform/model.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { revokeReasons, SessionOpener, UserStatus } from './enums.ts';
import type { Persona, UserScope } from './permissions.ts';

export class User extends Row {
  static override tableName = 'app_user';
  declare id: number;
  declare organizationId: string | null;
  declare scope: UserScope;
  declare primaryPersona: Persona;
  declare email: string | null;
  declare fullNameAr: string | null;
  declare passwordHash: string | null;
  declare status: UserStatus;
  declare seats: string[];
  declare locale: string | null;
  declare externalId: string | null;
  declare createdAt: string;
}

/** One row per login; its refresh tokens are its token family. */
export class AuthSession extends Row {
  static override tableName = 'auth_session';
  declare id: string;
  declare organizationId: string | null;
  declare userId: number;
  declare createdAt: string;
  declare expiresAt: string;
  declare revokedAt: string | null;
  declare revokedReason: RevokeReason | null;
  /** True when a second factor was verified at the login. */
  declare secondFactor: boolean;
  /** The method that proved the identity: Google, or `other` for the service's own methods. */
  declare openedBy: SessionOpener;
}

export type RevokeReason = (typeof revokeReasons)[number];

export class RefreshToken extends Row {
  static override tableName = 'refresh_token';
  static override idColumn = 'tokenHash';
  declare tokenHash: string;
  declare organizationId: string | null;
  declare sessionId: string;
  declare issuedAt: string;
  declare expiresAt: string;
  declare usedAt: string | null;
}

type AccountKey = Pick<User, 'id' | 'organizationId'>;

/** Locks the account until the transaction ends. Call it before rows that refer to it are written, because of erasure. */
export const lockAccount = (
  trx: Trx,
  { id, organizationId }: AccountKey,
  mode: RowMode,
): Promise<(AccountKey & Pick<User, 'status'>) | undefined> =>
  lockRows('account', mode, trx('app_user').where({ organizationId: storedOrganization(organizationId), id })).first(
    ...(['id', 'organizationId', 'status'] as const),
  );
