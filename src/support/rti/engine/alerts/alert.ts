// Input and result of the alert machine: plain data, so that a stored evaluation can be replayed.
import type { FidelityGate, SupportTier } from '../../../interventions/engine/index.ts';
import type { AlertStateWord, CloseReason, Response, RtiAlertKind, TierDecision } from '../vocabulary.ts';

/** A sub-skill that fell from adequate, with the snapshot of the newest measurement. */
export interface AcuteDrop {
  readonly subSkillCode: string;
  readonly snapshotId: number;
}

export interface AlertFacts {
  readonly dndy: boolean;
  /** Whether the profile is DATA_INCOMPLETE. */
  readonly dataIncomplete: boolean;
  /** Among those that have opened no acute alert before. */
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
  /** All sub-skills that hit, in concern order, then in catalogue order. */
  readonly skillHits: readonly string[];
}

/** The fields of a stored alert that the machine uses. */
export interface AlertState {
  readonly alertId: string;
  readonly kind: RtiAlertKind;
  readonly state: AlertStateWord;
  readonly subSkillCode: string | null;
  /** Local date; null unless dismissed. */
  readonly expiresOn: string | null;
  /** Local date; null unless closed. */
  readonly closedOn: string | null;
  /** The decision that closed it; maintain and defer keep the kind quiet for a period. */
  readonly closedBy: TierDecision | null;
  /** Present where what an open acute alert rests on was voided after it opened. */
  readonly evidenceVoided?: true;
}

export type AlertTransition =
  | {
      readonly type: 'open';
      readonly kind: RtiAlertKind;
      readonly ruleId: string;
      readonly subSkillCode: string | null;
      /** The snapshot or signal that opened an acute alert; it opens no other. */
      readonly spent: { readonly snapshotId: number | null; readonly signalId: string | null };
    }
  | { readonly type: 'close'; readonly alertId: string; readonly reason: CloseReason }
  | { readonly type: 'reopen'; readonly alertId: string };

export interface AlertEvaluation {
  /** RAL-01: nothing opens, and nothing closes but what rests on voided evidence. */
  readonly halted: boolean;
  /** The rule of the candidate, of the halt, or of no candidate. */
  readonly ruleId: string;
  /** In the order of execution. */
  readonly transitions: readonly AlertTransition[];
  /** A candidate that did not open because of an open alert. */
  readonly suppressedKind: RtiAlertKind | null;
}
