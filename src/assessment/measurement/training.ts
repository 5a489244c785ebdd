// Training data before pattern analysis: practice queues and TRAINING warm-ups alike.

export interface TrainingAnswer {
  readonly sessionId: string;
  /** ISO 8601 instant. */
  readonly startedAt: string;
  /** `content/item-bank@1` */
  readonly bankVersion: string;
  readonly itemId: string;
  readonly selectedOptionIndex: number;
  readonly correct: boolean;
  readonly latencyMs: number;
  /** `repeat`: the item was already answered in this session. */
  readonly attempt: 'first' | 'repeat';
  /** ISO 8601 instant. */
  readonly receivedAt: string;
}

/** A hint that came with an item. */
export interface HintDelivery {
  readonly patternKey: string;
  readonly sessionId: string;
  /** ISO 8601 instant. */
  readonly at: string;
}
