// Reads the environment once, at start. A wrong value stops the process with one clear line.

export interface Config {
  readonly nodeEnv: string;
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseAppUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly seedDemo: boolean;
  readonly bootstrapToken: string | undefined;
  readonly frontendUrl: string | undefined;
  /** Number of trusted proxies in front of the service; 0 = the socket's address is the client's. */
  readonly trustProxy: number;
  readonly tokenSigningKey: string | undefined;
  readonly tokenEncryptionKey: string | undefined;
  readonly ipHashSalt: string | undefined;
  readonly google: {
    readonly issuer: string;
    readonly clientId: string | undefined;
    readonly clientSecret: string | undefined;
  };
  readonly logLevel: string;
  readonly rateLimitUserPerMinute: number;
  readonly rateLimitIpPerMinute: number;
  readonly clockOffsetFile: string | undefined;
  readonly workers: 'embedded' | 'none';
}

/** Says in one line which setting is wrong and what it may be. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(environment: Environment): Config {
  const env = settings(environment);
  const nodeEnv = env.oneOf('NODE_ENV', ['development', 'test', 'production'], 'development');
  const production = nodeEnv === 'production';
  const config: Config = {
    nodeEnv,
    production,
    host: env.text('HOST') ?? '127.0.0.1',
    port: env.integer('PORT', 3000, 0, 65_535),
    dataDir: env.text('DATA_DIR') ?? '.data',
    databaseUrl: env.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseAppUrl: env.url('DATABASE_APP_URL', ['postgres:', 'postgresql:']),
    redisUrl: env.url('REDIS_URL', ['redis:', 'rediss:']),
    seedDemo: env.flag('SEED_DEMO', !production),
    bootstrapToken: env.text('BOOTSTRAP_TOKEN'),
    frontendUrl: env.url('FRONTEND_URL', ['http:', 'https:']),
    trustProxy: env.integer('TRUST_PROXY', 0, 0, 16),
    tokenSigningKey: env.text('TOKEN_SIGNING_KEY'),
    tokenEncryptionKey: env.text('TOKEN_ENCRYPTION_KEY'),
    ipHashSalt: env.text('IP_HASH_SALT'),
    google: {
      issuer: env.url('GOOGLE_ISSUER', ['http:', 'https:']) ?? 'https://accounts.google.com',
      clientId: env.text('GOOGLE_CLIENT_ID'),
      clientSecret: env.text('GOOGLE_CLIENT_SECRET'),
    },
    logLevel: env.oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    rateLimitUserPerMinute: env.integer('RATE_LIMIT_USER_PER_MINUTE', 600, 1, 1_000_000),
    rateLimitIpPerMinute: env.integer('RATE_LIMIT_IP_PER_MINUTE', 120, 1, 1_000_000),
    clockOffsetFile: env.text('CLOCK_OFFSET_FILE'),
    workers: env.oneOf('WORKERS', ['embedded', 'none'], production ? 'none' : 'embedded'),
  };
  refuseContradictions(config);
  return config;
}

function refuseContradictions(config: Config): void {
  if (config.databaseAppUrl && !config.databaseUrl) {
    throw new ConfigError('DATABASE_APP_URL is the run-time role of DATABASE_URL; set both or neither.');
  }
  if (!config.production) return;
  if (config.clockOffsetFile) throw new ConfigError('CLOCK_OFFSET_FILE moves the clock and is refused in production.');
  for (const [name, value] of [
    ['TOKEN_SIGNING_KEY', config.tokenSigningKey],
    ['TOKEN_ENCRYPTION_KEY', config.tokenEncryptionKey],
    ['IP_HASH_SALT', config.ipHashSalt],
  ]) {
    if (!value) throw new ConfigError(`${name} is required in production.`);
  }
}

/** Typed reads of one environment; an empty string counts as not set. */
function settings(environment: Environment) {
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;
  return {
    text,
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name);
      if (value === undefined) return fallback;
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < min || number > max) {
        throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
      }
      return number;
    },
    flag(name: string, fallback: boolean): boolean {
      const value = text(name);
      if (value === undefined) return fallback;
      if (value !== 'true' && value !== 'false') throw new ConfigError(`${name} must be true or false.`);
      return value === 'true';
    },
    oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
      const value = text(name);
      if (value === undefined) return fallback;
      const found = allowed.find((candidate) => candidate === value);
      if (found === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}.`);
      return found;
    },
    url(name: string, protocols: readonly string[]): string | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
        throw new ConfigError(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
      }
      return value;
    },
  };
}
