// States of sub-skills, where a draft is about them: where each would stand had the rules always been so.

import type { simulation } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { tierSimulation } from '#support/rti/index.ts';
import { addHits, type ImpactPosition, tallyOf } from '../engine/position.ts';
import { addPairs } from '../engine/tally.ts';
import type { RulePair } from '../rule-pair.ts';
import { refusingUnfit } from './inputs.ts';

export type StatesOfStudents = ReadonlyMap<number, tierSimulation.StateParts>;

const unasked: StatesOfStudents = new Map();

/** Nothing where the draft is about something else. */
export const readStates = async (
  trx: Trx,
  { states }: RulePair,
  of: { readonly organizationId: string; readonly studentIds: readonly number[]; readonly asOf: string },
): Promise<StatesOfStudents> => (states ? tierSimulation.stateParts(trx, of) : unasked);

/** Adds every sub-skill before and after to the position, and answers whether one differs. */
export function compareStates(
  position: ImpactPosition,
  { states }: RulePair,
  parts: tierSimulation.StateParts | undefined,
  { organizationId, studentId, id: ref }: simulation.SimulatedRun,
): boolean {
  if (!states || !parts) return false;
  const { before, after } = stateAnswers(states, parts);
  for (const { ruleId } of before.values()) addHits(position, 'before', `${tierSimulation.stateTable} ${ruleId}`, 1);
  for (const { ruleId } of after.values()) addHits(position, 'after', `${tierSimulation.stateTable} ${ruleId}`, 1);
  const pairs = [...before].map(([subject, { state: from }]) => {
    return { subject, from, to: after.get(subject)?.state ?? from };
  });
  return addPairs(tallyOf(position, 'SKILL_STATE'), { organizationId, studentId, ref }, pairs);
}

/** By sub-skill; both have the same ones. */
export const stateAnswers = (states: NonNullable<RulePair['states']>, parts: tierSimulation.StateParts) => ({
  before: tierSimulation.statesFrom(parts, states.before),
  after: refusingUnfit(() => tierSimulation.statesFrom(parts, states.after)),
});
