// What the pipeline is told about one student: sessions and responses of the evidence window, as facts.

export const evidenceSources = ['diagnostic', 'practice', 'orf'] as const;
export type EvidenceSource = (typeof evidenceSources)[number];

export interface EvidenceSession {
  readonly sessionId: string;
  readonly source: EvidenceSource;
  /** ISO 8601 instant: finished, stopped, or the last answer of a practice queue. */
  readonly endedAt: string;
  /** The session was finished; practice always is. */
  readonly analysable: boolean;
}

export const errorClasses = ['none', 'prerequisite', 'accuracy_mark', 'target'] as const;
export type ErrorClass = (typeof errorClasses)[number];

/** Facts of one response; a response counts only when its own and its session's `analysable` hold. */
export interface ResponseFacts {
  /** The item is not withdrawn as of the evaluation. */
  readonly analysable: boolean;
  /** An option was chosen. */
  readonly answered: boolean;
  /** `repeat`: the item already has an answered response in this session. */
  readonly attempt: 'first' | 'repeat';
  /** False when not answered. */
  readonly correct: boolean;
  /** A hint was served with it. */
  readonly support: 'none' | 'auto_support';
  readonly speed: 'normal' | 'slow';
  readonly errorClass: ErrorClass;
  /** The pattern of the wrong choice, when the item was designed to detect it. */
  readonly microPattern: string | null;
  /** Doubtful effort; never changes a score. */
  readonly behaviourMark: boolean;
}

export interface EvidenceResponse extends ResponseFacts {
  readonly sessionId: string;
  readonly itemId: string;
  readonly subSkillCode: string;
}

/** Everything an evaluation depends on besides the rules. Order of sessions and of responses carries no meaning. */
export interface EvaluationInput {
  /** 1 to 4: the grade of the student's class. */
  readonly grade: number;
  /** ISO 8601 instant; the window has been cut to it already (`selectWindow`). */
  readonly asOf: string;
  /** An active context flag asks for review before a label. */
  readonly contextReviewActive: boolean;
  readonly sessions: readonly EvidenceSession[];
  readonly responses: readonly EvidenceResponse[];
}

/** Evidence that does not hang together: an unknown session, sub-skill or moment. */
export class EvidenceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EvidenceError';
  }
}
