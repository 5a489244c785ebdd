// Signing keys are rotated by adding a new first key: old tokens remain valid until the old key is removed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AppError } from '#core/platform/errors.ts';
import { accessTokens } from '#identity/people/auth-sessions/access-tokens.ts';

const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const now = new Date('2026-01-15T08:00:00.000Z');
const claims = { userId: 7, sessionId: 'aaaaaaaaaaaaaaaaaaaaaaaa', organizationId: null };

const verdict = (seeds: readonly Buffer[], token: string) =>
  accessTokens(seeds)
    .verify(`Bearer ${token}`, now)
    .catch((error: unknown) => (error instanceof AppError ? error.code : error));

test('a token of the older key is valid while that key is configured', async () => {
  const token = await accessTokens([older]).issue(claims, now);
  assert.equal(await verdict([newer, older], token), claims);
});

test('a token of the older key is refused when that key was removed', async () => {
  const token = await accessTokens([older]).issue(claims, now);
  assert.is(await verdict([newer], token), 'TOKEN_INVALID');
});

test('the first key signs', async () => {
  const token = await accessTokens([newer, older]).issue(claims, now);
  assert.equal(await verdict([newer], token), claims);
  assert.is(await verdict([older], token), 'TOKEN_INVALID');
});

test('the service needs a key', () => {
  assert.throws(() => accessTokens([]), /signing key/);
});

test.run();
