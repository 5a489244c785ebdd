// What the composition root hands to every handler and job.
import type { Actor } from './http/route.ts';
import type { AccessTokens } from './identity/tokens.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import type { Metrics } from './platform/metrics.ts';
import type { RequestServices } from './measurement/services.ts';

export interface Services extends RequestServices {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Db;
  readonly tokens: AccessTokens;
  readonly metrics: Metrics;
  /** The caller behind an Authorization header, for the few public addresses that look at one. */
  readonly actorOf: (authorization: string | undefined, now: Date) => Promise<Actor>;
  /** By name of the dependency; a rejection or a long silence means "down". */
  readonly readinessChecks: Readonly<Record<string, () => Promise<unknown>>>;
}
