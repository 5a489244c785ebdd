// What other capabilities tell of the sessions that were delivered: who holds sessions says how long they were to take, and took.
import type { Trx } from '#core/platform/db.ts';

export interface SessionMinutes {
  /** As it was prepared; null: nothing was. */
  readonly plannedMinutes: number | null;
  /** As its events tell it, with fractions; null: nobody noted when a part of it began. */
  readonly taughtMinutes: number | null;
}

/** By id, of those sessions that this one knows. */
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
