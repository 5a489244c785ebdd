// The tables beside the pipeline, where a draft is about them: what is logged of sessions (RBM) and of error patterns
// (SUBFLAG) is asked about again.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { collect, FactError, type Facts, type Table } from '#rules/rulesets/index.ts';
import { flagPairs } from '../engine/flag-pairs.ts';
import { addHits, type ImpactPosition, tallyOf } from '../engine/position.ts';
import { addPairs } from '../engine/tally.ts';
import type { RulePair } from '../rule-pair.ts';

export interface StudentYear {
  readonly studentId: number;
  readonly schoolYear: string;
  /** ISO 8601: its first moment. */
  readonly from: string;
}

export interface FlagWindows {
  readonly organizationId: string;
  readonly students: readonly StudentYear[];
  readonly asOf: string;
}

export interface FlagRows {
  readonly sessions: readonly simulation.LoggedSession[];
  readonly patterns: readonly simulation.StoredFlag[];
}

/** Of the tables that the draft is about. */
export const readFlags = async (trx: Trx, windows: FlagWindows, { layers }: RulePair): Promise<FlagRows> => ({
  sessions: layers.includes('RBM') ? await simulation.loggedSessions(trx, windows) : [],
  patterns: layers.includes('SUBFLAG') ? await simulation.storedFlags(trx, windows) : [],
});

/** Adds what changes to the position, and answers the students whose flags do. */
export function compareFlags(
  organizationId: string,
  { sessions, patterns }: FlagRows,
  rulePair: RulePair,
  position: ImpactPosition,
): Set<number> {
  const changed = new Set<number>();
  for (const session of sessions) {
    if (compareSession(organizationId, position, rulePair, session)) changed.add(session.studentId);
  }
  for (const flag of patterns) {
    if (compareSubFlag(organizationId, position, rulePair, flag)) changed.add(flag.studentId);
  }
  return changed;
}

function compareSession(
  organizationId: string,
  position: ImpactPosition,
  { before, after }: RulePair,
  session: simulation.LoggedSession,
): boolean {
  const { id, studentId, sessionId, facts } = session;
  const [old, young] = [before.bundle.table('rbm/rbm'), after.bundle.table('rbm/rbm')];
  const said = { before: hitsOf(old, facts), after: hitsOf(young, facts) };
  if (!said.before || !said.after) return false;
  for (const side of ['before', 'after'] as const) {
    for (const { ruleId } of said[side] ?? []) addHits(position, side, simulation.ruleName('rbm/rbm', ruleId), 1);
  }
  const [from, to] = [said.before, said.after].map((hits) => hits.map(({ outcome }) => outcome));
  const pairs = flagPairs(sessionId, from ?? [], to ?? []);
  return addPairs(tallyOf(position, 'RBM'), { organizationId, studentId, ref: String(id) }, pairs);
}

/** Undefined for a session whose logged facts are not those that the table asks for: it cannot be asked about. */
export function hitsOf(table: Table, facts: Facts) {
  try {
    return collect(table, facts);
  } catch (error) {
    if (error instanceof FactError) return undefined;
    throw error;
  }
}

/** A level once reached stays, so that a stricter table takes nothing back. */
function compareSubFlag(
  organizationId: string,
  position: ImpactPosition,
  { before, after }: RulePair,
  flag: simulation.StoredFlag,
): boolean {
  const { studentId, schoolYear, patternKey } = flag;
  for (const [side, { bundle }] of [
    ['before', before],
    ['after', after],
  ] as const) {
    const hits = hitsOf(bundle.table('subflag/subflag'), simulation.subFlagFacts(flag)) ?? [];
    for (const { ruleId } of hits) addHits(position, side, simulation.ruleName('subflag/subflag', ruleId), 1);
  }
  const [from, to] = [before, after].map(({ escalation }) => escalation.flagOf([], [], flag).state);
  const pair = { subject: patternKey, from: from ?? flag.state, to: to ?? flag.state };
  return addPairs(tallyOf(position, 'SUBFLAG'), { organizationId, studentId, ref: schoolYear }, [pair]);
}
