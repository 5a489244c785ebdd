// Which network addresses are public and belong to one machine. Tenants name the addresses of their learning platforms, and
// none of them may lead into the network of the service. ipaddr.js knows the special-purpose registries of IANA, and takes an
// IPv6 address that embeds an IPv4 address for a special one.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All public unicast addresses of IPv6 are in this block. The package takes the unassigned rest of IPv6 for unicast too. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Returns false also for a text that is no address, for an IPv6 address with a zone and for shortened IPv4 addresses. */
export function isPublicUnicast(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}
