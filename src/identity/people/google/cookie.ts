// The cookie that binds an authorization with Google to the browser that began it: a callback URL does not work in another
// browser.
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { cookieValues } from '../auth-sessions/cookie-values.ts';
import { isPlainLoopback } from '../auth-sessions/own-address.ts';

/** The flow to which the browser is bound. */
export type CookiePurpose = 'signin' | 'lms';

/** Browsers reject this prefix unless the cookie is Secure, which is impossible over plain http. */
const hostName = (purpose: CookiePurpose) => `__Host-${purpose}`;
const lifeSeconds = 600;

/** Returns the Set-Cookie headers. On plain http loopback the secret is set under both names. */
export function bindingCookies(purpose: CookiePurpose, ownAddress: string, secret: string): string[] {
  const rest = `Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`;
  if (!isPlainLoopback(ownAddress)) return [`${hostName(purpose)}=${secret}; ${rest}; Secure`];
  return [`${hostName(purpose)}=${secret}; ${rest}`, `${purpose}=${secret}; ${rest}`];
}

/** Returns the hashes of the secrets in the Cookie header; the name without prefix counts on loopback only. */
export function shownCookieHashes(purpose: CookiePurpose, ownAddress: string, header: string | undefined): string[] {
  const accepted = isPlainLoopback(ownAddress) ? [hostName(purpose), purpose] : [hostName(purpose)];
  return cookieValues(header, accepted).map(sha256Hex);
}
