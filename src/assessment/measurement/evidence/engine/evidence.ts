// The evidence of one student for the pipeline: sessions and responses of the evidence window, as facts.

export const evidenceSources = ['diagnostic', 'practice', 'orf'] as const;
export type EvidenceSource = (typeof evidenceSources)[number];

export interface EvidenceSession {
  readonly sessionId: string;
  readonly source: EvidenceSource;
  /** ISO 8601 instant: finished, stopped, or the last answer of a practice queue. */
  readonly endedAt: string;
  /** Whether the session was finished; always true for practice. */
  readonly analysable: boolean;
}

export const errorClasses = ['none', 'prerequisite', 'accuracy_mark', 'target'] as const;
export type ErrorClass = (typeof errorClasses)[number];

/** Facts of one response. It counts only when both it and its session are `analysable`. */
export interface ResponseFacts {
  /** Whether the item is not withdrawn as of the evaluation. */
  readonly analysable: boolean;
  /** Whether an option was chosen. */
  readonly answered: boolean;
  /** `repeat`: the item already has an answer in this session. */
  readonly attempt: 'first' | 'repeat';
  /** False when not answered. */
  readonly correct: boolean;
  /** Whether a hint was served with the item. */
  readonly support: 'none' | 'auto_support';
  readonly speed: 'normal' | 'slow';
  readonly errorClass: ErrorClass;
  /** The pattern of the wrong choice, if the item is designed to detect it. */
  readonly microPattern: string | null;
  /** Whether effort is doubtful; never changes a score. */
  readonly behaviourMark: boolean;
}

export interface EvidenceResponse extends ResponseFacts {
  readonly sessionId: string;
  readonly itemId: string;
  readonly subSkillCode: string;
}

/** The input of an evaluation besides the rules. The order of sessions and responses has no meaning. */
export interface EvaluationInput {
  /** 1 to 4: the grade of the student's class. */
  readonly grade: number;
  /** ISO 8601 instant; the evidence is already cut to the window (`selectWindow`). */
  readonly asOf: string;
  /** Whether an active context flag requires review before a label. */
  readonly contextReviewActive: boolean;
  readonly sessions: readonly EvidenceSession[];
  readonly responses: readonly EvidenceResponse[];
}

/** Inconsistent evidence: an unknown session, sub-skill or moment. */
export class EvidenceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EvidenceError';
  }
}
