// What other capabilities tell interventions of a student: who moves students between tiers and opens alerts says so.
import type { Trx } from '../platform/db.ts';
import type { SupportTier } from './engine/vocabulary.ts';

export interface Standing {
  readonly tier: SupportTier;
  /** Local date of the newest movement; null: never moved, in the first tier since the first enrollment. */
  readonly tierSince: string | null;
  /** An alert acute_regression_review is open. */
  readonly acuteOpen: boolean;
}

/** Of those of the organization's students who stand otherwise than in the first tier without such an alert. */
export type StandingReader = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
) => Promise<ReadonlyMap<number, Standing>>;

declare module '../kernel/capability.ts' {
  interface Capability {
    readonly standings?: StandingReader;
  }
}
