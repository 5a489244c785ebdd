// How simulators add to what a job has counted, and what they read of it for the report.
import type { SimulationCounts, SimulationTally } from '#rules/rulesets/engine/index.ts';
import { countMember, groupTotals } from './groups.ts';
import { addHits, type ImpactPosition, tallyOf } from './position.ts';
import { addPairs } from './tally.ts';

/** Adds to the position what is found in one organization. */
export const simulationTally = (position: ImpactPosition, organizationId: string): SimulationTally => ({
  addPairs: (layer, of, pairs) => addPairs(tallyOf(position, layer), { organizationId, ...of }, pairs),
  addHits: (side, name, times = 1) => addHits(position, side, name, times),
  addMember: (member) => countMember(position, member),
});

export const simulationCounts = (position: ImpactPosition): SimulationCounts => ({
  hitsOf: (name) => position.hits[name] ?? { before: 0, after: 0 },
  groups: { ...groupTotals(position), uncovered: position.groups.uncovered },
});
