// Checks whether a decision about a tier may be committed without a packet: nine checks; the first failure is returned.
import {
  type FidelityGate,
  mostIntensiveTier,
  type ReasonCodes,
  type SupportTier,
} from '../../../interventions/engine/index.ts';
import type { TierDecision } from '../vocabulary.ts';
import { tierAfter } from './recommend.ts';

export interface CommitCall {
  readonly recommendationId: string;
  readonly decision: TierDecision;
  readonly overrideCode?: string | undefined;
}

export interface CommitState {
  readonly recommendation: { readonly recommendationId: string; readonly decision: TierDecision | null };
  readonly tier: SupportTier;
  readonly gate: FidelityGate;
  readonly acuteOpen: boolean;
  readonly insufficient: boolean;
  readonly halted: boolean;
}

export interface RtiAnswer {
  readonly status: 200 | 201 | 403 | 409 | 422;
  /** Null when the call is carried out; `do_not_decide_yet` for a 200 that writes nothing. */
  readonly issue: string | null;
}

export const halted: RtiAnswer = { status: 200, issue: 'do_not_decide_yet' };
export const conflictAnswer = (issue: string): RtiAnswer => ({ status: 409, issue });
export const invalidAnswer = (issue: string): RtiAnswer => ({ status: 422, issue });

const moves = (decision: TierDecision): boolean => decision === 'escalate' || decision === 'de_escalate';

/** The fault of a code that does not depend on the state; undefined without one. */
export const codeFault = (code: string | undefined, scope: string, codes: ReasonCodes): string | undefined =>
  code === undefined ? undefined : codes.faultOf(code, scope);

/** The caller checks dates of the body, since they need the newest movement. */
export function checkCommit(call: CommitCall, state: CommitState, codes: ReasonCodes): RtiAnswer {
  const fault = codeFault(call.overrideCode, 'rti_decision', codes);
  if (fault !== undefined) return invalidAnswer(fault);
  if (state.halted) return halted;
  if (call.recommendationId !== state.recommendation.recommendationId) return conflictAnswer('recommendation_stale');
  return moveRefusal(call.decision, state) ?? reasonRefusal(call, state.recommendation.decision) ?? done;
}

const done: RtiAnswer = { status: 201, issue: null };

function moveRefusal(decision: TierDecision, state: CommitState): RtiAnswer | undefined {
  const { tier, gate, acuteOpen, insufficient } = state;
  const toTier = tierAfter(tier, decision);
  if (toTier === undefined) return conflictAnswer('tier_bound');
  if (!moves(decision)) return undefined;
  if (tier === mostIntensiveTier || toTier === mostIntensiveTier || acuteOpen) return conflictAnswer('packet_required');
  const isUndelivered = gate === 'fail' || (gate === 'not_applicable' && tier > 1);
  if (decision === 'escalate' && isUndelivered) return conflictAnswer('fidelity_gate');
  return insufficient ? conflictAnswer('insufficient_data') : undefined;
}

/** A decision against the recommendation needs a reason, and no other takes one. */
export function reasonRefusal(
  { decision, overrideCode }: Pick<CommitCall, 'decision' | 'overrideCode'>,
  recommended: TierDecision | null,
): RtiAnswer | undefined {
  if (decision !== recommended) return overrideCode === undefined ? invalidAnswer('override_required') : undefined;
  return overrideCode === undefined ? undefined : invalidAnswer('override_not_needed');
}
