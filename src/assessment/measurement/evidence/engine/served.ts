// Served sessions of diagnostics and practice before they become facts: items in order, with choices.
import type { Item, ItemBank } from '../../../content/engine/index.ts';

/** The chosen option; `index` is its position on the screen. */
export interface Choice {
  readonly index: number;
  readonly correct: boolean;
  readonly microPattern: string | null;
}

export interface ServedResponse {
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly expectedSeconds: number;
  /** Patterns that the item is designed to detect. */
  readonly designedPatterns: readonly string[];
  /** Whether the item is withdrawn as of the evaluation. */
  readonly withdrawn: boolean;
  /** Null when the item was skipped. */
  readonly choice: Choice | null;
  /** Limited to the observed time, without pauses and audio replays. */
  readonly latencyMs: number;
  /** The latency including the time of listening, which distinguishes guesses; omitted without audio replays. */
  readonly heardMs?: number | undefined;
  readonly hintServed: boolean;
  readonly audioReplays: number;
  readonly optionChanges: number;
}

export interface ServedSession {
  readonly sessionId: string;
  readonly source: 'diagnostic' | 'practice';
  /** ISO 8601 instant. */
  readonly endedAt: string;
  /** Whether a diagnostic is finished; a practice queue counts in every state. */
  readonly finished: boolean;
  /** In serving order. */
  readonly responses: readonly ServedResponse[];
  readonly pausesMs: readonly number[];
}

/** Returns whether an answer took more than `factor` times the expected time. */
export const isSlow = ({ latencyMs, expectedSeconds }: ServedResponse, factor: number): boolean =>
  latencyMs > factor * 1000 * expectedSeconds;

/** An answer as stored. */
export interface GivenAnswer {
  readonly subSkillCode: string;
  /** Null when skipped. */
  readonly index: number | null;
  readonly correct: boolean;
  readonly latencyMs: number;
  readonly heardMs?: number | undefined;
  readonly optionChanges?: number;
  readonly hintServed?: boolean;
  readonly audioReplays?: number;
}

/** Returns the served response. `item` is from the session's own bank. */
export function servedResponse(item: Item, answer: GivenAnswer, withdrawn: boolean): ServedResponse {
  const { index, correct, latencyMs, subSkillCode, hintServed = false, audioReplays = 0, optionChanges = 0 } = answer;
  const microPattern = item.options.find((option) => option.index === index)?.microPattern ?? null;
  return {
    itemId: item.id,
    subSkillCode,
    expectedSeconds: item.expectedSeconds,
    designedPatterns: item.designedPatterns,
    withdrawn,
    choice: index === null ? null : { index, correct, microPattern },
    latencyMs,
    ...(answer.heardMs !== undefined && { heardMs: answer.heardMs }),
    hintServed,
    audioReplays,
    optionChanges,
  };
}

/** Returns whether the item is withdrawn at `asOf` (ISO 8601). */
export const isWithdrawn = ({ status, withdrawnAt }: Item, asOf: string): boolean =>
  status === 'withdrawn' && (withdrawnAt === undefined || Date.parse(withdrawnAt) <= Date.parse(asOf));

/** Returns whether today's bank withdraws an item of any bank; an item that it lacks keeps its own status. */
export const isWithdrawnBy = (today: ItemBank, item: Item, asOf: string): boolean =>
  isWithdrawn(today.find(item.id) ?? item, asOf);

/** Returns whether today's bank withdraws the named item; false for an unknown name. */
export function isNameWithdrawn(today: ItemBank, itemId: string, asOf: string): boolean {
  const item = today.find(itemId);
  return item !== undefined && isWithdrawn(item, asOf);
}
