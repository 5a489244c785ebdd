// What a diagnostic or practice session left behind, before it becomes facts: served items in order, with choices.
import type { Item, ItemBank } from '../../../content/engine/index.ts';

/** The chosen option; `index` is its place on the screen. */
export interface Choice {
  readonly index: number;
  readonly correct: boolean;
  readonly microPattern: string | null;
}

export interface ServedResponse {
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly expectedSeconds: number;
  /** Patterns that the item was built to detect. */
  readonly designedPatterns: readonly string[];
  /** The item is withdrawn as of the evaluation. */
  readonly withdrawn: boolean;
  /** Null when the item was skipped. */
  readonly choice: Choice | null;
  /** Clamped to the time that really passed, without pauses and replays of the audio. */
  readonly latencyMs: number;
  /** The same with the time of listening, which tells guesses from answers. Left out: nothing was heard again. */
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
  /** Of a diagnostic; a practice queue counts in every state. */
  readonly finished: boolean;
  /** In serving order. */
  readonly responses: readonly ServedResponse[];
  readonly pausesMs: readonly number[];
}

/** Slower than `factor` times the expected time. */
export const isSlow = ({ latencyMs, expectedSeconds }: ServedResponse, factor: number): boolean =>
  latencyMs > factor * 1000 * expectedSeconds;

/** An answer as its row tells it. */
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

/** `item`: as the session's own bank has it. */
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

/** As the given bank tells it; `asOf`: ISO 8601. */
export const isWithdrawn = ({ status, withdrawnAt }: Item, asOf: string): boolean =>
  status === 'withdrawn' && (withdrawnAt === undefined || Date.parse(withdrawnAt) <= Date.parse(asOf));

/** The same of an item of whichever bank; one that today's bank does not have is as its own bank has it. */
export const isWithdrawnBy = (today: ItemBank, item: Item, asOf: string): boolean =>
  isWithdrawn(today.find(item.id) ?? item, asOf);

/** The same by an item's name; a name that today's bank does not have is no item of any bank's. */
export function isNameWithdrawn(today: ItemBank, itemId: string, asOf: string): boolean {
  const item = today.find(itemId);
  return item !== undefined && isWithdrawn(item, asOf);
}
