// Access tokens: short-lived, signed with Ed25519, verified without the database.
import { createHash, createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Claims } from '#core/http/route.ts';
import { AppError } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { lruCache } from '#core/platform/pure/lru-cache.ts';

export const accessTokenSeconds = 900;
const issuer = 'literacy-service';
const audience = 'literacy-api';
const algorithm = 'EdDSA';
const tokenType = 'at+jwt';
/** DER of a PKCS #8 Ed25519 private key up to its 32-byte seed (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface AccessTokens {
  issue(claims: Claims, now: Date): Promise<string>;
  /** Throws TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED. */
  verify(authorization: string | undefined, now: Date): Promise<Claims>;
  /** Returns the expiry of the token; throws as `verify` does. */
  endOf(authorization: string | undefined, now: Date): Promise<Date>;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** `seeds` are 32 bytes each. The first key signs and all verify, so that a key can be rotated without ending sessions. */
export function accessTokens(seeds: readonly Buffer[]): AccessTokens {
  const keys = seeds.map(signingKey);
  const [current] = keys;
  if (!current) throw new RangeError('at least one signing key is needed');
  const known = lruCache<Verified>(maxCached);
  const verified = async (authorization: string | undefined, now: Date): Promise<Verified> => {
    const token = tokenIn(authorization);
    const name = hash('sha256', token, 'base64');
    const found = known.get(name) ?? (await verify(keys, token, now));
    known.set(name, found);
    if (found.expiresAt <= secondsOf(now)) throw tokenExpired();
    return found;
  };
  return {
    issue: (claims, now) => sign(current, claims, now),
    verify: async (authorization, now) => (await verified(authorization, now)).claims,
    endOf: async (authorization, now) => new Date(1000 * (await verified(authorization, now)).expiresAt),
  };
}

/** A verified token. It is cached, because a client sends a token many times; only its expiry is checked again. */
interface Verified {
  readonly claims: Claims;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** Capacity of the cache. Its keys are hashes, so that memory contains no list of usable tokens. */
const maxCached = 10_000;

const secondsOf = (now: Date): number => Math.floor(now.getTime() / 1000);

function signingKey(seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return { kid: createHash('sha256').update(spki).digest('base64url').slice(0, 16), privateKey, publicKey };
}

function sign(key: SigningKey, claims: Claims, now: Date): Promise<string> {
  const issuedAt = secondsOf(now);
  return new SignJWT({ sid: claims.sessionId, org: claims.organizationId })
    .setProtectedHeader({ alg: algorithm, kid: key.kid, typ: tokenType })
    .setSubject(String(claims.userId))
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenSeconds)
    .sign(key.privateKey);
}

function tokenIn(authorization: string | undefined): string {
  if (authorization === undefined) throw new AppError('TOKEN_MISSING', 'Sign in: this address needs a bearer token.');
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw tokenInvalid();
  return token;
}

async function verify(keys: readonly SigningKey[], token: string, now: Date): Promise<Verified> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyNamed(keys, kid), {
      algorithms: [algorithm],
      issuer,
      audience,
      typ: tokenType,
      currentDate: now,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
    });
    return { claims: claimsOf(payload), expiresAt: payload.exp ?? 0 };
  } catch (error) {
    throw error instanceof errors.JWTExpired ? tokenExpired() : tokenInvalid();
  }
}

function keyNamed(keys: readonly SigningKey[], kid: string | undefined): KeyObject {
  const key = keys.find((candidate) => candidate.kid === kid);
  if (!key) throw tokenInvalid();
  return key.publicKey;
}

function claimsOf(payload: Readonly<Record<string, unknown>>): Claims {
  const userId = Number(payload.sub);
  const { sid, org } = payload;
  if (!Number.isSafeInteger(userId) || !isId(sid) || (org !== null && !isId(org))) throw tokenInvalid();
  return { userId, sessionId: sid, organizationId: org };
}

const isId = (claim: unknown): claim is string => typeof claim === 'string' && /^[a-z0-9]{1,40}$/.test(claim);

const tokenExpired = () => new AppError('TOKEN_EXPIRED', 'The access token has expired; refresh it.');

export const tokenInvalid = () => new AppError('TOKEN_INVALID', 'The token is not valid; sign in again.');
