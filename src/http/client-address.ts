// Who is really calling, for limits: forwarding headers count only as far as our own proxies wrote them.
import type { IncomingMessage } from 'node:http';

/**
 * The right-most address that no trusted proxy wrote. With `trustProxy` 0 the header is ignored; with n, the n last
 * hops are ours, so the n-th address from the right is what our outermost proxy saw.
 */
export function clientAddress(request: IncomingMessage, trustProxy: number): string {
  const socketAddress = request.socket.remoteAddress ?? 'unknown';
  if (trustProxy === 0) return socketAddress;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return forwarded.at(-trustProxy) ?? forwarded[0] ?? socketAddress;
}
