// Layer CIS: determines whether the sessions of a sub-skill conflict, and which side the evidence favours.

import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { ratio4 } from '#core/platform/pure/round.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { firstHit } from '#rules/rulesets/engine/index.ts';
import type { Thresholds } from '../../../measurement/engine/index.ts';
import type { SessionTally } from '../evidence/tally.ts';
import { type ConflictState, type ConflictWinner, conflictStates, conflictWinners } from '../vocabulary.ts';
import { cisFacts } from './typed-facts.ts';

export interface Conflict {
  readonly ruleId: string;
  readonly state: ConflictState;
  /** Whether the conflict is settled in favour of the better side. */
  readonly okSideWins: boolean;
}

interface Side {
  sessions: number;
  units: number;
  weight: number;
  oldestMs: number;
  newestMs: number;
  standard: boolean;
}

export type ConflictLayer = (sessions: readonly SessionTally[]) => Conflict;

export function compileConflict(bundle: RuleBundle, thresholds: Thresholds): ConflictLayer {
  const settle = firstHit(bundle.table('cis/cis'), cisFacts, (answer) => ({
    ruleId: answer.ruleId,
    state: answer.word('outcome', conflictStates),
    winner: answer.word('winner', conflictWinners),
  }));
  const oneSided = settle({ sides: 'one_sided', imbalance: 1, authority: false, daysApart: 0 });
  const undisputed: Conflict = { ruleId: oneSided.ruleId, state: oneSided.state, okSideWins: false };
  return (sessions) => {
    if (sessions.length < 2) return undisputed;
    const { weak, ok } = takeSides(sessions, thresholds);
    if (weak.sessions === 0 || ok.sessions === 0) return undisputed;
    const daysApart = Math.abs(weak.newestMs - ok.newestMs) / dayMs;
    const succeeding = succeedingSide(weak, ok, thresholds);
    if (succeeding) {
      const { ruleId, state } = settle({ sides: 'two_sided', imbalance: 0, authority: false, daysApart });
      return { ruleId, state, okSideWins: succeeding === ok };
    }
    const { ruleId, state, winner } = settle({
      sides: 'two_sided',
      imbalance: ratio4(Math.abs(weak.weight - ok.weight), weak.weight + ok.weight),
      authority: weak.standard !== ok.standard,
      daysApart,
    });
    return { ruleId, state, okSideWins: okWins(winner, weak, ok) };
  };
}

/**
 * Returns the side all of whose sessions lie DTH-CNF-05 days after those of the other, when it has enough answers to
 * stand alone and is no less a standard test; null when there is none, or in versions without the constant.
 */
function succeedingSide(weak: Side, ok: Side, { recencyDays, minimumItems }: Thresholds): Side | null {
  if (recencyDays === null) return null;
  const [earlier, later] = weak.newestMs < ok.newestMs ? [weak, ok] : [ok, weak];
  if (later.oldestMs - earlier.newestMs < recencyDays * dayMs) return null;
  if (later.units < minimumItems) return null;
  return earlier.standard && !later.standard ? null : later;
}

function takeSides(sessions: readonly SessionTally[], thresholds: Thresholds): { weak: Side; ok: Side } {
  const weak = emptySide();
  const ok = emptySide();
  for (const session of sessions) {
    if (session.units < thresholds.sideUnits) continue;
    const rate = ratio4(session.weightedDeficit, session.weight);
    if (rate >= thresholds.weakRate) join(weak, session);
    else if (rate < thresholds.okRate) join(ok, session);
  }
  return { weak, ok };
}

const emptySide = (): Side => ({
  sessions: 0,
  units: 0,
  weight: 0,
  oldestMs: Infinity,
  newestMs: -Infinity,
  standard: false,
});

function join(side: Side, { session, weight, units }: SessionTally): void {
  side.sessions += 1;
  side.units += units;
  side.weight += weight;
  side.oldestMs = Math.min(side.oldestMs, session.endedAtMs);
  side.newestMs = Math.max(side.newestMs, session.endedAtMs);
  side.standard ||= session.standard;
}

function okWins(winner: ConflictWinner, weak: Side, ok: Side): boolean {
  if (winner === 'none') return false;
  if (winner === 'heavier') return ok.weight > weak.weight;
  return weak.standard === ok.standard ? ok.newestMs > weak.newestMs : ok.standard;
}
