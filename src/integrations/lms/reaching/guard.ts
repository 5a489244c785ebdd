// Which addresses that a tenant has named may be asked, and where a connection to them may lead. What a name resolves to is
// looked at while connecting, so that a name cannot lead elsewhere between the check and the connection.
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicUnicast } from './addresses.ts';
import { addressNotAllowed } from './failures.ts';

export interface Guard {
  /** Throws ReachFailure `address` for what is not https, carries a login, or names a closed address. */
  check(url: URL): void;
  /** For sockets: undefined where the host is trusted. */
  lookupFor(url: URL): LookupFunction | undefined;
}

export type Resolve = (host: string, tell: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveAll: Resolve = (host, tell) => lookup(host, { all: true }, tell);

/** `trustedHosts`: `host:port`, lower case, that may be plain http and stand anywhere. */
export function createGuard(trustedHosts: ReadonlySet<string>, resolve: Resolve = resolveAll): Guard {
  const trusted = (url: URL) => trustedHosts.has(hostAndPort(url));
  return {
    check(url) {
      const login = url.username !== '' || url.password !== '';
      const encrypted = url.protocol === 'https:' || (url.protocol === 'http:' && trusted(url));
      const host = hostOf(url);
      const closed = isIP(host) !== 0 && !trusted(url) && !isPublicUnicast(host);
      if (login || !encrypted || closed) throw addressNotAllowed();
    },
    lookupFor: (url) => (trusted(url) ? undefined : publicLookup(resolve)),
  };
}

/** Without the brackets around an IPv6 address. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

const hostAndPort = ({ protocol, hostname, port }: URL) =>
  `${hostname.toLowerCase()}:${port || (protocol === 'https:' ? '443' : '80')}`;

/** Answers public unicast addresses alone. */
const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (host, { all, family }, tell) =>
    resolve(host, (error, addresses) => {
      if (error) return tell(error, []);
      const wanted = family === 4 || family === 6 ? addresses.filter((one) => one.family === family) : addresses;
      const open = wanted.filter(({ address }) => isPublicUnicast(address));
      const [first] = open;
      if (!first) return tell(addressNotAllowed(), []);
      if (all) return tell(null, open);
      return tell(null, first.address, first.family);
    });
