// Which evidence of a school year speaks for a student today: of every sub-skill only its newest sessions.

import type { Thresholds } from '../../../measurement/index.ts';
import { EvidenceError, type EvidenceResponse, type EvidenceSession } from '../../../measurement/index.ts';
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
  const places = new Map(sessions.map((session, place) => [session.sessionId, place]));
  const inTime = evidence.responses.filter(({ sessionId }) => places.has(sessionId));
  const chosen = newestScored(inTime, sessions, places, rules);
  const kept = inTime.filter(({ subSkillCode, sessionId }) => chosen.get(subSkillCode)?.has(sessionId) ?? true);
  const used = new Set(kept.map(({ sessionId }) => sessionId));
  const place = ({ sessionId }: EvidenceResponse) => places.get(sessionId) ?? 0;
  return {
    sessions: sessions.filter(({ sessionId }) => used.has(sessionId)),
    responses: kept.sort((left, right) => place(left) - place(right)),
  };
}

function isWithin(endedAt: string, { from, to }: EvidenceWindow): boolean {
  const endedAtMs = Date.parse(endedAt);
  if (Number.isNaN(endedAtMs)) throw new EvidenceError(`${endedAt} is no instant`);
  return endedAtMs >= Date.parse(from) && endedAtMs <= Date.parse(to);
}

const compare = (left: EvidenceSession, right: EvidenceSession): number => (left.sessionId < right.sessionId ? -1 : 1);

/** Sub-skill → its newest sessions with a scored response; absent where nothing was scored. */
function newestScored(
  responses: readonly EvidenceResponse[],
  sessions: readonly EvidenceSession[],
  places: ReadonlyMap<string, number>,
  { coding, thresholds }: WindowRules,
): Map<string, ReadonlySet<string>> {
  const scored = new Map<string, Set<number>>();
  for (const response of responses) {
    const place = places.get(response.sessionId) ?? -1;
    if (!coding(response, sessions[place]?.analysable ?? false).scored) continue;
    scored.set(response.subSkillCode, (scored.get(response.subSkillCode) ?? new Set()).add(place));
  }
  return new Map([...scored].map(([code, found]) => [code, newest(found, sessions, thresholds.windowSessions)]));
}

function newest(found: ReadonlySet<number>, sessions: readonly EvidenceSession[], limit: number): ReadonlySet<string> {
  const places = [...found].sort((left, right) => right - left).slice(0, limit);
  return new Set(places.map((place) => sessions[place]?.sessionId ?? ''));
}
