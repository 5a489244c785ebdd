// Time-based one-time codes (RFC 6238): six digits, SHA-1, 30 seconds, the parameters that authenticator apps support.
import { Secret, TOTP } from 'otpauth';
import { typedCode } from '#core/platform/pure/typed-text.ts';

const issuer = 'Literacy service';
const periodSeconds = 30;
/** Accepts one step back and one ahead, because clocks differ and typing takes time. */
const window = 1;
/** RFC 4226, section 4: 160 bits. */
const secretBytes = 20;

export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: periodSeconds, secret: Secret.fromBase32(secret) });

/** Returns the URI that authenticator apps scan. */
export const otpauthUrl = (secret: string, label: string): string => totpOf(secret, label).toString();

/** Returns the time step of a code as typed, by which it is spent; undefined when the code is not valid around `now`. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const token = typedCode(code);
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret, '').validate({ token, timestamp: now.getTime(), window });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
}
