// Decides which addresses named by a tenant may be requested, and where a connection to them may lead. The addresses of a host
// name are checked while its socket connects, so that a name which resolves to another address after the check has no effect.
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressNotAllowed } from './failures.ts';
import { isPublicUnicast } from './public-addresses.ts';

export interface AddressGuard {
  /** Throws HttpFailure `address` for a URL that is not https, carries credentials or names an address that is not public. */
  check(url: URL): void;
  /** Returns the `lookup` option of a socket, or undefined when the host is trusted. */
  lookupFor(url: URL): LookupFunction | undefined;
}

export type ResolveHost = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveAll: ResolveHost = (host, done) => lookup(host, { all: true }, done);

/** `trustedHosts`: `host:port` in lower case; these may use plain http and any address. */
export function createAddressGuard(trustedHosts: ReadonlySet<string>, resolve: ResolveHost = resolveAll): AddressGuard {
  const isTrusted = (url: URL) => trustedHosts.has(hostAndPort(url));
  return {
    check(url) {
      const hasCredentials = url.username !== '' || url.password !== '';
      const isEncrypted = url.protocol === 'https:' || (url.protocol === 'http:' && isTrusted(url));
      const host = hostWithoutBrackets(url);
      const isClosed = isIP(host) !== 0 && !isTrusted(url) && !isPublicUnicast(host);
      if (hasCredentials || !isEncrypted || isClosed) throw addressNotAllowed();
    },
    lookupFor: (url) => (isTrusted(url) ? undefined : publicLookup(resolve)),
  };
}

/** `url.hostname` has brackets around an IPv6 address. */
const hostWithoutBrackets = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

const hostAndPort = ({ protocol, hostname, port }: URL) =>
  `${hostname.toLowerCase()}:${port || (protocol === 'https:' ? '443' : '80')}`;

/** Returns a lookup that finds public unicast addresses only, and fails with HttpFailure `address` when a name has none. */
const publicLookup =
  (resolve: ResolveHost): LookupFunction =>
  (host, { all, family }, done) =>
    resolve(host, (error, addresses) => {
      if (error) return done(error, []);
      const wanted = family === 4 || family === 6 ? addresses.filter((one) => one.family === family) : addresses;
      const open = wanted.filter(({ address }) => isPublicUnicast(address));
      const [first] = open;
      if (!first) return done(addressNotAllowed(), []);
      if (all) return done(null, open);
      return done(null, first.address, first.family);
    });
