// Which evidence of a school year speaks for a student today: of every sub-skill only its newest sessions.

import type { Thresholds } from '../../../measurement/engine/index.ts';
import { EvidenceError, type EvidenceResponse, type EvidenceSession } from '../../../measurement/engine/index.ts';
import type { Coding } from './coding.ts';

export interface Evidence {
  readonly sessions: readonly EvidenceSession[];
  readonly responses: readonly EvidenceResponse[];
}

/** Both ends included, ISO 8601 instants. */
export interface EvidenceWindow {
  readonly from: string;
  readonly to: string;
}

export interface WindowRules {
  readonly thresholds: Thresholds;
  readonly coding: Coding;
}

/**
 * Cuts evidence to the window and, per sub-skill, to its newest DTH-WIN-01 sessions with a scored response (by end,
 * then session id). A sub-skill without any scored response keeps all its responses: they say that it was tried.
 * Sessions come back oldest first, responses by session and then in the order given.
 */
export function selectWindow(evidence: Evidence, window: EvidenceWindow, rules: WindowRules): Evidence {
  const sessions = evidence.sessions
    .filter(({ endedAt }) => isWithin(endedAt, window))
    .sort((left, right) => Date.parse(left.endedAt) - Date.parse(right.endedAt) || compare(left, right));
  const places = new Map(sessions.map(({ sessionId }, place) => [sessionId, place]));
  const bySession: EvidenceResponse[][] = sessions.map(() => []);
  for (const response of evidence.responses) bySession[places.get(response.sessionId) ?? -1]?.push(response);
  const chosen = newestScored(bySession, sessions, rules);
  const kept = bySession.map((responses, place) =>
    responses.filter(({ subSkillCode }) => chosen.get(subSkillCode)?.has(place) ?? true),
  );
  return {
    sessions: sessions.filter(({ sessionId }) => kept[places.get(sessionId) ?? -1]?.length),
    responses: ([] as EvidenceResponse[]).concat(...kept),
  };
}

function isWithin(endedAt: string, { from, to }: EvidenceWindow): boolean {
  const endedAtMs = Date.parse(endedAt);
  if (Number.isNaN(endedAtMs)) throw new EvidenceError(`${endedAt} is no instant`);
  return endedAtMs >= Date.parse(from) && endedAtMs <= Date.parse(to);
}

const compare = (left: EvidenceSession, right: EvidenceSession): number => (left.sessionId < right.sessionId ? -1 : 1);

/** Sub-skill → places of its newest sessions with a scored response; absent where nothing was scored. */
function newestScored(
  bySession: readonly (readonly EvidenceResponse[])[],
  sessions: readonly EvidenceSession[],
  { coding, thresholds }: WindowRules,
): Map<string, ReadonlySet<number>> {
  const scored = new Map<string, number[]>();
  for (const [place, responses] of bySession.entries()) {
    const analysable = sessions[place]?.analysable ?? false;
    for (const response of responses) {
      if (coding(response, analysable).scored) addPlace(scored, response.subSkillCode, place);
    }
  }
  const newest = (places: readonly number[]) => places.slice(Math.max(0, places.length - thresholds.windowSessions));
  return new Map([...scored].map(([code, places]) => [code, new Set(newest(places))]));
}

/** Places come in order. */
function addPlace(scored: Map<string, number[]>, code: string, place: number): void {
  const places = scored.get(code);
  if (!places) scored.set(code, [place]);
  else if (places.at(-1) !== place) places.push(place);
}
