// What the alert machine reads and what it answers: plain data, so that a stored evaluation can be made again.
import type { FidelityGate, SupportTier } from '../../../interventions/engine/index.ts';
import type { AlertKind, AlertStateWord, CloseReason, Response, TierDecision } from '../vocabulary.ts';

/** A sub-skill that fell from adequate; the snapshot is that of the newest measurement. */
export interface AcuteDrop {
  readonly subSkillCode: string;
  readonly snapshotId: number;
}

export interface AlertFacts {
  readonly dndy: boolean;
  /** The profile is DATA_INCOMPLETE. */
  readonly dataIncomplete: boolean;
  /** Of those that have opened no acute alert before. */
  readonly acuteDrop: AcuteDrop | null;
  /** Id of an open raw signal that has opened no acute alert before. */
  readonly acuteCbm: string | null;
  readonly tier: SupportTier;
  readonly weeksInTier: number;
  readonly reviewWeeks: number;
  readonly deliveredWeeks: number;
  readonly gate: FidelityGate;
  readonly progress: Response;
  readonly broadCount: number;
  readonly strongCount: number;
  readonly severeTile: boolean;
  /** Every sub-skill that hits: concern order, then catalogue order. */
  readonly skillHits: readonly string[];
}

/** A stored alert, as far as the machine asks. */
export interface AlertState {
  readonly alertId: string;
  readonly kind: AlertKind;
  readonly state: AlertStateWord;
  readonly subSkillCode: string | null;
  /** Local date; null unless dismissed. */
  readonly expiresOn: string | null;
  /** Local date; null unless closed. */
  readonly closedOn: string | null;
  /** What was decided where a decision closed it: maintain and defer keep the kind quiet for a while. */
  readonly closedBy: TierDecision | null;
}

export type AlertTransition =
  | {
      readonly type: 'open';
      readonly kind: AlertKind;
      readonly ruleId: string;
      readonly subSkillCode: string | null;
      /** What has opened an acute alert once never counts again. */
      readonly spent: { readonly snapshotId: number | null; readonly signalId: string | null };
    }
  | { readonly type: 'close'; readonly alertId: string; readonly reason: CloseReason }
  | { readonly type: 'reopen'; readonly alertId: string };

export interface AlertEvaluation {
  /** RAL-01: nothing opens, nothing closes. */
  readonly halted: boolean;
  /** The rule that gave the candidate, the halt, or none. */
  readonly ruleId: string;
  /** In the order in which they are carried out. */
  readonly transitions: readonly AlertTransition[];
  /** A candidate that an open alert kept from opening. */
  readonly suppressedKind: AlertKind | null;
}
