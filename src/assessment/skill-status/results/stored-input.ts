// The stored form of a run's input: a tuple per response, because property names took four fifths of the data. Pure;
// reading and writing are inverse to each other.

import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import {
  type EvidenceResponse,
  type EvidenceSession,
  marksOf,
  responseWithMarks,
} from '../../measurement/engine/index.ts';
import type { RunInput, RunRow } from './tables.ts';

/** Index of the session, item, sub-skill, marks (a sum), error class, micro-pattern. */
type StoredResponse = readonly [number, string, string, number, EvidenceResponse['errorClass'], string | null];

export interface StoredInput {
  readonly sessions: readonly EvidenceSession[];
  readonly responses: readonly StoredResponse[];
}

/** A stored run. */
export type StoredRun = Omit<RunRow, 'input'> & { readonly input: StoredInput };

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

export function readInput({ sessions, responses }: StoredInput): RunInput {
  return { sessions, responses: responses.map((response) => readResponse(response, sessions)) };
}

const readResponse = (
  [index, itemId, subSkillCode, marks, errorClass, microPattern]: StoredResponse,
  sessions: readonly EvidenceSession[],
): EvidenceResponse => {
  const sessionId = sessions[index]?.sessionId ?? '';
  return responseWithMarks({ sessionId, itemId, subSkillCode, errorClass, microPattern }, marks);
};

export const readRun = <Row extends { readonly input: StoredInput }>(row: Row) => ({
  ...row,
  input: readInput(row.input),
});
