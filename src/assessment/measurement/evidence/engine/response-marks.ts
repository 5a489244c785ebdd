// The marks of a response as one number, for forms that hold many responses. Pure.
import type { EvidenceResponse } from './evidence.ts';

/** Bits of a response. Their values must never change, since stored texts contain their sums. */
const mark = { analysable: 1, answered: 2, repeat: 4, correct: 8, supported: 16, slow: 32, doubtful: 64 } as const;

/** What of a response is not a mark. */
export type ResponseNames = Pick<
  EvidenceResponse,
  'sessionId' | 'itemId' | 'subSkillCode' | 'errorClass' | 'microPattern'
>;

/** Returns the sum of the marks. */
export const marksOf = (response: EvidenceResponse): number =>
  (response.analysable ? mark.analysable : 0) +
  (response.answered ? mark.answered : 0) +
  (response.attempt === 'repeat' ? mark.repeat : 0) +
  (response.correct ? mark.correct : 0) +
  (response.support === 'auto_support' ? mark.supported : 0) +
  (response.speed === 'slow' ? mark.slow : 0) +
  (response.behaviourMark ? mark.doubtful : 0);

/** Inverse of `marksOf`. Written out as one object literal, because replays and impact simulations read millions. */
export const responseWithMarks = (
  { sessionId, itemId, subSkillCode, errorClass, microPattern }: ResponseNames,
  marks: number,
): EvidenceResponse => ({
  sessionId,
  itemId,
  subSkillCode,
  analysable: (marks & mark.analysable) !== 0,
  answered: (marks & mark.answered) !== 0,
  attempt: (marks & mark.repeat) !== 0 ? 'repeat' : 'first',
  correct: (marks & mark.correct) !== 0,
  support: (marks & mark.supported) !== 0 ? 'auto_support' : 'none',
  speed: (marks & mark.slow) !== 0 ? 'slow' : 'normal',
  errorClass,
  microPattern,
  behaviourMark: (marks & mark.doubtful) !== 0,
});
