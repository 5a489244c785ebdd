// The stored form of a run's input: a tuple per response, because property names took four fifths of the data. Pure;
// reading and writing are inverse to each other.

import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { EvidenceResponse, EvidenceSession } from '../../measurement/index.ts';
import type { RunInput, RunRow } from './tables.ts';

/** Index of the session, item, sub-skill, marks (sum of `mark`), error class, micro-pattern. */
type StoredResponse = readonly [number, string, string, number, EvidenceResponse['errorClass'], string | null];

export interface StoredInput {
  readonly sessions: readonly EvidenceSession[];
  readonly responses: readonly StoredResponse[];
}

/** A stored run. */
export type StoredRun = Omit<RunRow, 'input'> & { readonly input: StoredInput };

/** Bits of a response. Their values must never change, since stored texts contain their sums. */
const mark = { analysable: 1, answered: 2, repeat: 4, correct: 8, supported: 16, slow: 32, doubtful: 64 } as const;

/**
 * Returns the canonical text of the stored form, which is hashed. It is written directly, because building lists for
 * serialization takes most of the time. Throws RangeError on a response of an unknown session.
 */
export function inputText({ sessions, responses }: RunInput): string {
  const indexes = new Map(sessions.map(({ sessionId }, index) => [sessionId, index]));
  let stored = '';
  for (const response of responses) {
    const index = indexes.get(response.sessionId);
    if (index === undefined) throw new RangeError(`no session ${response.sessionId} in the input`);
    stored += `${stored === '' ? '' : ','}${responseText(index, response)}`;
  }
  return `{"responses":[${stored}],"sessions":${canonicalJson(sessions)}}`;
}

/** Returns the text of a `StoredResponse`. */
function responseText(index: number, response: EvidenceResponse): string {
  const { itemId, subSkillCode, errorClass, microPattern } = response;
  const words = `${canonicalJson(itemId)},${canonicalJson(subSkillCode)}`;
  return `[${index},${words},${marksOf(response)},${canonicalJson(errorClass)},${canonicalJson(microPattern)}]`;
}

export const inputHash = (input: RunInput): string => sha256Hex(inputText(input));

const marksOf = (response: EvidenceResponse): number =>
  (response.analysable ? mark.analysable : 0) +
  (response.answered ? mark.answered : 0) +
  (response.attempt === 'repeat' ? mark.repeat : 0) +
  (response.correct ? mark.correct : 0) +
  (response.support === 'auto_support' ? mark.supported : 0) +
  (response.speed === 'slow' ? mark.slow : 0) +
  (response.behaviourMark ? mark.doubtful : 0);

export function readInput({ sessions, responses }: StoredInput): RunInput {
  return { sessions, responses: responses.map((response) => readResponse(response, sessions)) };
}

/** Written out as one object literal, because replays and impact simulations read millions. */
function readResponse(
  [index, itemId, subSkillCode, marks, errorClass, microPattern]: StoredResponse,
  sessions: readonly EvidenceSession[],
): EvidenceResponse {
  return {
    sessionId: sessions[index]?.sessionId ?? '',
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
  };
}

export const readRun = <Row extends { readonly input: StoredInput }>(row: Row) => ({
  ...row,
  input: readInput(row.input),
});
