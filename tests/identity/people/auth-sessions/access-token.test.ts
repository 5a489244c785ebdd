// Forged, foreign and expired access tokens, made by an independent signer from the same key material.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { decodeProtectedHeader, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildOrganization,
  buildSuperAdmin,
  buildUser,
  openSessionOf,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test);

/** The seed of the test service's signing key. */
const seed = Buffer.alloc(32, 1);
const ed25519 = (bytes: Buffer): KeyObject =>
  createPrivateKey({
    key: { kty: 'OKP', crv: 'Ed25519', d: bytes.toString('base64url'), x: publicPart(bytes) },
    format: 'jwk',
  });

/** Returns the public part, which Node needs in a JWK, derived from the RFC 8410 encoding of the same seed. */
function publicPart(bytes: Buffer): string {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), bytes]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return String(key.export({ format: 'jwk' }).x);
}

interface Genuine {
  readonly token: string;
  readonly header: { readonly kid: string };
  readonly payload: JWTPayload;
}

const genuine = async (): Promise<Genuine> => tokenOf(await buildUser(app.database.owner, 'TEACHER'));

async function tokenOf(user: UserRow): Promise<Genuine> {
  const { accessToken: token } = await openSessionOf(app, user);
  const payload = JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString());
  return { token, header: { kid: String(decodeProtectedHeader(token).kid) }, payload };
}

interface Change {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly key?: KeyObject;
}

/** Signs a genuine token again, with changes. */
function signed({ header, payload }: Genuine, change: Change = {}): Promise<string> {
  return new SignJWT({ ...payload, ...change.payload })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: header.kid, ...change.header })
    .sign(change.key ?? ed25519(seed));
}

async function codeFor(authorization: string | undefined): Promise<string | undefined> {
  const headers = authorization === undefined ? {} : { authorization };
  const { status, body } = await app.get<{ code?: string }>('/api/auth/me', { headers });
  assert.is(status, body.code === undefined ? 200 : 401);
  return body.code;
}

const bearer = async (token: string | Promise<string>) => codeFor(`Bearer ${await token}`);

test('an unchanged token of the test signer is accepted', async () => {
  assert.is(await bearer(signed(await genuine())), undefined);
});

test('no Authorization header: TOKEN_MISSING', async () => {
  assert.is(await codeFor(undefined), 'TOKEN_MISSING');
});

test('another scheme or shape: TOKEN_INVALID', async () => {
  const { token } = await genuine();
  for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${token}`, token, 'Bearer a.b', `Bearer ${token} x`]) {
    assert.is(await codeFor(authorization), 'TOKEN_INVALID', authorization.slice(0, 20));
  }
});

test('alg none: TOKEN_INVALID', async () => {
  const { payload, header } = await genuine();
  assert.is(await bearer(new UnsecuredJWT(payload).encode()), 'TOKEN_INVALID');
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${part({ alg: 'none', typ: 'at+jwt', kid: header.kid })}.${part(payload)}`;
  assert.is(await bearer(`${unsigned}.`), 'TOKEN_INVALID');
  assert.is(await bearer(`${unsigned}.AAAA`), 'TOKEN_INVALID');
});

test('HS256 with the public key as the secret: TOKEN_INVALID', async () => {
  const token = await genuine();
  const publicKey = createPublicKey(ed25519(seed));
  const forms = [
    publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    publicKey.export({ format: 'der', type: 'spki' }),
    Buffer.from(publicPart(seed), 'base64url'),
  ];
  for (const secret of forms) {
    const forged = new SignJWT(token.payload)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: token.header.kid })
      .sign(Buffer.from(secret));
    assert.is(await bearer(forged), 'TOKEN_INVALID');
  }
});

const forgeries: Readonly<Record<string, Change>> = {
  'an unknown kid': { header: { kid: 'another person' } },
  'no kid': { header: { kid: undefined } },
  'another key under our kid': { key: ed25519(Buffer.alloc(32, 9)) },
  'another type': { header: { typ: 'JWT' } },
  'no type': { header: { typ: undefined } },
  'another issuer': { payload: { iss: 'somebody-else' } },
  'no issuer': { payload: { iss: undefined } },
  'another audience': { payload: { aud: 'another-api' } },
  'no subject': { payload: { sub: undefined } },
  'a subject that is no id': { payload: { sub: 'me' } },
  'no session': { payload: { sid: undefined } },
  'a session that is no text': { payload: { sid: 7 } },
  'no expiry': { payload: { exp: undefined } },
};

for (const [what, change] of Object.entries(forgeries)) {
  test(`${what}: TOKEN_INVALID`, async () => {
    assert.is(await bearer(signed(await genuine(), change)), 'TOKEN_INVALID');
  });
}

test('any changed letter of the token: TOKEN_INVALID', async () => {
  const { token } = await genuine();
  const parts = token.split('.');
  for (const [index, part] of parts.entries()) {
    const changed = (part[5] === 'A' ? 'B' : 'A') + part.slice(6);
    const tampered = parts.with(index, part.slice(0, 5) + changed).join('.');
    assert.is(await bearer(tampered), 'TOKEN_INVALID', `part ${index}`);
  }
});

test('a cached token is accepted until it expires; similar tokens are refused', async () => {
  const own = await genuine();
  const [head, body, signature] = own.token.split('.');
  const other = await signed(own, { payload: { exp: Number(own.payload.exp) + 900 } });
  for (let time = 0; time < 3; time++) {
    assert.is(await bearer(own.token), undefined);
    assert.is(await bearer(other), undefined);
    assert.is(await bearer([head, body, other.split('.')[2]].join('.')), 'TOKEN_INVALID');
    assert.is(await bearer([head, other.split('.')[1], signature].join('.')), 'TOKEN_INVALID');
  }
  app.clock.advance(900_000);
  assert.is(await bearer(own.token), 'TOKEN_EXPIRED');
  assert.is(await bearer(other), undefined);
});

test('a session that does not exist or belongs to another account: SESSION_REVOKED', async () => {
  const [mine, theirs] = [await genuine(), await genuine()];
  assert.is(await bearer(signed(mine, { payload: { sid: 'aaaaaaaaaaaaaaaaaaaaaaaa' } })), 'SESSION_REVOKED');
  assert.is(await bearer(signed(mine, { payload: { sub: theirs.payload.sub } })), 'SESSION_REVOKED');
});

test('a token that names no organization, for an account that has one: TOKEN_INVALID', async () => {
  const own = await genuine();
  assert.is.not(own.payload.org, null);
  assert.is(await bearer(signed(own, { payload: { org: null } })), 'TOKEN_INVALID');
});

test('a token lives 900 seconds', async () => {
  const { token, payload } = await genuine();
  assert.is(Number(payload.exp) - Number(payload.iat), 900);
  app.clock.advance(899_000);
  assert.is(await bearer(token), undefined);
  app.clock.advance(1_000);
  assert.is(await bearer(token), 'TOKEN_EXPIRED');
});

test('two tokens of one session and one second differ', async () => {
  const user = await buildUser(app.database.owner, 'TEACHER');
  const { id: userId, organizationId } = user;
  const claims = { userId, organizationId, sessionId: 'one session' };
  const issue = () => app.services.tokens.issue(claims, app.clock.now());
  const tokens = await Promise.all(Array.from({ length: 50 }, issue));
  assert.is(new Set(tokens).size, 50);
});

test('a token that names another organization than that of the account: TOKEN_INVALID', async () => {
  const one = await genuine();
  const other = await buildOrganization(app.database.owner);
  const superAdmin = await tokenOf(await buildSuperAdmin(app.database.owner));
  for (const [token, org] of [
    [one, other.id],
    [one, 'a'.repeat(24)],
    [one, null],
    [superAdmin, other.id],
  ] as const) {
    assert.is(await bearer(signed(token, { payload: { org } })), 'TOKEN_INVALID', String(org));
  }
  assert.is(await bearer(signed(one, { payload: { sid: 'a'.repeat(24) } })), 'SESSION_REVOKED');
});

test.run();
