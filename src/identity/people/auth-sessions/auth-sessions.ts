// Auth sessions: opened by a login, continued by single-use refresh tokens, ended permanently by revocation.
import type { Actor, Claims } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import { besides, inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { newId, newSecret } from '#core/platform/ids.ts';
import { lockRows } from '#core/platform/locks.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import {
  needSecondFactor,
  type Permission,
  type Persona,
  permissionsOf,
  type UserScope,
} from '../records/permissions.ts';
import { AuthSession, RefreshToken, type RevokeReason, type User } from '../records/users.ts';
import { type AccessTokens, accessTokenSeconds, tokenInvalid } from './access-tokens.ts';

/** Lifetimes: 30 days for a refresh token from its issue, 90 days for a session from its login. */
export const refreshLifeMs = 30 * dayMs;
const sessionLifeMs = 90 * dayMs;

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly tokenType: 'Bearer';
}

/**
 * Makes the response from the tokens of a session, in the transaction that issues them: if it throws, no session was opened
 * and no token was spent.
 */
export type Respond<Result> = (pair: TokenPair, trx: Trx) => Result | Promise<Result>;

type AccountKey = Pick<User, 'id' | 'organizationId'>;

/** Opens a session for a person whose identity was proven. Default: without a second factor, not by Google. */
export async function openSession(
  trx: Trx,
  tokens: AccessTokens,
  user: AccountKey,
  now: Date,
  { secondFactor = false, openedBy = 'other' }: Partial<Pick<AuthSession, 'secondFactor' | 'openedBy'>> = {},
): Promise<TokenPair> {
  const session = {
    id: newId(),
    organizationId: user.organizationId,
    userId: user.id,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + sessionLifeMs).toISOString(),
    secondFactor,
    openedBy,
  };
  await AuthSession.query(trx).insert(session);
  return issuePair(trx, tokens, session, now);
}

async function issuePair(
  trx: Trx,
  tokens: AccessTokens,
  session: Pick<AuthSession, 'id' | 'organizationId' | 'userId' | 'expiresAt'>,
  now: Date,
): Promise<TokenPair> {
  const refreshToken = newSecret();
  await RefreshToken.query(trx).insert({
    tokenHash: sha256Hex(refreshToken),
    organizationId: session.organizationId,
    sessionId: session.id,
    issuedAt: now.toISOString(),
    expiresAt: new Date(Math.min(now.getTime() + refreshLifeMs, Date.parse(session.expiresAt))).toISOString(),
  });
  const claims = { userId: session.userId, sessionId: session.id, organizationId: session.organizationId };
  return {
    accessToken: await tokens.issue(claims, now),
    refreshToken,
    expiresIn: accessTokenSeconds,
    tokenType: 'Bearer',
  };
}

/**
 * Spends a refresh token and issues a new pair. A spent token means theft or a race: the session is revoked, which commits
 * before SESSION_REVOKED is thrown. Throws TOKEN_INVALID for an unknown or expired token. If `respond` throws, the spending
 * is rolled back.
 */
export async function refreshSession<Result extends object>(
  services: Pick<Services, 'db' | 'tokens' | 'securityEvents' | 'addressHash'>,
  { refreshToken, clientIp }: { refreshToken: string; clientIp: string },
  now: Date,
  respond: Respond<Result>,
): Promise<Result> {
  const { db, tokens, securityEvents, addressHash } = services;
  const result = await inContext(db, 'SUPER', async (trx): Promise<Result | 'reused'> => {
    const { token, session } = await lockTokenFamily(trx, refreshToken);
    if (session.revokedAt !== null) throw sessionRevoked();
    if (token.usedAt !== null) {
      await revoke(trx, [session.id], 'refresh_reuse', now);
      const { id: sessionId, organizationId, userId } = session;
      const event = { organizationId, userId, addressHash: addressHash(clientIp), details: { sessionId }, at: now };
      await securityEvents.recordWith(trx, { kind: 'refresh_reuse', ...event });
      return 'reused';
    }
    if (now >= new Date(token.expiresAt) || now >= new Date(session.expiresAt)) throw tokenInvalid();
    await RefreshToken.query(trx).findById(token.tokenHash).patch({ usedAt: now.toISOString() });
    return respond(await issuePair(trx, tokens, session, now), trx);
  });
  if (result === 'reused') throw sessionRevoked();
  return result;
}

/** Locks the session, so that of several concurrent refreshes one succeeds and the others see a spent token. */
async function lockTokenFamily(trx: Trx, refreshToken: string): Promise<{ token: RefreshToken; session: AuthSession }> {
  const tokenHash = sha256Hex(refreshToken);
  const known = await RefreshToken.query(trx).findById(tokenHash).select('sessionId');
  const session = known && (await lockRows('authSession', 'change', AuthSession.query(trx).findById(known.sessionId)));
  const token = session && (await RefreshToken.query(trx).findById(tokenHash));
  if (!token || !session) throw tokenInvalid();
  return { token, session };
}

export async function revoke(trx: Trx, sessionIds: readonly string[], reason: RevokeReason, now: Date): Promise<void> {
  await AuthSession.query(trx)
    .whereIn('id', [...sessionIds])
    .whereNull('revokedAt')
    .patch({ revokedAt: now.toISOString(), revokedReason: reason });
}

/** Revokes every live session of a user, except the session `except`. */
export async function revokeAllOf(
  trx: Trx,
  userId: number,
  reason: RevokeReason,
  now: Date,
  except?: string,
): Promise<void> {
  const sessions = await AuthSession.query(trx).select('id').where({ userId }).whereNull('revokedAt');
  await revoke(
    trx,
    sessions.map(({ id }) => id).filter((id) => id !== except),
    reason,
    now,
  );
}

interface LiveRow {
  revokedAt: string | null;
  expiresAt: string;
  status: string;
  scope: UserScope;
  primaryPersona: Persona;
  organizationId: string | null;
  isDemo: boolean | null;
  secondFactor: boolean;
  /** The session in which the second factor came into use; null without one. */
  confirmedSessionId: string | null;
}

const liveColumns = [
  's.revokedAt',
  's.expiresAt',
  's.secondFactor',
  't.confirmedSessionId',
  'u.status',
  'u.scope',
  'u.primaryPersona',
  'u.organizationId',
  'o.isDemo',
];

/** Returns the caller of verified claims. It is read on every request, so that a revocation takes effect immediately. */
export async function authenticate(trx: Trx, claims: Claims, now: Date, production = false): Promise<Actor> {
  const row: LiveRow | undefined = await trx('auth_session as s')
    .join('app_user as u', 'u.id', 's.userId')
    .leftJoin('organization as o', 'o.id', 'u.organizationId')
    .leftJoin('totp as t', 't.userId', 'u.id')
    .where({ 's.id': claims.sessionId, 's.userId': claims.userId })
    .options(keptPlan)
    .first(liveColumns);
  if (!row) throw await reasonOfAbsence(trx, claims);
  const caller = callerOf(row, claims, now, production);
  if (caller instanceof AppError) throw caller;
  return caller;
}

/** Authenticates many claims in one statement, in the SUPER context. Returns a caller or an error for each, in order. */
export async function authenticateAll(
  trx: Trx,
  all: readonly Claims[],
  now: Date,
  production = false,
): Promise<(Actor | AppError)[]> {
  const rows = await rowsOf<LiveRow & { readonly sessionId: string; readonly userId: number }>(
    trx,
    `select s.id as session_id, s.user_id, s.revoked_at, s.expires_at, s.second_factor, t.confirmed_session_id, u.status,
       u.scope, u.primary_persona, u.organization_id, o.is_demo
     from (select distinct * from unnest(:organizationIds::text[], :sessionIds::text[])) c (organization_id, session_id)
       join auth_session s on s.organization_id = c.organization_id and s.id = c.session_id
       join app_user u on u.organization_id = s.organization_id and u.id = s.user_id
       left join organization o on o.id = u.organization_id
       left join totp t on t.organization_id = u.organization_id and t.user_id = u.id`,
    {
      organizationIds: all.map(({ organizationId }) => storedOrganization(organizationId)),
      sessionIds: all.map(({ sessionId }) => sessionId),
    },
  );
  const bySession = new Map(rows.map((row) => [row.sessionId, row]));
  const callers: (Actor | AppError)[] = [];
  for (const claims of all) {
    const row = bySession.get(claims.sessionId);
    const isOwner = row?.userId === claims.userId;
    callers.push(isOwner ? callerOf(row, claims, now, production) : await reasonOfAbsence(trx, claims));
  }
  return callers;
}

/** Returns the caller of a session's row, or the error for an invalid session. */
function callerOf(row: LiveRow, claims: Claims, now: Date, production: boolean): Actor | AppError {
  if (row.revokedAt !== null || row.status !== 'active' || now >= new Date(row.expiresAt)) return sessionRevoked();
  // The token chose the transaction's context; the account's organization is authoritative.
  if (row.organizationId !== claims.organizationId) return tokenInvalid();
  const isWithheld = production && row.scope === 'SUPER' && !hasVerifiedFactor(row, claims.sessionId);
  const withheld = isWithheld ? needSecondFactor : new Set<Permission>();
  return {
    userId: claims.userId,
    sessionId: claims.sessionId,
    organizationId: row.organizationId,
    persona: row.primaryPersona,
    permissions: new Set(
      permissionsOf(row.primaryPersona, row.scope).filter((permission) => !withheld.has(permission)),
    ),
    withheld,
    isDemo: row.isDemo ?? false,
  };
}

/** Finds out why a session was not visible: row-level security hides it when the token names another organization. */
async function reasonOfAbsence(trx: Trx, { sessionId, userId, organizationId }: Claims): Promise<AppError> {
  const account = await besides(trx, (reader) =>
    reader('auth_session as s')
      .join('app_user as u', 'u.id', 's.userId')
      .where({ 's.id': sessionId, 's.userId': userId })
      .first('u.organizationId'),
  );
  return account !== undefined && account.organizationId !== organizationId ? tokenInvalid() : sessionRevoked();
}

/** True when the second factor was verified in this session: at its login, or when the factor was confirmed. */
const hasVerifiedFactor = ({ secondFactor, confirmedSessionId }: LiveRow, sessionId: string) =>
  confirmedSessionId !== null && (secondFactor || confirmedSessionId === sessionId);

const sessionRevoked = () => new AppError('SESSION_REVOKED', 'This session has ended; sign in again.');
