// The cookie that binds a conversation with Google to the browser that began it: a callback that somebody else was sent is
// worth nothing in another browser.
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { isPlainLoopback } from '../sessions/own-address.ts';

/** What the browser is bound for. */
export type CookiePurpose = 'signin' | 'lms';

/** A browser drops a name with the prefix where the cookie is not Secure, which it cannot be on plain http. */
const hostName = (purpose: CookiePurpose) => `__Host-${purpose}`;
const lifeSeconds = 600;
const maxCookies = 16;

/** Lines of Set-Cookie. On plain loopback the same secret goes out under both names. */
export function bindingCookies(purpose: CookiePurpose, ownAddress: string, secret: string): string[] {
  const rest = `Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`;
  if (!isPlainLoopback(ownAddress)) return [`${hostName(purpose)}=${secret}; ${rest}; Secure`];
  return [`${hostName(purpose)}=${secret}; ${rest}`, `${purpose}=${secret}; ${rest}`];
}

/** Hashes of the secrets that the browser shows; the plain name counts on loopback alone. */
export function shownCookieHashes(purpose: CookiePurpose, ownAddress: string, header: string | undefined): string[] {
  const accepted = isPlainLoopback(ownAddress) ? [hostName(purpose), purpose] : [hostName(purpose)];
  return (header ?? '')
    .split(';', maxCookies)
    .map((pair) => pair.trim().split('=', 2))
    .filter(([key = '']) => accepted.includes(key))
    .map(([, secret = '']) => sha256Hex(secret));
}
