// Reads the environment once, at start. A wrong value stops the process with one clear line.
import { refusals } from './refusals.ts';
import { ConfigError, type Environment, Settings } from './settings.ts';

export interface Config {
  readonly nodeEnv: string;
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Where liveness, readiness and metrics answer beside the API; `port` undefined: nowhere. */
  readonly operations: { readonly host: string; readonly port: number | undefined };
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseAppUrl: string | undefined;
  /** Connections that requests and jobs of this process share. */
  /** Set where `databaseAppUrl` leads through a pooler in transaction mode: past it, for LISTEN and the queue. */
  readonly databaseListenUrl: string | undefined;
  readonly dbPoolSize: number;
  readonly redisUrl: string | undefined;
  readonly seedDemo: boolean;
  /** Of the demo's logins in production, where they have no other. */
  readonly demoPassword: string | undefined;
  readonly bootstrapToken: string | undefined;
  readonly frontendUrl: string | undefined;
  /** The service's own address as the world sees it, without a slash at its end; never taken from `Host`. */
  readonly publicUrl: string | undefined;
  /** How long an account has to be older than its first approval of a rule; 0 = no wait. */
  readonly approverWaitHours: number;
  /** Number of trusted proxies in front of the service; 0 = the socket's address is the client's. */
  readonly trustProxy: number;
  readonly tokenSigningKey: string | undefined;
  readonly tokenEncryptionKey: string | undefined;
  readonly ipHashSalt: string | undefined;
  readonly google: {
    readonly issuer: string;
    readonly clientId: string | undefined;
    readonly clientSecret: string | undefined;
    /** Where the Classroom API answers; no slash at its end. */
    readonly classroomUrl: string;
  };
  readonly lms: {
    readonly guardianImport: boolean;
    /** `host:port`, lower case: may be plain http and need not have a public address. */
    readonly trustedHosts: ReadonlySet<string>;
    readonly requestTimeoutMs: number;
  };
  readonly logLevel: string;
  /** Called with the ids of grave alerts. */
  readonly qaWebhookUrl: string | undefined;
  readonly rateLimitUserPerMinute: number;
  readonly rateLimitIpPerMinute: number;
  readonly clockOffsetFile: string | undefined;
  readonly workers: 'embedded' | 'none';
}

export function readConfig(environment: Environment): Config {
  const env = new Settings(environment);
  const nodeEnv = env.oneOf('NODE_ENV', ['development', 'test', 'production'], 'development');
  const production = nodeEnv === 'production';
  const config: Config = {
    nodeEnv,
    production,
    host: env.text('HOST') ?? '127.0.0.1',
    port: env.integer('PORT', 3000, 0, 65_535),
    operations: { host: env.text('OPS_HOST') ?? '127.0.0.1', port: env.optionalInteger('OPS_PORT', 1, 65_535) },
    dataDir: env.text('DATA_DIR') ?? '.data',
    databaseUrl: env.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseAppUrl: env.url('DATABASE_APP_URL', ['postgres:', 'postgresql:']),
    databaseListenUrl: env.url('DATABASE_LISTEN_URL', ['postgres:', 'postgresql:']),
    dbPoolSize: env.integer('DB_POOL_SIZE', 10, 2, 500),
    redisUrl: env.url('REDIS_URL', ['redis:', 'rediss:']),
    seedDemo: env.flag('SEED_DEMO', !production),
    demoPassword: env.text('DEMO_PASSWORD'),
    bootstrapToken: env.text('BOOTSTRAP_TOKEN'),
    frontendUrl: env.url('FRONTEND_URL', ['http:', 'https:']),
    publicUrl: env.baseUrl('PUBLIC_URL'),
    approverWaitHours: env.integer('APPROVER_WAIT_HOURS', production ? 72 : 0, 0, 8_760),
    trustProxy: env.integer('TRUST_PROXY', 0, 0, 16),
    tokenSigningKey: env.text('TOKEN_SIGNING_KEY'),
    tokenEncryptionKey: env.text('TOKEN_ENCRYPTION_KEY'),
    ipHashSalt: env.text('IP_HASH_SALT'),
    google: googleOf(env),
    lms: lmsOf(env),
    logLevel: env.oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    qaWebhookUrl: env.url('QA_WEBHOOK_URL', ['http:', 'https:']),
    rateLimitUserPerMinute: env.integer('RATE_LIMIT_USER_PER_MINUTE', 600, 1, 1_000_000),
    rateLimitIpPerMinute: env.integer('RATE_LIMIT_IP_PER_MINUTE', 120, 1, 1_000_000),
    clockOffsetFile: env.text('CLOCK_OFFSET_FILE'),
    workers: env.oneOf('WORKERS', ['embedded', 'none'], production ? 'none' : 'embedded'),
  };
  const refusal = refusals.find(({ refused }) => refused(config));
  if (refusal) throw new ConfigError(refusal.line);
  return config;
}

const googleOf = (env: Settings): Config['google'] => ({
  issuer: env.url('GOOGLE_ISSUER', ['http:', 'https:']) ?? 'https://accounts.google.com',
  clientId: env.text('GOOGLE_CLIENT_ID'),
  clientSecret: env.text('GOOGLE_CLIENT_SECRET'),
  classroomUrl: env.baseUrl('GOOGLE_CLASSROOM_URL') ?? 'https://classroom.googleapis.com',
});

const lmsOf = (env: Settings): Config['lms'] => ({
  guardianImport: env.flag('LMS_GUARDIAN_IMPORT_ENABLED', false),
  trustedHosts: env.hosts('LMS_TRUSTED_HOSTS'),
  requestTimeoutMs: env.integer('LMS_REQUEST_TIMEOUT_MS', 10_000, 100, 60_000),
});
