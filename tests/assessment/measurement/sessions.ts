// Plays diagnostic sessions without a database: the engine decides, a script of answers responds.

import { type DiagnosticRules, type NextStep, nextStep } from '#assessment/measurement/diagnostics/engine/next-item.ts';
import type { ResponseRow, SessionState } from '#assessment/measurement/diagnostics/engine/state.ts';
import { readMeasurementValues } from '#assessment/measurement/scoring/engine/values.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

export const bundle = await loadNewestBundle('rules');
export const values = readMeasurementValues(bundle);

export type Reply = 'right' | 'wrong' | 'skip';

export function sessionOf(subSkills: readonly string[], overrides: Partial<SessionState> = {}): SessionState {
  return {
    subSkills,
    band: 'G12',
    seenItemIds: new Set(),
    closedSubSkills: new Set(),
    served: [],
    responses: [],
    ...overrides,
  };
}

/** Returns the state after the engine's step, as stored. A step that serves no new item leaves it unchanged. */
export function afterStep(state: SessionState, step: NextStep): SessionState {
  if (step.outcome === 'no_eligible_item') {
    return { ...state, closedSubSkills: new Set([...state.closedSubSkills, step.subSkillCode]) };
  }
  if (step.outcome !== 'item_served') return state;
  const seq = state.served.length + 1;
  const { id: itemId, subSkillCode, difficulty: difficultyLogit } = step.item;
  const row = { servedItemId: `served-${seq}`, seq, itemId, subSkillCode, difficultyLogit, servedAtMs: seq * 60_000 };
  return { ...state, served: [...state.served, row] };
}

/** Answers the served item. */
export function afterReply(state: SessionState, reply: Reply, latencyMs = 1_000): SessionState {
  const response: ResponseRow = {
    seq: state.served.length,
    selectedOptionIndex: reply === 'skip' ? null : reply === 'right' ? 0 : 1,
    correct: reply === 'right',
    latencyMs,
  };
  return { ...state, responses: [...state.responses, response] };
}

/** Serves and answers until the replies are used or no further item is served. */
export function play(state: SessionState, rules: DiagnosticRules, replies: Iterable<Reply>, latencyMs = 1_000) {
  let current = state;
  const outcomes: NextStep[] = [];
  for (const reply of replies) {
    let step = nextStep(current, rules);
    for (; step.outcome === 'no_eligible_item'; step = nextStep(current, rules)) {
      outcomes.push(step);
      current = afterStep(current, step);
    }
    outcomes.push(step);
    if (step.outcome !== 'item_served') break;
    current = afterReply(afterStep(current, step), reply, latencyMs);
  }
  return { state: current, outcomes };
}

export const times = (count: number, reply: Reply): Reply[] => Array<Reply>(count).fill(reply);

/** Returns how many items of each sub-skill were served. */
export function servedCounts({ served }: SessionState): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { subSkillCode } of served) counts[subSkillCode] = (counts[subSkillCode] ?? 0) + 1;
  return counts;
}
