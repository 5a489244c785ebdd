// Finds the error pattern that the wrong answers of a sub-skill share, and its strength.

import type { Thresholds } from '../../../measurement/engine/index.ts';
import { type PatternState, patternStates } from '../vocabulary.ts';
import type { CodedResponse } from './gather.ts';

export interface PatternEvidence {
  readonly state: PatternState;
  /** The pattern with this state: the most frequent of the strongest, then the first by name. */
  readonly leading: string | null;
}

const noPattern: PatternEvidence = { state: 'none', leading: null };

/** Returns the strongest state of any pattern among the wrong units. */
export function findPattern(units: readonly CodedResponse[], thresholds: Thresholds): PatternEvidence {
  const byPattern = new Map<string, CodedResponse[]>();
  for (const unit of units) {
    const { microPattern, correct } = unit.response;
    if (correct || microPattern === null) continue;
    const known = byPattern.get(microPattern);
    if (known) known.push(unit);
    else byPattern.set(microPattern, [unit]);
  }
  if (byPattern.size === 0) return noPattern;
  const found = [...byPattern].map(([name, wrong]) => ({
    name,
    units: wrong.length,
    state: stateOf(wrong, thresholds),
  }));
  const [leading] = found.sort(
    (left, right) => strength(right.state) - strength(left.state) || right.units - left.units || byName(left, right),
  );
  return leading ? { state: leading.state, leading: leading.name } : noPattern;
}

/** Persistent: often and in several sessions. Linked: on several items of one session. Both require several items. */
function stateOf(
  units: readonly CodedResponse[],
  { linkedItems, persistentUnits, persistentSessions }: Thresholds,
): PatternState {
  const items = new Set(units.map((unit) => unit.response.itemId));
  if (items.size < linkedItems) return 'single';
  const sessions = new Set(units.map((unit) => unit.session));
  if (units.length >= persistentUnits && sessions.size >= persistentSessions) return 'persistent';
  return [...sessions].some((session) => itemsIn(units, session) >= linkedItems) ? 'linked' : 'single';
}

const itemsIn = (units: readonly CodedResponse[], session: CodedResponse['session']): number =>
  new Set(units.filter((unit) => unit.session === session).map((unit) => unit.response.itemId)).size;

const strength = (state: PatternState): number => patternStates.indexOf(state);

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : 1;
