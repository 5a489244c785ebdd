// Answers of a warm-up with their latencies: running time since the previous answer or skip.

export interface AnswerEvent {
  readonly type: 'answer' | 'skip';
  /** Running time. */
  readonly atMs: number;
  readonly itemId: string | null;
  readonly selectedOptionIndex: number | null;
  readonly correct: boolean | null;
  readonly receivedAt: string;
}

export interface TimedAnswer {
  readonly itemId: string;
  readonly selectedOptionIndex: number;
  readonly correct: boolean;
  /** Running time at the answer. */
  readonly atMs: number;
  /** Latency for detecting rapid guesses, in milliseconds. */
  readonly latencyMs: number;
  /** `repeat`: the item was already answered in this session. */
  readonly attempt: 'first' | 'repeat';
  /** ISO 8601 instant. */
  readonly receivedAt: string;
}

/** Returns the answers of one session; `events` are in the order of their numbers. */
export function timedAnswers(events: readonly AnswerEvent[]): TimedAnswer[] {
  const answered = new Set<string>();
  return events.flatMap(({ type, itemId, selectedOptionIndex, correct, atMs, receivedAt }, at) => {
    if (type !== 'answer' || itemId === null || selectedOptionIndex === null) return [];
    const attempt = answered.has(itemId) ? 'repeat' : 'first';
    answered.add(itemId);
    const latencyMs = atMs - (events[at - 1]?.atMs ?? 0);
    return [{ itemId, selectedOptionIndex, correct: correct === true, atMs, latencyMs, attempt, receivedAt }];
  });
}
