// The services that the composition root gives to every handler and job. A capability declares its own services in its
// `services.ts` (declaration merging), so that this file knows no capability.
import type { Logger } from 'pino';
import type { ConcurrencyLimits } from '../http/checks/concurrency-limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Db } from '../platform/db.ts';
import type { SecretCipher } from '../platform/keys/cipher.ts';
import type { RequestLimits } from '../platform/limits/limits.ts';
import type { Metrics } from '../platform/process/metrics.ts';
import type { RelayWakeup } from '../platform/pubsub/relay-wakeup.ts';
import type { Queues } from '../platform/queue/queue.ts';
import type { NameWriter } from './audit-writer.ts';

export interface Services {
  readonly config: Config;
  /** Keys the hashes that stand for client addresses. */
  readonly ipHashSalt: string;
  readonly clock: Clock;
  readonly db: Db;
  /** Connections for limits, sign-in, refresh and readiness alone: busy requests and jobs do not keep these waiting. */
  readonly reserve: Db;
  readonly log: Logger;
  /** Encryption and keyed hashes under the service's own key. */
  readonly cipher: SecretCipher;
  readonly limits: RequestLimits;
  /** The running requests of each person in this process. */
  readonly concurrencyLimits: ConcurrencyLimits;
  readonly metrics: Metrics;
  /** In a process that works at jobs. */
  readonly queues?: Pick<Queues, 'add'>;
  /** Between who appends events and the relays. */
  readonly relayWakeup: RelayWakeup;
  /** Sets the writer of a transaction, whose changes are recorded. */
  readonly nameWriter: NameWriter;
  /** Keyed hash of a client address, for stores that must not hold it. */
  readonly addressHash: (clientIp: string) => string;
}
