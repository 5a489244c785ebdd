// What the composition root hands to every handler and job.
import type { Logger } from 'pino';
import type { Actor } from '../http/route.ts';
import type { RequestServices } from '../measurement/services.ts';
import type { Readiness } from '../operations/readiness.ts';
import type { GoogleClient } from '../people/google/client.ts';
import type { PersonalDataSection } from '../people/personal-data/personal-data.ts';
import type { AccessTokens } from '../people/sessions/tokens.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Db } from '../platform/db.ts';
import type { Vault } from '../platform/keys/vault.ts';
import type { RequestLimits } from '../platform/limits.ts';
import type { Metrics } from '../platform/process/metrics.ts';
import type { SecurityEvents } from '../security-events/index.ts';
import type { Attester } from '../workbench/index.ts';

export interface Services extends RequestServices {
  readonly config: Config;
  /** Keys the hashes that stand for client addresses. */
  readonly ipHashSalt: string;
  readonly clock: Clock;
  readonly db: Db;
  readonly log: Logger;
  readonly tokens: AccessTokens;
  /** Encryption and keyed hashes under the service's own key. */
  readonly vault: Vault;
  /** undefined: sign-in with Google is not configured. */
  readonly google: GoogleClient | undefined;
  /** What every capability holds about a student. */
  readonly personalData: readonly PersonalDataSection[];
  readonly limits: RequestLimits;
  readonly metrics: Metrics;
  /** Signs what is attested. */
  readonly attester: Attester;
  /** Traces that name somebody. */
  readonly securityEvents: SecurityEvents;
  /** Keyed hash of a client address, for stores that must not hold it. */
  readonly addressHash: (clientIp: string) => string;
  /** The caller behind an Authorization header, for the few public addresses that look at one. */
  readonly actorOf: (authorization: string | undefined, now: Date) => Promise<Actor>;
  /** Whether what the service depends on answers; costs the same however often it is asked. */
  readonly readiness: () => Promise<Readiness>;
}
