// The state of a diagnostic session for the engine. Instants are milliseconds since the epoch.
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
  /** Limited to the observed time: see `countedLatencyMs`. */
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
  /** Items served to the student in the 30 days before the start. */
  readonly seenItemIds: ReadonlySet<string>;
  /** Sub-skills that were already reported as `no_eligible_item`. */
  readonly closedSubSkills: ReadonlySet<string>;
  /** By seq. */
  readonly served: readonly ServedRow[];
  readonly responses: readonly ResponseRow[];
}

/** Returns the served item without an answer. */
export function outstanding({ served, responses }: SessionState): ServedRow | undefined {
  const last = served.at(-1);
  return last && !responses.some(({ seq }) => seq === last.seq) ? last : undefined;
}

/** Returns the number of answered items without skipped ones. */
export const answeredCount = (responses: readonly ResponseRow[]): number =>
  responses.filter(({ selectedOptionIndex }) => selectedOptionIndex !== null).length;

export const activeMsUsed = (responses: readonly ResponseRow[]): number =>
  responses.reduce((sum, { latencyMs }) => sum + latencyMs, 0);

/** Returns the answers of one sub-skill in serving order, from which theta is estimated. */
export function scoredOf(state: SessionState, subSkillCode: string): { served: ServedRow; response: ResponseRow }[] {
  return state.served.flatMap((served) => {
    if (served.subSkillCode !== subSkillCode) return [];
    const response = state.responses.find(({ seq }) => seq === served.seq);
    return response && response.selectedOptionIndex !== null ? [{ served, response }] : [];
  });
}
