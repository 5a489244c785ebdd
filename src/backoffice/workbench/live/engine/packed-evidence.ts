// The input of a run in some five bytes a response, so that the newest runs of many students lie in memory. Unpacking returns what
// evaluates equally: sessions have other names, in the same order.
import {
  type EvaluationInput,
  type EvidenceResponse,
  type EvidenceSession,
  evidenceSources,
  marksOf,
  responseWithMarks,
} from '#assessment/measurement/engine/index.ts';
import { NumberReader, NumberWriter } from './varints.ts';

export type EvidenceOfRun = Pick<EvaluationInput, 'sessions' | 'responses'>;

interface ItemWord {
  readonly itemId: string;
  readonly subSkillCode: string;
}

type ErrorWord = Pick<EvidenceResponse, 'errorClass' | 'microPattern'>;

/** Values that many students share, each kept once. */
class Shared<Value extends object> {
  readonly #numbers = new Map<string, number>();
  readonly #values: Value[] = [];

  numberOf(value: Value): number {
    const key = Object.values(value).map(String).join('\n');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#values.push({ ...value });
    this.#numbers.set(key, this.#values.length - 1);
    return this.#values.length - 1;
  }

  at(number: number): Value {
    const value = this.#values[number];
    if (!value) throw new RangeError(`there is no shared value ${number}`);
    return value;
  }

  get size(): number {
    return this.#values.length;
  }
}

/** Packs and unpacks; what it has packed, only it can unpack. */
export class EvidencePacker {
  readonly #items = new Shared<ItemWord>();
  readonly #errors = new Shared<ErrorWord>();

  /** The number of values that are kept beside the packed bytes. */
  get size(): number {
    return this.#items.size + this.#errors.size;
  }

  /** Throws RangeError for a session that ended at no instant, and for a response of an unknown session. */
  pack({ sessions, responses }: EvidenceOfRun): Uint8Array {
    const writer = new NumberWriter();
    const sorted = sessions.map(({ sessionId }) => sessionId).sort();
    const places = new Map(sessions.map(({ sessionId }, at) => [sessionId, at]));
    writer.add(sessions.length);
    for (const session of sessions) addSession(writer, session, sorted.indexOf(session.sessionId));
    for (const response of responses) {
      const place = places.get(response.sessionId);
      if (place === undefined) throw new RangeError(`no session ${response.sessionId} in the input`);
      const { itemId, subSkillCode, errorClass, microPattern } = response;
      writer.add(place);
      writer.add(this.#items.numberOf({ itemId, subSkillCode }));
      writer.add(marksOf(response));
      writer.add(this.#errors.numberOf({ errorClass, microPattern }));
    }
    return writer.bytes();
  }

  unpack(bytes: Uint8Array): EvidenceOfRun {
    const reader = new NumberReader(bytes);
    const sessions = Array.from({ length: reader.next() }, () => readSession(reader));
    const responses: EvidenceResponse[] = [];
    while (!reader.isAtEnd) {
      const { sessionId = '' } = sessions[reader.next()] ?? {};
      const item = this.#items.at(reader.next());
      const marks = reader.next();
      const error = this.#errors.at(reader.next());
      responses.push(responseWithMarks({ sessionId, ...item, ...error }, marks));
    }
    return { sessions, responses };
  }
}

/** `rank`: the place of the session’s name among all names of the run, since equal ends are ordered by it. */
function addSession(writer: NumberWriter, { source, endedAt, analysable }: EvidenceSession, rank: number): void {
  const endedAtMs = Date.parse(endedAt);
  if (!(endedAtMs >= 0)) throw new RangeError(`${endedAt} is no instant`);
  writer.add(rank);
  writer.add(evidenceSources.indexOf(source) * 2 + (analysable ? 1 : 0));
  writer.add(endedAtMs);
}

function readSession(reader: NumberReader): EvidenceSession {
  const rank = reader.next();
  const sourceAndMark = reader.next();
  const source = evidenceSources[sourceAndMark >> 1];
  if (!source) throw new RangeError(`there is no source ${sourceAndMark >> 1}`);
  const endedAt = new Date(reader.next()).toISOString();
  return { sessionId: String(rank).padStart(8, '0'), source, endedAt, analysable: (sourceAndMark & 1) === 1 };
}
