// The result of a finished session: why it ended, and an estimate for every opened sub-skill.

import { round4 } from '#core/platform/pure/round.ts';
import type { ItemBank } from '../../../content/engine/index.ts';
import type { estimateStopReasons, finishReasons } from '../../enums.ts';
import { estimateAbility } from '../../scoring/engine/eap.ts';
import type { MeasurementValues } from '../../scoring/engine/values.ts';
import { type DiagnosticRules, nextStep, stopReasonOf } from './next-item.ts';
import { activeMsUsed, type SessionState, scoredOf } from './state.ts';

export type FinishReason = (typeof finishReasons)[number];

export interface SubSkillEstimate {
  readonly subSkillCode: string;
  /** Logits, 4 decimals; null with fewer than EAP-MIN-01 scored items. */
  readonly theta: number | null;
  readonly se: number | null;
  /** Number of scored items. */
  readonly n: number;
  /** Whether a used item is calibrated on too few answers. Never changes a status. */
  readonly calibrationProvisional: boolean;
  readonly stopReason: (typeof estimateStopReasons)[number];
}

/** Returns the reason for a session that is finished now. */
export function finishReasonOf(state: SessionState, rules: DiagnosticRules): FinishReason {
  if (activeMsUsed(state.responses) >= rules.values.activeMsCap) return 'time_cap';
  const step = nextStep(state, rules);
  if (step.outcome === 'session_complete') return 'completed';
  if (step.outcome === 'time_cap_reached') return 'time_cap';
  if (step.outcome !== 'no_eligible_item') return 'stopped_early';
  const closedSubSkills = new Set([...state.closedSubSkills, step.subSkillCode]);
  return finishReasonOf({ ...state, closedSubSkills }, rules);
}

/**
 * Returns one estimate for each opened sub-skill, in form order. The result is reproducible from the stored session.
 */
export function estimatesOf(state: SessionState, bank: ItemBank, values: MeasurementValues): SubSkillEstimate[] {
  const opened = new Set(state.served.map(({ subSkillCode }) => subSkillCode));
  return state.subSkills.filter((code) => opened.has(code)).map((code) => estimateOf(state, code, bank, values));
}

function estimateOf(
  state: SessionState,
  subSkillCode: string,
  bank: ItemBank,
  values: MeasurementValues,
): SubSkillEstimate {
  const scored = scoredOf(state, subSkillCode);
  const items = scored.map(({ served, response }) => ({
    itemId: served.itemId,
    difficultyLogit: served.difficultyLogit,
    correct: response.correct,
  }));
  const ability = items.length >= values.minScoredForTheta ? estimateAbility(items) : undefined;
  return {
    subSkillCode,
    theta: ability ? round4(ability.theta) : null,
    se: ability ? round4(ability.se) : null,
    n: items.length,
    calibrationProvisional: items.some(({ itemId }) => isProvisional(bank, itemId, values)),
    stopReason: stopReasonOf(state, subSkillCode, values) ?? 'session_end',
  };
}

const isProvisional = (bank: ItemBank, itemId: string, values: MeasurementValues) =>
  (bank.find(itemId)?.calibration.n ?? 0) < values.trustedCalibrationN;
