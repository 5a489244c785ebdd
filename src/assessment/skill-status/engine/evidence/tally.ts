// Sums over the scored units of one sub-skill, from which its facts are computed.
import type { CodedResponse, Session } from './gather.ts';

export interface SessionTally {
  readonly session: Session;
  units: number;
  weight: number;
  /** Σ weight × deficit. */
  weightedDeficit: number;
}

export interface Tally {
  readonly sessions: readonly SessionTally[];
  readonly distinctItems: number;
  readonly weight: number;
  /** Σ weight × deficit. */
  readonly weightedDeficit: number;
  readonly right: number;
  readonly rightWithSupport: number;
  readonly rightSlow: number;
  readonly wrong: number;
  readonly wrongByPrerequisite: number;
  /** Wrong units with a behaviour mark. */
  readonly wrongMarked: number;
}
type Sums = { -readonly [Name in keyof Tally]: Tally[Name] };

/** Returns the sums. Sessions are unordered; no derived value depends on their order. */
export function tally(units: readonly CodedResponse[]): Tally {
  const items = new Set<string>();
  const sessions: SessionTally[] = [];
  const sums = emptySums(sessions);
  for (const unit of units) {
    items.add(unit.response.itemId);
    addToSession(tallyOf(sessions, unit.session), unit);
    if (unit.response.correct) addRight(sums, unit);
    else addWrong(sums, unit);
  }
  for (const session of sessions) {
    sums.weight += session.weight;
    sums.weightedDeficit += session.weightedDeficit;
  }
  sums.distinctItems = items.size;
  return sums;
}

const emptySums = (sessions: readonly SessionTally[]): Sums => ({
  sessions,
  distinctItems: 0,
  weight: 0,
  weightedDeficit: 0,
  right: 0,
  rightWithSupport: 0,
  rightSlow: 0,
  wrong: 0,
  wrongByPrerequisite: 0,
  wrongMarked: 0,
});

function addToSession(session: SessionTally, { weight, deficit }: CodedResponse): void {
  session.units += 1;
  session.weight += weight;
  session.weightedDeficit += weight * deficit;
}

function addRight(sums: Sums, { code }: CodedResponse): void {
  sums.right += 1;
  if (code === 'CORRECT_WITH_SUPPORT') sums.rightWithSupport += 1;
  if (code === 'CORRECT_SLOW') sums.rightSlow += 1;
}

function addWrong(sums: Sums, { code, response }: CodedResponse): void {
  sums.wrong += 1;
  if (code === 'ERROR_PREREQUISITE') sums.wrongByPrerequisite += 1;
  if (response.behaviourMark) sums.wrongMarked += 1;
}

/** Finds or adds a session by linear search, since a window has a handful of them. */
function tallyOf(sessions: SessionTally[], session: Session): SessionTally {
  for (const known of sessions) if (known.session === session) return known;
  const added = { session, units: 0, weight: 0, weightedDeficit: 0 };
  sessions.push(added);
  return added;
}
