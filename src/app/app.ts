// The composition root: the only file that creates services and passes them to each other.
import type { Express } from 'express';
import type { Logger } from 'pino';
import { type AudioPack, itemBanks, passageBooks, readAudioPack, rulesDir } from '#assessment/content/index.ts';
import { trainingEscalation } from '#assessment/error-patterns/index.ts';
import { behaviourLog } from '#assessment/measurement/index.ts';
import {
  queueStatesOf,
  type ReadinessChecks,
  readinessOf,
  retainedSince,
  watchWrites,
} from '#backoffice/operations/index.ts';
import { chunkThreads, createAttester, liveThreads } from '#backoffice/workbench/index.ts';
import { ConcurrencyLimits, type PersonLimits } from '#core/http/checks/concurrency-limits.ts';
import type { Guards } from '#core/http/guards.ts';
import type { Route } from '#core/http/route.ts';
import { buildRouter, type RouterDeps } from '#core/http/server/router.ts';
import { auditedOf, auditWriter, recordReads } from '#core/module/audit-writer.ts';
import { type Capability, eventsOf, routesOf } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Config } from '#core/platform/config/config.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { createCipher } from '#core/platform/keys/cipher.ts';
import type { Secrets } from '#core/platform/keys/secrets.ts';
import { openLimits } from '#core/platform/limits/limits.ts';
import { migrationsApplied } from '#core/platform/migrations/schema-version.ts';
import { registerOutboxMetrics } from '#core/platform/outbox-metrics.ts';
import { createMetrics, type Metrics } from '#core/platform/process/metrics.ts';
import { openRelayWakeup } from '#core/platform/pubsub/relay-wakeup.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { accessTokens, authenticate, authenticateAll, googleClient } from '#identity/people/index.ts';
import { refusalRecorder, securityEvents } from '#identity/security-events/index.ts';
import { createHttpClient, type HttpClientOptions } from '#integrations/lms/index.ts';
import { reportKinds } from '#messaging/documents/index.ts';
import { notificationKinds, notificationStreams } from '#messaging/notifications/index.ts';
import { catalogueOf } from '#messaging/qa/index.ts';
import { activeRules, documentValidators, simulatorsOf } from '#rules/rulesets/index.ts';
import { LiveSnapshots } from '#teaching/live-lessons/index.ts';
import { capabilities } from './capabilities.ts';

export interface AppParts {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Connections of the run-time role. */
  readonly db: Db;
  /** A small separate pool that requests and jobs do not use. */
  readonly reserve: Db;
  readonly log: Logger;
  /** Additional dependencies checked by readiness, by name. */
  readonly readinessChecks?: ReadinessChecks;
  /** Reads the state of a queue. Without it there are no queues to read. */
  readonly queueState?: Queues['state'];
  /** All capabilities by default. */
  readonly capabilities?: readonly Capability[];
  /** Timeouts of rate limit counters and of the identity provider; one second and five seconds by default. */
  readonly timeouts?: { readonly limitsMs: number; readonly providerMs: number };
  /** Maximum concurrency of one person; the limits of the contract by default. */
  readonly concurrencyLimits?: Partial<PersonLimits>;
  /** Options of the HTTP client for learning platforms that differ from the configuration. */
  readonly lmsClient?: Partial<HttpClientOptions>;
  /** By default, the recordings beside the rules, if any, and the newest item bank. */
  readonly content?: { readonly audio?: AudioPack; readonly bankVersion?: number };
}

/** Returns every served route, in matching order. */
export const allRoutes = (): Route[] => routesOf(capabilities);

/** Throws at start when two capabilities contribute the same name. */
export function requireOnce(made: readonly Capability[]): void {
  for (const named of [eventsOf, notificationKinds, reportKinds, catalogueOf, documentValidators, simulatorsOf])
    named(made);
}

export function createServices(parts: AppParts): Services {
  const { config, clock, db, reserve, secrets } = parts;
  const tokens = accessTokens(secrets.tokenSigningSeeds);
  const rules = activeRules();
  const audio = parts.content?.audio ?? readAudioPack(rulesDir);
  const banks = itemBanks(rulesDir, { audio, ...parts.content });
  const passages = passageBooks();
  const cipher = createCipher(secrets.tokenEncryptionKeys);
  const { capabilities: made = capabilities } = parts;
  requireOnce(made);
  const writes = watchWrites(db);
  return {
    config,
    capabilities: made,
    ...{ clock, db, reserve, tokens, cipher },
    ...{ log: parts.log, ipHashSalt: secrets.ipHashSalt },
    google: googleClient(config, parts.timeouts?.providerMs),
    lmsClient: createHttpClient({ ...lmsClientOptionsOf(config), ...parts.lmsClient }),
    personalData: made.flatMap(({ personalData = [] }) => personalData),
    limits: openLimits({ ...limitsOf(config), db: reserve, log: parts.log, timeoutMs: parts.timeouts?.limitsMs }),
    concurrencyLimits: new ConcurrencyLimits(parts.concurrencyLimits),
    ...{ rules, itemBanks: banks, audio, passages },
    logBehaviour: behaviourLog(rules),
    training: trainingEscalation(rules, banks),
    liveSnapshots: new LiveSnapshots(),
    actorOf: async (authorization, now) => {
      const claims = await tokens.verify(authorization, now);
      return inContext(db, 'SUPER', (trx) => authenticate(trx, claims, now, config.production));
    },
    attester: createAttester(secrets.tokenSigningSeeds),
    chunkThreads: chunkThreads(db, banks),
    liveThreads: liveThreads({ db, indexMb: config.liveIndexMb }),
    metrics: watchedMetrics(db, clock),
    nameWriter: auditWriter(auditedOf(made)),
    notificationStreams: notificationStreams({ config, clock, db, log: parts.log }),
    relayWakeup: openRelayWakeup({ db, redisUrl: config.redisUrl, log: parts.log }),
    securityEvents: securityEvents(db, parts.log),
    addressHash: (clientIp) => cipher.keyedHash('address', clientIp),
    queueStates: queueStatesOf(made, parts.queueState),
    readiness: readinessOf({
      database: () => reserve.raw('select 1').then(writes.state),
      migrations: () => migrationsApplied(reserve),
      rules: () => Promise.all([rules.at(reserve, clock.now()), banks.current(), passages.current()]),
      ...parts.readinessChecks,
    }),
  };
}

const lmsClientOptionsOf = ({ lms }: Config) => ({ trustedHosts: lms.trustedHosts, timeoutMs: lms.requestTimeoutMs });

const limitsOf = ({ redisUrl, rateLimitUserPerMinute, rateLimitIpPerMinute }: Config) => ({
  redisUrl,
  userPerMinute: rateLimitUserPerMinute,
  addressPerMinute: rateLimitIpPerMinute,
});

function watchedMetrics(db: Db, clock: Clock): Metrics {
  const metrics = createMetrics();
  registerOutboxMetrics(metrics.registry, db, clock);
  return metrics;
}

/** Returns what the router needs to serve routes. */
export function routerDeps(services: Services, log: Logger): RouterDeps & { readonly guards: Guards } {
  return {
    db: services.db,
    clock: services.clock,
    services,
    verifyToken: services.tokens.verify,
    authenticate: (trx, claims, now) => authenticate(trx, claims, now, services.config.production),
    authenticateAll: (trx, claims, now) => authenticateAll(trx, claims, now, services.config.production),
    guards: {
      limits: services.limits,
      concurrencyLimits: services.concurrencyLimits,
      addressHash: services.addressHash,
      cipher: services.cipher,
      answersStoredSince: (trx, now) => retainedSince(services, trx, 'idempotencyAnswers', now),
      nameWriter: services.nameWriter,
      recordReads,
      refused: refusalRecorder(services.securityEvents, services.addressHash),
    },
    log,
    trustProxy: services.config.trustProxy,
    observe: services.metrics.observeRequest,
  };
}

export const createApp = (services: Services, log: Logger): Express =>
  buildRouter(routesOf(services.capabilities), routerDeps(services, log));
