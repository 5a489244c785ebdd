// A diagnostic session as its rows tell it. Instants are milliseconds since the epoch.
import type { GradeBand } from '../../../content/engine/index.ts';
import type { diagnosticEventTypes, diagnosticStatuses } from '../../enums.ts';

export type SessionStatus = (typeof diagnosticStatuses)[number];

export interface ServedRow {
  readonly servedItemId: string;
  /** From 1, in serving order. */
  readonly seq: number;
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly difficultyLogit: number;
  readonly servedAtMs: number;
}

export interface ResponseRow {
  readonly seq: number;
  /** Null when skipped. */
  readonly selectedOptionIndex: number | null;
  readonly correct: boolean;
  /** Clamped: see `countedLatencyMs`. */
  readonly latencyMs: number;
}

export interface EventRow {
  readonly type: (typeof diagnosticEventTypes)[number];
  readonly servedItemId: string | null;
  readonly atMs: number;
  readonly durationMs: number | null;
}

export interface SessionState {
  readonly subSkills: readonly string[];
  readonly band: GradeBand;
  /** Items that the student had met in the 30 days before the start. */
  readonly seenItemIds: ReadonlySet<string>;
  /** Reported as `no_eligible_item` already. */
  readonly closedSubSkills: ReadonlySet<string>;
  /** By seq. */
  readonly served: readonly ServedRow[];
  readonly responses: readonly ResponseRow[];
}

/** The item that is out and not answered yet. */
export function outstanding({ served, responses }: SessionState): ServedRow | undefined {
  const last = served.at(-1);
  return last && !responses.some(({ seq }) => seq === last.seq) ? last : undefined;
}

/** Answered items; skipped ones are not. */
export const answeredCount = (responses: readonly ResponseRow[]): number =>
  responses.filter(({ selectedOptionIndex }) => selectedOptionIndex !== null).length;

export const activeMsUsed = (responses: readonly ResponseRow[]): number =>
  responses.reduce((sum, { latencyMs }) => sum + latencyMs, 0);

/** Answers given to one sub-skill, in serving order: what theta is estimated from. */
export function scoredOf(state: SessionState, subSkillCode: string): { served: ServedRow; response: ResponseRow }[] {
  return state.served.flatMap((served) => {
    if (served.subSkillCode !== subSkillCode) return [];
    const response = state.responses.find(({ seq }) => seq === served.seq);
    return response && response.selectedOptionIndex !== null ? [{ served, response }] : [];
  });
}
