// The input of a run as it is stored: a list for each response, because names beside every value were four fifths of all
// that a run stores, hashes and sends. Pure; both ways are the inverse of each other.

import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { EvidenceResponse, EvidenceSession } from '../../measurement/index.ts';
import type { RunInput, RunRow } from './tables.ts';

/** Place of the session in the list, item, sub-skill, marks (sum of `mark`), error class, micro-pattern. */
type StoredResponse = readonly [number, string, string, number, EvidenceResponse['errorClass'], string | null];

export interface StoredInput {
  readonly sessions: readonly EvidenceSession[];
  readonly responses: readonly StoredResponse[];
}

/** A run as its row tells it. */
export type StoredRun = Omit<RunRow, 'input'> & { readonly input: StoredInput };

/** What is true of a response; what these numbers mean never changes, for stored texts hold their sums. */
const mark = { analysable: 1, answered: 2, repeat: 4, correct: 8, supported: 16, slow: 32, doubtful: 64 } as const;

/**
 * Canonical text of the stored form, which is hashed; written out, for lists that are only made to be written take most of the
 * time. Throws RangeError on a response of a session that is not there.
 */
export function inputText({ sessions, responses }: RunInput): string {
  const places = new Map(sessions.map(({ sessionId }, place) => [sessionId, place]));
  let stored = '';
  for (const response of responses) {
    const place = places.get(response.sessionId);
    if (place === undefined) throw new RangeError(`no session ${response.sessionId} in the input`);
    stored += `${stored === '' ? '' : ','}${responseText(place, response)}`;
  }
  return `{"responses":[${stored}],"sessions":${canonicalJson(sessions)}}`;
}

/** As `StoredResponse` says. */
function responseText(place: number, response: EvidenceResponse): string {
  const { itemId, subSkillCode, errorClass, microPattern } = response;
  const words = `${canonicalJson(itemId)},${canonicalJson(subSkillCode)}`;
  return `[${place},${words},${marksOf(response)},${canonicalJson(errorClass)},${canonicalJson(microPattern)}]`;
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

/** Written out: replays and impacts read them by the million. */
function readResponse(
  [place, itemId, subSkillCode, marks, errorClass, microPattern]: StoredResponse,
  sessions: readonly EvidenceSession[],
): EvidenceResponse {
  return {
    sessionId: sessions[place]?.sessionId ?? '',
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
