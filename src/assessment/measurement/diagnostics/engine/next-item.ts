// Selects the next item. Sub-skills are finished in form order; one that cannot reach enough items is not opened,
// because an incomplete sub-skill would halt the student.

import type { Item, ItemBank } from '../../../content/engine/index.ts';
import { estimateAbility } from '../../scoring/engine/eap.ts';
import { eligibleItems, type Selection, selectNext } from '../../scoring/engine/select.ts';
import type { MeasurementValues } from '../../scoring/engine/values.ts';
import { activeMsUsed, outstanding, type ServedRow, type SessionState, scoredOf } from './state.ts';

export type NextStep =
  | { readonly outcome: 'waiting'; readonly served: ServedRow }
  | ({ readonly outcome: 'item_served'; readonly subSkillCode: string } & Selection)
  | { readonly outcome: 'no_eligible_item'; readonly subSkillCode: string }
  | { readonly outcome: 'session_complete' }
  | { readonly outcome: 'time_cap_reached' };

export interface DiagnosticRules {
  readonly bank: ItemBank;
  readonly values: MeasurementValues;
}

/** Returns the next step. `waiting`: the current item until it is answered, even after the time is up. */
export function nextStep(state: SessionState, rules: DiagnosticRules): NextStep {
  const out = outstanding(state);
  if (out) return { outcome: 'waiting', served: out };
  const leftMs = rules.values.activeMsCap - activeMsUsed(state.responses);
  if (leftMs <= 0) return { outcome: 'time_cap_reached' };
  const subSkillCode = state.subSkills.find((code) => stopReasonOf(state, code, rules.values) === undefined);
  if (subSkillCode === undefined) return { outcome: 'session_complete' };
  return stepWithin(state, subSkillCode, leftMs, rules);
}

function stepWithin(state: SessionState, subSkillCode: string, leftMs: number, rules: DiagnosticRules): NextStep {
  const served = new Set(state.served.map(({ itemId }) => itemId));
  const cell = rules.bank.cell(subSkillCode, state.band);
  if (!isOpen(state, subSkillCode)) {
    const eligible = eligibleItems(cell, served);
    if (eligible.length < rules.values.minItemsToOpen) return { outcome: 'no_eligible_item', subSkillCode };
    if (leftMs < timeToOpenMs(eligible, rules.values)) return { outcome: 'time_cap_reached' };
  }
  const { nearLogit, fairLogit } = rules.values;
  const theta = currentTheta(state, subSkillCode);
  const selection = selectNext({ cell, theta, served, seen: state.seenItemIds, nearLogit, fairLogit });
  return selection
    ? { outcome: 'item_served', subSkillCode, ...selection }
    : { outcome: 'no_eligible_item', subSkillCode };
}

const isOpen = (state: SessionState, subSkillCode: string) =>
  state.served.some((served) => served.subSkillCode === subSkillCode);

const timeToOpenMs = (eligible: readonly Item[], { minItemsToOpen }: MeasurementValues) =>
  minItemsToOpen * 1000 * Math.max(...eligible.map(({ expectedSeconds }) => expectedSeconds));

/** Returns theta in logits; the prior's mean before any answer. */
function currentTheta(state: SessionState, subSkillCode: string): number {
  const items = scoredOf(state, subSkillCode).map(({ served, response }) => ({
    itemId: served.itemId,
    difficultyLogit: served.difficultyLogit,
    correct: response.correct,
  }));
  return estimateAbility(items).theta;
}

export type StopReason = 'uniform' | 'max_items' | 'no_eligible_item';

/** Returns why no further item of a sub-skill is served; undefined while it is open or not yet opened. */
export function stopReasonOf(
  state: SessionState,
  subSkillCode: string,
  values: MeasurementValues,
): StopReason | undefined {
  if (state.closedSubSkills.has(subSkillCode)) return 'no_eligible_item';
  const scored = scoredOf(state, subSkillCode);
  const right = scored.filter(({ response }) => response.correct).length;
  const uniform = right === 0 || right === scored.length;
  if (scored.length >= values.uniformAfter && uniform) return 'uniform';
  const servedCount = state.served.filter((served) => served.subSkillCode === subSkillCode).length;
  return servedCount >= values.maxItems ? 'max_items' : undefined;
}
