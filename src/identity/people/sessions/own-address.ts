// Where the service is reached from outside. Never asked of the request: whoever writes its Host could send a browser, or
// a code, elsewhere.
import type { Config } from '#core/platform/config/config.ts';

type Addressed = Pick<Config, 'publicUrl' | 'host' | 'port'>;

/** Without a slash at its end. On loopback, for trials, PUBLIC_URL may be missing: then it is where the service listens. */
export function ownAddress({ publicUrl, host, port }: Addressed): string {
  if (publicUrl !== undefined) return publicUrl.replace(/(?<!\/)\/+$/, '');
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Plain http on the own machine, where nobody listens in between. */
export function isPlainLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && (/^127\./.test(hostname) || ['localhost', '[::1]'].includes(hostname));
}
