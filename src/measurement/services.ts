// What measurement needs of the application.
import type { Trx } from '../platform/db.ts';
import type { ActiveRules } from '../rulesets/active.ts';
import type { ServedSession } from '../skill-status/engine/served.ts';
import type { ItemBanks } from './rules.ts';

/** How one session was worked through, for whoever judges response behaviour. */
export interface WorkedSession {
  readonly organizationId: string;
  readonly studentId: number;
  readonly session: ServedSession;
}

export interface RequestServices {
  readonly rules: ActiveRules;
  readonly itemBanks: ItemBanks;
  /** Writes the response-behaviour log of a session in the session's own transaction. */
  readonly logBehaviour: (trx: Trx, worked: WorkedSession, now: Date) => Promise<void>;
}
