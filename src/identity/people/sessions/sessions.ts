// Sign-in sessions: opened by a login, carried on by refresh tokens that are spent once, ended for good by revocation.
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
import { type AccessTokens, accessTokenSeconds, tokenInvalid } from './tokens.ts';

/** A refresh token lives 30 days from its issue, a session 90 days from its login. */
const refreshLifeMs = 30 * dayMs;
const sessionLifeMs = 90 * dayMs;

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly tokenType: 'Bearer';
}

type SignedIn = Pick<User, 'id' | 'organizationId'>;

/** Opens a session for somebody whose identity has been proven. Default: without a second factor, not by Google. */
export async function openSession(
  trx: Trx,
  tokens: AccessTokens,
  user: SignedIn,
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
 * Spends a refresh token. A token that was spent before is theft or a race: the whole session dies, and that is
 * committed before SESSION_REVOKED is thrown. Unknown or expired: TOKEN_INVALID. What `answer` refuses to say is undone.
 */
export async function refreshSession<Said extends object>(
  services: Pick<Services, 'db' | 'tokens' | 'securityEvents' | 'addressHash'>,
  { refreshToken, clientIp }: { refreshToken: string; clientIp: string },
  now: Date,
  answer: (pair: TokenPair) => Said,
): Promise<Said> {
  const { db, tokens, securityEvents, addressHash } = services;
  const result = await inContext(db, 'SUPER', async (trx): Promise<Said | 'reused'> => {
    const { token, session } = await lockedFamily(trx, refreshToken);
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
    return answer(await issuePair(trx, tokens, session, now));
  });
  if (result === 'reused') throw sessionRevoked();
  return result;
}

/** The row lock on the session lets one of several simultaneous refreshes go first; the rest see a spent token. */
async function lockedFamily(trx: Trx, refreshToken: string): Promise<{ token: RefreshToken; session: AuthSession }> {
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

/** Ends every live session of a user, except one where given. */
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
  ...['s.revokedAt', 's.expiresAt', 's.secondFactor', 't.confirmedSessionId'],
  ...['u.status', 'u.scope', 'u.primaryPersona', 'u.organizationId', 'o.isDemo'],
];

/** The caller behind genuine claims, read on every request so that a revocation counts at once on every process. */
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

/** The same for many, in the context of all organizations: one for each, in their order. */
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
    const isTheirs = row?.userId === claims.userId;
    callers.push(isTheirs ? callerOf(row, claims, now, production) : await reasonOfAbsence(trx, claims));
  }
  return callers;
}

/** Whom a session's row makes the caller, or why nobody. */
function callerOf(row: LiveRow, claims: Claims, now: Date, production: boolean): Actor | AppError {
  if (row.revokedAt !== null || row.status !== 'active' || now >= new Date(row.expiresAt)) return sessionRevoked();
  // The transaction's context came from the token; who may see what is the account's to say.
  if (row.organizationId !== claims.organizationId) return tokenInvalid();
  const isWithheld = production && row.scope === 'SUPER' && !factorShown(row, claims.sessionId);
  const withheld = isWithheld ? needSecondFactor : new Set<Permission>();
  return {
    userId: claims.userId,
    sessionId: claims.sessionId,
    organizationId: row.organizationId,
    persona: row.primaryPersona,
    permissions: new Set(permissionsOf(row.primaryPersona, row.scope).filter((held) => !withheld.has(held))),
    withheld,
    isDemo: row.isDemo ?? false,
  };
}

/** A token that names another organization than the account's hides the session from itself: it is looked for in all. */
async function reasonOfAbsence(trx: Trx, { sessionId, userId, organizationId }: Claims): Promise<AppError> {
  const account = await besides(trx, (reader) =>
    reader('auth_session as s')
      .join('app_user as u', 'u.id', 's.userId')
      .where({ 's.id': sessionId, 's.userId': userId })
      .first('u.organizationId'),
  );
  return account !== undefined && account.organizationId !== organizationId ? tokenInvalid() : sessionRevoked();
}

/** In this session, while the account has a second factor in use: at its login, or when it was confirmed. */
const factorShown = ({ secondFactor, confirmedSessionId }: LiveRow, sessionId: string) =>
  confirmedSessionId !== null && (secondFactor || confirmedSessionId === sessionId);

const sessionRevoked = () => new AppError('SESSION_REVOKED', 'This session has ended; sign in again.');
