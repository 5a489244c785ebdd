// Reads the environment once, at start. A wrong value stops the process with one clear line.
import { refusals } from './refusals.ts';
import { ConfigError, type Environment, type Variable } from './settings.ts';
import {
  databaseVariables,
  demoVariables,
  keyVariables,
  networkVariables,
  platformVariables,
  processVariables,
} from './variables.ts';

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
  /** Set where `databaseAppUrl` leads through a pooler in transaction mode: past it, for LISTEN and the queue. */
  readonly databaseListenUrl: string | undefined;
  /** Connections that requests and jobs of this process share. */
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

type Read = <T>(variable: Variable<T>) => T;

/** Throws ConfigError where a value is wrong, or where two settings contradict each other. */
export function readConfig(environment: Environment): Config {
  const nodeEnv = processVariables.nodeEnv.read(environment, false);
  const production = nodeEnv === 'production';
  const read: Read = (variable) => variable.read(environment, production);
  const config: Config = {
    nodeEnv,
    production,
    host: read(networkVariables.host),
    port: read(networkVariables.port),
    operations: { host: read(networkVariables.opsHost), port: read(networkVariables.opsPort) },
    dataDir: read(processVariables.dataDir),
    databaseUrl: read(databaseVariables.databaseUrl),
    databaseAppUrl: read(databaseVariables.databaseAppUrl),
    databaseListenUrl: read(databaseVariables.databaseListenUrl),
    dbPoolSize: read(databaseVariables.dbPoolSize),
    redisUrl: read(databaseVariables.redisUrl),
    seedDemo: read(demoVariables.seedDemo),
    demoPassword: read(demoVariables.demoPassword),
    bootstrapToken: read(keyVariables.bootstrapToken),
    frontendUrl: read(networkVariables.frontendUrl),
    publicUrl: read(networkVariables.publicUrl),
    approverWaitHours: read(keyVariables.approverWaitHours),
    trustProxy: read(networkVariables.trustProxy),
    tokenSigningKey: read(keyVariables.tokenSigningKey),
    tokenEncryptionKey: read(keyVariables.tokenEncryptionKey),
    ipHashSalt: read(keyVariables.ipHashSalt),
    google: googleOf(read),
    lms: lmsOf(read),
    logLevel: read(processVariables.logLevel),
    qaWebhookUrl: read(platformVariables.qaWebhookUrl),
    rateLimitUserPerMinute: read(networkVariables.rateLimitUserPerMinute),
    rateLimitIpPerMinute: read(networkVariables.rateLimitIpPerMinute),
    clockOffsetFile: read(processVariables.clockOffsetFile),
    workers: read(processVariables.workers),
  };
  const refusal = refusals.find(({ refused }) => refused(config));
  if (refusal) throw new ConfigError(refusal.line);
  return config;
}

const googleOf = (read: Read): Config['google'] => ({
  issuer: read(platformVariables.googleIssuer),
  clientId: read(platformVariables.googleClientId),
  clientSecret: read(platformVariables.googleClientSecret),
  classroomUrl: read(platformVariables.googleClassroomUrl),
});

const lmsOf = (read: Read): Config['lms'] => ({
  guardianImport: read(platformVariables.lmsGuardianImport),
  trustedHosts: read(platformVariables.lmsTrustedHosts) ?? new Set(),
  requestTimeoutMs: read(platformVariables.lmsRequestTimeoutMs),
});
