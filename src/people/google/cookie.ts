// The cookie that binds a sign-in with Google to the browser that began it: a callback that somebody else was sent is
// worth nothing in another browser.
import { sha256Hex } from '../../platform/pure/canonical-json.ts';
import { isPlainLoopback } from '../sessions/own-address.ts';

const name = '__Host-signin';
/** A browser drops a name with the prefix where the cookie is not Secure, which it cannot be on plain http. */
const plainName = 'signin';
const lifeSeconds = 600;
const maxCookies = 16;

/** Lines of Set-Cookie. On plain loopback the same secret goes out under both names. */
export function signInCookies(ownAddress: string, secret: string): string[] {
  const rest = `Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`;
  if (!isPlainLoopback(ownAddress)) return [`${name}=${secret}; ${rest}; Secure`];
  return [`${name}=${secret}; ${rest}`, `${plainName}=${secret}; ${rest}`];
}

/** Hashes of the secrets that the browser shows; the plain name counts on loopback alone. */
export function shownCookieHashes(ownAddress: string, header: string | undefined): string[] {
  const accepted = isPlainLoopback(ownAddress) ? [name, plainName] : [name];
  return (header ?? '')
    .split(';', maxCookies)
    .map((pair) => pair.trim().split('=', 2))
    .filter(([key = '']) => accepted.includes(key))
    .map(([, secret = '']) => sha256Hex(secret));
}
