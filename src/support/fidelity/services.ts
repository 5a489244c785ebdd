// The reader of session minutes that other capabilities provide to fidelity.
import type { Trx } from '#core/platform/db.ts';

export interface SessionMinutes {
  /** Minutes as prepared; null without a preparation. */
  readonly plannedMinutes: number | null;
  /** Minutes from the session's events, with fractions; null when no start of a segment was recorded. */
  readonly taughtMinutes: number | null;
}

/** By id, for those of the sessions that the capability holds. */
export type SessionMinutesReader = (
  trx: Trx,
  organizationId: string,
  sessionIds: readonly string[],
) => Promise<ReadonlyMap<string, SessionMinutes>>;

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly sessionMinutes?: SessionMinutesReader;
  }
}
