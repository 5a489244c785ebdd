// Selects the current evidence of a school year: the newest sessions of each sub-skill.

import type { Thresholds } from '../../../measurement/engine/index.ts';
import { EvidenceError, type EvidenceResponse, type EvidenceSession } from '../../../measurement/engine/index.ts';
import type { Coding } from './coding.ts';

export interface Evidence {
  readonly sessions: readonly EvidenceSession[];
  readonly responses: readonly EvidenceResponse[];
}

/** A window with inclusive ends, ISO 8601 instants. */
export interface EvidenceWindow {
  readonly from: string;
  readonly to: string;
}

export interface WindowRules {
  readonly thresholds: Thresholds;
  readonly coding: Coding;
}

/**
 * Returns the evidence in the window, per sub-skill only of its newest DTH-WIN-01 sessions with a scored response (by
 * end, then session id). A sub-skill without scored responses keeps all responses, which show that it was tried.
 * Sessions are sorted oldest first, responses by session and then in the given order.
 */
export function selectWindow(evidence: Evidence, window: EvidenceWindow, rules: WindowRules): Evidence {
  const sessions = evidence.sessions
    .filter(({ endedAt }) => isWithin(endedAt, window))
    .sort((left, right) => Date.parse(left.endedAt) - Date.parse(right.endedAt) || compare(left, right));
  const indexes = new Map(sessions.map(({ sessionId }, index) => [sessionId, index]));
  const bySession: EvidenceResponse[][] = sessions.map(() => []);
  for (const response of evidence.responses) bySession[indexes.get(response.sessionId) ?? -1]?.push(response);
  const chosen = newestScored(bySession, sessions, rules);
  const kept = bySession.map((responses, index) =>
    responses.filter(({ subSkillCode }) => chosen.get(subSkillCode)?.has(index) ?? true),
  );
  return {
    sessions: sessions.filter(({ sessionId }) => kept[indexes.get(sessionId) ?? -1]?.length),
    responses: ([] as EvidenceResponse[]).concat(...kept),
  };
}

function isWithin(endedAt: string, { from, to }: EvidenceWindow): boolean {
  const endedAtMs = Date.parse(endedAt);
  if (Number.isNaN(endedAtMs)) throw new EvidenceError(`${endedAt} is no instant`);
  return endedAtMs >= Date.parse(from) && endedAtMs <= Date.parse(to);
}

const compare = (left: EvidenceSession, right: EvidenceSession): number => (left.sessionId < right.sessionId ? -1 : 1);

/** Returns per sub-skill the indexes of its newest sessions with a scored response. */
function newestScored(
  bySession: readonly (readonly EvidenceResponse[])[],
  sessions: readonly EvidenceSession[],
  { coding, thresholds }: WindowRules,
): Map<string, ReadonlySet<number>> {
  const scored = new Map<string, number[]>();
  for (const [index, responses] of bySession.entries()) {
    const analysable = sessions[index]?.analysable ?? false;
    for (const response of responses) {
      if (coding(response, analysable).scored) addIndex(scored, response.subSkillCode, index);
    }
  }
  const newest = (indexes: readonly number[]) => indexes.slice(Math.max(0, indexes.length - thresholds.windowSessions));
  return new Map([...scored].map(([code, indexes]) => [code, new Set(newest(indexes))]));
}

/** Adds an index; indexes arrive in ascending order. */
function addIndex(scored: Map<string, number[]>, code: string, index: number): void {
  const indexes = scored.get(code);
  if (!indexes) scored.set(code, [index]);
  else if (indexes.at(-1) !== index) indexes.push(index);
}
