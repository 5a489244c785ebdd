// The one list of environment variables: meaning, default, bounds, and which process needs each. `readConfig` reads it, and
// docs/operations/configuration.md is generated from it.
import {
  baseUrl,
  flagSetting,
  hosts,
  integerSetting,
  oneOfSetting,
  optional,
  textSetting,
  url,
  type Variable,
  withDefault,
  withDefaults,
} from './settings.ts';

const http = url('http', 'https');
const postgres = url('postgres', 'postgresql');

export const processVariables = {
  nodeEnv: withDefault(oneOfSetting(['development', 'test', 'production']), 'development', {
    name: 'NODE_ENV',
    neededBy: 'API, worker',
    meaning: '`production` changes the defaults below and refuses a start without what production requires.',
  }),
  workers: withDefaults(
    oneOfSetting(['embedded', 'none']),
    { production: 'none', elsewhere: 'embedded' },
    {
      name: 'WORKERS',
      neededBy: 'API',
      meaning: 'Whether the API process runs background work too; with `none`, `npm run worker` processes run it.',
    },
  ),
  dataDir: withDefault(textSetting, '.data', {
    name: 'DATA_DIR',
    neededBy: 'API, worker',
    meaning: 'Folder of the embedded PostgreSQL and of generated keys. One `npm start` uses it at a time.',
  }),
  logLevel: withDefault(oneOfSetting(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info', {
    name: 'LOG_LEVEL',
    neededBy: 'API, worker',
    meaning: 'The least severe level that is logged.',
  }),
  liveIndexMb: withDefault(integerSetting(16, 65_536), 256, {
    name: 'LIVE_INDEX_MB',
    neededBy: 'API',
    meaning:
      'MiB that results of students may take in memory, to count at once for whom a change of rules would matter. The organization that was least used leaves first.',
  }),
  clockOffsetFile: optional(textSetting, {
    name: 'CLOCK_OFFSET_FILE',
    neededBy: 'API, worker',
    meaning:
      'A file with the milliseconds to add to the clock, to try rules about time. More than a hundred years count as none.',
  }),
};

export const networkVariables = {
  host: withDefault(textSetting, '127.0.0.1', {
    name: 'HOST',
    neededBy: 'API',
    meaning: 'Address on which the API listens; a loopback address while demo logins are seeded.',
  }),
  port: withDefault(integerSetting(0, 65_535), 3000, {
    name: 'PORT',
    neededBy: 'API',
    meaning: 'Port on which the API listens; 0 takes a free one.',
  }),
  opsHost: withDefault(textSetting, '127.0.0.1', {
    name: 'OPS_HOST',
    neededBy: 'API, worker',
    meaning: 'Address of the operations port.',
  }),
  opsPort: optional(integerSetting(1, 65_535), {
    name: 'OPS_PORT',
    neededBy: 'API, worker',
    meaning: 'Port of liveness, readiness and metrics, without sign-in, for probes and Prometheus.',
  }),
  publicUrl: optional(baseUrl, {
    name: 'PUBLIC_URL',
    neededBy: 'API, worker',
    meaning: 'The address of the service as browsers see it; it is never taken from the `Host` header.',
  }),
  frontendUrl: optional(http, {
    name: 'FRONTEND_URL',
    neededBy: 'API',
    meaning: 'Where sign-in with Google and recovery links lead to.',
  }),
  trustProxy: withDefault(integerSetting(0, 16), 0, {
    name: 'TRUST_PROXY',
    neededBy: 'API',
    meaning: 'Number of own proxies in front of the API; 0 ignores forwarding headers.',
  }),
  rateLimitUserPerMinute: withDefault(integerSetting(1, 1_000_000), 600, {
    name: 'RATE_LIMIT_USER_PER_MINUTE',
    neededBy: 'API',
    meaning: 'Requests of one person in a minute.',
  }),
  rateLimitIpPerMinute: withDefault(integerSetting(1, 1_000_000), 120, {
    name: 'RATE_LIMIT_IP_PER_MINUTE',
    neededBy: 'API',
    meaning: 'Requests to public routes from one address in a minute; routes of sign-in allow at least 600.',
  }),
};

export const databaseVariables = {
  databaseUrl: optional(postgres, {
    name: 'DATABASE_URL',
    neededBy: 'API, worker',
    meaning: 'PostgreSQL 15 or newer to use instead of the embedded one; its role owns the tables.',
  }),
  databaseAppUrl: optional(postgres, {
    name: 'DATABASE_APP_URL',
    neededBy: 'API, worker',
    meaning:
      'Login of the run-time role, a member of `literacy_app` (`npm run migrate -- --print-roles` prints the SQL). Required in production; elsewhere the role may be taken on from `DATABASE_URL`. A start as the owner makes a second login with the suffix `_platform` and the same password ([logins](logins.md)).',
  }),
  databaseListenUrl: optional(postgres, {
    name: 'DATABASE_LISTEN_URL',
    neededBy: 'API, worker',
    meaning:
      'Where `DATABASE_APP_URL` leads through PgBouncer in transaction mode: the same login without the pooler, for notifications and the queue. The pooler has to know both logins; their settings come from `alter role … set search_path = public,pg_temp` and the three timeouts.',
  }),
  dbPoolSize: withDefault(integerSetting(2, 500), 10, {
    name: 'DB_POOL_SIZE',
    neededBy: 'API, worker',
    meaning:
      'Database connections of one process, shared by requests and jobs (6 of 10) and by sign-in, relay and back office (4 of 10). The queue, notifications, limits and sign-in take up to 9 more.',
  }),
  redisUrl: optional(url('redis', 'rediss'), {
    name: 'REDIS_URL',
    neededBy: 'API, worker',
    meaning:
      'Redis 6.2 or newer for queue and limits instead of PostgreSQL; its `maxmemory-policy` must be `noeviction`.',
  }),
};

export const keyVariables = {
  tokenSigningKey: optional(textSetting, {
    name: 'TOKEN_SIGNING_KEY',
    neededBy: 'API, worker',
    meaning:
      '32 bytes in base64. Several keys separated by commas rotate: the first one signs, all verify. Generated outside of production.',
  }),
  tokenEncryptionKey: optional(textSetting, {
    name: 'TOKEN_ENCRYPTION_KEY',
    neededBy: 'API, worker',
    meaning:
      '32 bytes in base64, other ones than for signing. Several keys separated by commas rotate: the first one encrypts, all decrypt, and each night what the others have encrypted is encrypted under the first one ([when an old key may go](../security.md)). Generated outside of production.',
  }),
  ipHashSalt: optional(textSetting, {
    name: 'IP_HASH_SALT',
    neededBy: 'API, worker',
    meaning:
      'Salt of the hashes under which addresses of clients are stored; at least 16 characters in production. Generated outside of production.',
  }),
  bootstrapToken: optional(textSetting, {
    name: 'BOOTSTRAP_TOKEN',
    neededBy: 'API',
    meaning:
      'The first registration must carry it as `X-Bootstrap-Token`. Until that registration production requires at least 32 characters.',
  }),
  approverWaitHours: withDefaults(
    integerSetting(0, 8_760),
    { production: 72, elsewhere: 0 },
    {
      name: 'APPROVER_WAIT_HOURS',
      neededBy: 'API, worker',
      meaning:
        'How many hours an account, and what the author did to it, has to be older than its first approval of a rule, a narrative, an import, a benchmark or a packet of the third tier.',
    },
  ),
};

export const demoVariables = {
  seedDemo: withDefaults(
    flagSetting,
    { production: false, elsewhere: true },
    {
      name: 'SEED_DEMO',
      neededBy: 'API',
      meaning: 'Seeds the demo and the sandbox; in production the read-only demo alone.',
    },
  ),
  demoPassword: optional(textSetting, {
    name: 'DEMO_PASSWORD',
    neededBy: 'API',
    meaning: 'Password of the demo logins in production.',
  }),
};

export const platformVariables = {
  googleIssuer: withDefault(http, 'https://accounts.google.com', {
    name: 'GOOGLE_ISSUER',
    neededBy: 'API, worker',
    meaning: 'OpenID Connect issuer of the sign-in with Google and of Classroom.',
  }),
  googleClientId: optional(textSetting, {
    name: 'GOOGLE_CLIENT_ID',
    neededBy: 'API, worker',
    meaning: 'Client of the sign-in with Google and of Classroom; without it both are off.',
  }),
  googleClientSecret: optional(textSetting, {
    name: 'GOOGLE_CLIENT_SECRET',
    neededBy: 'API, worker',
    meaning: 'Secret of that client.',
  }),
  googleClassroomUrl: withDefault(baseUrl, 'https://classroom.googleapis.com', {
    name: 'GOOGLE_CLASSROOM_URL',
    neededBy: 'API, worker',
    meaning: 'Where the Classroom API answers.',
  }),
  lmsGuardianImport: withDefault(flagSetting, false, {
    name: 'LMS_GUARDIAN_IMPORT_ENABLED',
    neededBy: 'API, worker',
    meaning: 'Imports guardians from learning platforms too.',
  }),
  lmsTrustedHosts: optional(hosts, {
    name: 'LMS_TRUSTED_HOSTS',
    neededBy: 'API, worker',
    meaning: 'Learning platforms that may be plain http and need not have a public address.',
  }),
  lmsRequestTimeoutMs: withDefault(integerSetting(100, 60_000), 10_000, {
    name: 'LMS_REQUEST_TIMEOUT_MS',
    neededBy: 'API, worker',
    meaning: 'Milliseconds that one request to a learning platform may take.',
  }),
  qaWebhookUrl: optional(http, {
    name: 'QA_WEBHOOK_URL',
    neededBy: 'worker',
    meaning: 'Called with the ids of critical and high alerts.',
  }),
};

/** All variables, in the order and under the titles of the documentation. */
export const variableGroups: readonly { readonly title: string; readonly variables: readonly Variable<unknown>[] }[] = [
  { title: 'Processes', variables: Object.values(processVariables) },
  { title: 'Network', variables: Object.values(networkVariables) },
  { title: 'Database and queue', variables: Object.values(databaseVariables) },
  { title: 'Keys and approvals', variables: Object.values(keyVariables) },
  { title: 'Demo', variables: Object.values(demoVariables) },
  { title: 'Other services', variables: Object.values(platformVariables) },
];
