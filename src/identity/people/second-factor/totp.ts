// Time-based one-time codes (RFC 6238): six digits of SHA-1, thirty seconds each, as every authenticator app makes them.
import { Secret, TOTP } from 'otpauth';

const issuer = 'Literacy service';
const periodSeconds = 30;
/** One step back and one ahead: clocks differ, and people type slowly. */
const window = 1;
/** RFC 4226, 4: 160 bits. */
const secretBytes = 20;

export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: periodSeconds, secret: Secret.fromBase32(secret) });

/** What an authenticator app reads from a picture. */
export const otpauthUrl = (secret: string, label: string): string => totpOf(secret, label).toString();

/** The time step that a code belongs to, by which it is spent; undefined: none near `now`. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now.getTime(), window });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
}
