// Models of accounts, auth sessions and refresh tokens.
import type { Trx } from '#core/platform/db.ts';
import { lockRows, type RowMode } from '#core/platform/locks.ts';
import { modelOf, Row } from '#core/platform/model.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { identityProviders, revokeReasons, SessionOpener, UserStatus } from './enums.ts';
import type { Persona, UserScope } from './permissions.ts';

export class User extends Row {
  static override tableName = 'app_user';
  declare id: number;
  declare organizationId: string | null;
  declare scope: UserScope;
  declare primaryPersona: Persona;
  declare email: string | null;
  declare fullNameAr: string | null;
  /** Kept by a trigger; by it names are compared, and people are sorted. */
  declare readonly nameFolded: string;
  declare passwordHash: string | null;
  declare status: UserStatus;
  /** The account that this one was merged into; through several merges, the last. */
  declare mergedIntoId: number | null;
  declare seats: string[];
  declare seatsSince: string | null;
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

/** Who signs in with an account of a provider. */
export class ExternalIdentity extends Row {
  static override tableName = 'external_identity';
  static override idColumn = ['organizationId', 'provider', 'subject'];
  declare organizationId: string;
  declare userId: number;
  declare provider: (typeof identityProviders)[number];
  declare subject: string;
  declare createdAt: string;
  /** Linked by its address, at the first sign-in. */
  declare byEmail: boolean;
  /** The account that it came from by a merge; through several merges, the first. */
  declare mergedFrom: number | null;
}

/** An address that signs in, once in all organizations. */
export class SignInName extends Row {
  static override tableName = 'sign_in_name';
  static override idColumn = 'email';
  declare email: string;
  declare organizationId: string | null;
  declare userId: number;
}

interface TotpRow {
  readonly organizationId: string;
  readonly userId: number;
  readonly encryptedSecret: string;
  readonly enrolledAt: string;
  readonly confirmedAt: string | null;
  readonly confirmedSessionId: string | null;
}

export const Totp = modelOf<TotpRow>('totp', { id: ['organizationId', 'userId'] });

interface FactorOwner {
  readonly organizationId: string;
  readonly userId: number;
}

/** The interval of an accepted code, which is accepted once. */
export const TotpSpentCode = modelOf<FactorOwner & { readonly step: number }>('totp_spent_code', {
  id: ['organizationId', 'userId', 'step'],
});

export const TotpRecoveryCode = modelOf<FactorOwner & { readonly codeHash: string }>('totp_recovery_code', {
  id: ['organizationId', 'userId', 'codeHash'],
});

interface HandoffCodeRow {
  readonly codeHash: string;
  readonly organizationId: string;
  readonly userId: number;
  readonly expiresAt: string;
  readonly handoffChallenge: string | null;
  readonly openedBy: SessionOpener;
  readonly factorAsked: boolean;
  readonly wrongFactors: number;
}

export const HandoffCode = modelOf<HandoffCodeRow>('handoff_code', { id: 'codeHash' });

interface PasswordRecoveryRow {
  readonly codeHash: string;
  readonly organizationId: string;
  readonly userId: number;
  readonly expiresAt: string;
}

export const PasswordRecovery = modelOf<PasswordRecoveryRow>('password_recovery', { id: 'codeHash' });

interface QuickCodeRow {
  readonly organizationId: string;
  readonly studentId: number;
  readonly codeHash: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

export const QuickCode = modelOf<QuickCodeRow>('quick_code', { id: ['organizationId', 'studentId'] });

type AccountKey = Pick<User, 'id' | 'organizationId'>;

/** Locks the account until the transaction ends. Call it before rows that refer to it are written, because of erasure. */
export const lockAccount = (
  trx: Trx,
  { id, organizationId }: AccountKey,
  mode: RowMode,
): Promise<(AccountKey & Pick<User, 'status'>) | undefined> =>
  lockRows('account', mode, User.query(trx).where({ organizationId: storedOrganization(organizationId), id }))
    .select('id', 'organizationId', 'status')
    .first()
    .execute();
