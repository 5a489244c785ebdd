// Combinations of well-formed settings with which the service does not start, most of them in production;
// docs/operations/configuration.md lists them.
import { isIP } from 'node:net';
import type { Config } from './config.ts';

export interface ConfigRefusal {
  /** Begins with the variable to change. It never contains a value, which may be secret. */
  readonly line: string;
  readonly refused: (config: Config) => boolean;
}

const minSaltLength = 16;
const minDemoPasswordLength = 16;
export const minBootstrapTokenLength = 32;

const inProduction = (line: string, refused: ConfigRefusal['refused']): ConfigRefusal => ({
  line,
  refused: (config) => config.production && refused(config),
});

const always: readonly ConfigRefusal[] = [
  {
    line: 'DATABASE_APP_URL is the run-time role of DATABASE_URL; set both or neither.',
    refused: ({ databaseUrl, databaseAppUrl }) => databaseAppUrl !== undefined && databaseUrl === undefined,
  },
  {
    line: 'DATABASE_LISTEN_URL leads past the pooler of DATABASE_APP_URL; set both or neither.',
    refused: ({ databaseListenUrl, databaseAppUrl }) => databaseListenUrl !== undefined && databaseAppUrl === undefined,
  },
  {
    line: 'HOST must be a loopback address while demo logins are seeded; set SEED_DEMO=false to listen elsewhere.',
    refused: ({ production, seedDemo, host }) => !production && seedDemo && !isLoopback(host),
  },
];

const production: readonly ConfigRefusal[] = [
  inProduction(
    'CLOCK_OFFSET_FILE moves the clock and is refused in production.',
    (c) => c.clockOffsetFile !== undefined,
  ),
  inProduction('TOKEN_SIGNING_KEY is required in production.', (c) => c.tokenSigningKey === undefined),
  inProduction('TOKEN_ENCRYPTION_KEY is required in production.', (c) => c.tokenEncryptionKey === undefined),
  inProduction('IP_HASH_SALT is required in production.', (c) => c.ipHashSalt === undefined),
  inProduction(
    `IP_HASH_SALT must have at least ${minSaltLength} characters in production.`,
    (c) => (c.ipHashSalt ?? '').length < minSaltLength,
  ),
  inProduction('DATABASE_URL is required in production.', (c) => c.databaseUrl === undefined),
  inProduction(
    'APPROVER_WAIT_HOURS must not be 0 in production: the author of a rule could create its approver.',
    (c) => c.approverWaitHours === 0,
  ),
  inProduction(
    `SEED_DEMO in production needs a DEMO_PASSWORD of at least ${minDemoPasswordLength} characters.`,
    (c) => c.seedDemo && (c.demoPassword ?? '').length < minDemoPasswordLength,
  ),
  inProduction('LMS_TRUSTED_HOSTS must not hold a link-local address in production.', ({ lms }) =>
    [...lms.trustedHosts].some(isLinkLocal),
  ),
  inProduction('GOOGLE_ISSUER must begin with https:// in production.', (c) => isPlainHttp(c.google.issuer)),
  inProduction(
    'FRONTEND_URL is required in production where a Google client is set.',
    (c) => c.google.clientId !== undefined && c.frontendUrl === undefined,
  ),
  inProduction(
    'PUBLIC_URL is required in production where a Google client is set.',
    (c) => c.google.clientId !== undefined && c.publicUrl === undefined,
  ),
];

/** The message of the first one that applies is printed. */
export const configRefusals: readonly ConfigRefusal[] = [...always, ...production];

const isPlainHttp = (url: string) => new URL(url).protocol === 'http:';

/**
 * Returns whether `host:port` is in 169.254.0.0/16 or fe80::/10, the link-local ranges in which clouds serve secrets; an IPv4
 * address also in its IPv6 form.
 */
function isLinkLocal(trusted: string): boolean {
  if (!URL.canParse(`http://${trusted}`)) return false;
  const address = new URL(`http://${trusted}`).hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) === 4) return address.startsWith('169.254.');
  return isIP(address) === 6 && /^(fe[89ab]|::ffff:a9fe:)/.test(address);
}

/** Returns whether no other machine can reach the address. A name other than `localhost` may resolve to any address. */
export function isLoopback(host: string): boolean {
  const address = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (address === 'localhost' || address === '::1') return true;
  const version4 = address.replace(/^::ffff:/, '');
  return isIP(version4) === 4 && version4.startsWith('127.');
}
