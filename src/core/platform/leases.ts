// Leases: a row is held until a time of the database's clock, which all processes share. The leases of a process that dies
// expire, and another process takes the rows. Leases are independent of business time.

/**
 * How long a lease lasts, in seconds: several times the interval of its renewal, and longer than a lost connection to the
 * database takes to come back.
 *
 * | Rows                                       | Lasts | Renewed    | Why                                               |
 * |--------------------------------------------|-------|------------|---------------------------------------------------|
 * | `rule_job`, `report_job`, `stream_process` | 20 s  | every 5 s  | the usual one                                     |
 * | `lms_preview`, `lms_sync_run`, `lms_turn`  | 30 s  | every 5 s  | a renewal waits for the batch that locks the row  |
 * | `schedule_day`                             | 30 s  | every 10 s | most days are done before the first renewal       |
 * | `alert_announcement`                       | 30 s  | never      | longer than one round of calls takes              |
 */
export const leaseSeconds = 20;
export const longLeaseSeconds = 30;
export const renewEveryMs = 5_000;

/** SQL of the time at which a lease that begins or is renewed now expires. */
export const leaseEnd = (seconds: number): string => `clock_timestamp() + interval '${seconds} seconds'`;

/** SQL condition that no lease on a row is active; `alias` names its table if there are several. */
export function isFree(alias?: string): string {
  const column = alias === undefined ? 'held_until' : `${alias}.held_until`;
  return `(${column} is null or ${column} < clock_timestamp())`;
}

interface Renewing {
  readonly everyMs?: number;
  /** Called with the error of a renewal. The next renewal may succeed; otherwise the lease expires. */
  onError?(error: unknown): void;
}

/** Runs `work` and renews its lease until the end. */
export async function whileRenewing<T>(
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
  { everyMs = renewEveryMs, onError = () => {} }: Renewing = {},
): Promise<T> {
  const timer = setInterval(() => void renew().catch(onError), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
