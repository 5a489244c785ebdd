// Reads the configuration from the environment once, at start. A wrong value ends the process with one line.
import type { Config } from './config.ts';
import { configRefusals } from './refusals.ts';
import { ConfigError, type Environment, type Variable } from './settings.ts';
import {
  databaseVariables,
  demoVariables,
  keyVariables,
  networkVariables,
  platformVariables,
  processVariables,
} from './variables.ts';

type Read = <T>(variable: Variable<T>) => T;

/** Throws ConfigError if a value is wrong or two settings contradict each other. */
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
    liveIndexMb: read(processVariables.liveIndexMb),
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
  const refusal = configRefusals.find(({ refused }) => refused(config));
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
