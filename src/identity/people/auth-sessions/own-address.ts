// The public address of the service. It never comes from the request: a forged Host header could redirect a browser, or a
// code, to another site.
import type { Config } from '#core/platform/config/config.ts';

type Addressed = Pick<Config, 'publicUrl' | 'host' | 'port'>;

/** Returns the address without a trailing slash. Without PUBLIC_URL (local trials) it is the address that is listened on. */
export function ownAddress({ publicUrl, host, port }: Addressed): string {
  if (publicUrl !== undefined) return publicUrl.replace(/(?<!\/)\/+$/, '');
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Returns true for plain http on the loopback interface, which needs no TLS. */
export function isPlainLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && (/^127\./.test(hostname) || ['localhost', '[::1]'].includes(hostname));
}
