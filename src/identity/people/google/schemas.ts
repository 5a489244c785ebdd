// Schemas of the handoff of a sign-in by redirect.
import Type from 'typebox';
import { named } from '#core/http/schemas.ts';
import { FactorCode } from '../credentials/schemas.ts';

/** RFC 7636: base64url of a SHA-256 hash, and the verifier that is hashed. */
export const HandoffChallenge = named(
  'HandoffChallenge',
  Type.String({ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]{43}$' }),
);
const CodeVerifier = named(
  'CodeVerifier',
  Type.String({ minLength: 43, maxLength: 128, pattern: '^[A-Za-z0-9._~-]{43,128}$' }),
);

/** The body of the exchange of a code. */
export const exchangeFields = {
  code: Type.String({ minLength: 1, maxLength: 512 }),
  codeVerifier: Type.Optional(CodeVerifier),
  totp: Type.Optional(FactorCode),
};
