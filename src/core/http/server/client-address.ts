// The client address that limits count. Forwarding headers are trusted only as far as our own proxies wrote them, and the parts
// that one subscriber can vary at will (ports, the lower half of an IPv6 address) are ignored.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Returns the right-most address that no trusted proxy wrote, in the form of `normalAddress`. With `trustProxy` 0 the header is
 * ignored; with n, the last n hops are ours, so the n-th address from the right is what our outermost proxy saw.
 */
export function clientAddress(request: IncomingMessage, trustProxy: number): string {
  const socketAddress = request.socket.remoteAddress ?? 'unknown';
  if (trustProxy === 0) return normalAddress(socketAddress);
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return normalAddress(forwarded.at(-trustProxy) ?? forwarded[0] ?? socketAddress);
}

const maxLength = 64;

/** Removes port and zone; returns an IPv4 address in IPv6 form as IPv4, and IPv6 as its /64, except the loopback address. */
export function normalAddress(input: string): string {
  const text = withoutPort(input.slice(0, maxLength).toLowerCase());
  const address = text.split('%', 1)[0] ?? '';
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return ipv4Of(groups);
  if (groups.every((group, at) => group === (at === 7 ? 1 : 0))) return '::1';
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/**
 * Returns the /48 of an address that is a /64, because a subscriber with a /48 may choose among 65,536 of them; undefined for all
 * others. `address` has the form of `normalAddress`.
 */
export function networkOf(address: string): string | undefined {
  if (!address.endsWith('::/64')) return undefined;
  return `${address.split(':').slice(0, 3).join(':')}::/48`;
}

/** `1.2.3.4:80`, `[::1]:80`, `[::1]` */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed;
  return isIP(text) === 0 ? text.replace(/^([0-9.]+):[0-9]+$/, '$1') : text;
}

const ipv4Of = (groups: readonly number[]): string =>
  groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');

/** Returns the eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, a, b, c, d) =>
    [256 * Number(a) + Number(b), 256 * Number(c) + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [head = [], tail = []] = hexadecimal.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}
