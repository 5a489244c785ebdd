// The rows of people and their sign-ins.
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

/** One row a login; its refresh tokens are its family. */
export class AuthSession extends Row {
  static override tableName = 'auth_session';
  declare id: string;
  declare organizationId: string | null;
  declare userId: number;
  declare createdAt: string;
  declare expiresAt: string;
  declare revokedAt: string | null;
  declare revokedReason: RevokeReason | null;
  /** Shown at the login. */
  declare secondFactor: boolean;
  /** Who has proven the identity: Google, or `other` for all ways of the service's own. */
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

/** The account, locked until the transaction ends: before whatever refers to it, which erasure removes under its own lock. */
export const lockAccount = (
  trx: Trx,
  { id, organizationId }: AccountKey,
  mode: RowMode,
): Promise<(AccountKey & Pick<User, 'status'>) | undefined> =>
  lockRows('account', mode, trx('app_user').where({ organizationId: storedOrganization(organizationId), id })).first(
    ...(['id', 'organizationId', 'status'] as const),
  );
