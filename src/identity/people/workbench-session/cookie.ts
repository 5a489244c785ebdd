// The cookie that holds the refresh token of a workbench session: no script of the page reads it, and browsers send it to the
// three operations of the session alone.
import { cookieValues } from '../auth-sessions/cookie-values.ts';

export const sessionPath = '/api/workbench/session';

/** Browsers reject the prefix without TLS; with it, a page that was received without TLS cannot set the cookie. */
const nameAt = (ownAddress: string) => (isSecure(ownAddress) ? '__Secure-workbench' : 'workbench');
const isSecure = (ownAddress: string) => new URL(ownAddress).protocol === 'https:';

const cookie = (ownAddress: string, token: string, lifeSeconds: number) =>
  [
    `${nameAt(ownAddress)}=${token}`,
    `Path=${sessionPath}`,
    `Max-Age=${lifeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure(ownAddress) ? ['Secure'] : []),
  ].join('; ');

/** Returns the Set-Cookie header. */
export const refreshCookie = (ownAddress: string, token: string, lifeMs: number): string =>
  cookie(ownAddress, token, lifeMs / 1000);

/** Returns the Set-Cookie header that removes the cookie. */
export const removedCookie = (ownAddress: string): string => cookie(ownAddress, '', 0);

/**
 * Returns the refresh token in the Cookie header. Two different ones are none: the other one was set by a neighbouring site, to
 * let the person work in the session of an attacker.
 */
export function refreshTokenIn(ownAddress: string, header: string | undefined): string | undefined {
  const [token, ...others] = new Set(cookieValues(header, [nameAt(ownAddress)]));
  return others.length === 0 && token !== '' ? token : undefined;
}
