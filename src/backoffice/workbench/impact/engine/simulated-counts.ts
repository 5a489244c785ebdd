// The access of simulators to the counts of a job: they add to them, and read them for their sections of the report.
import type { SimulationCounts, SimulationTally } from '#rules/rulesets/engine/index.ts';
import { countMember, groupTotals } from './groups.ts';
import { addHits, type ImpactPosition, tallyOf } from './position.ts';
import { addPairs } from './tally.ts';

/** Adds the outcomes of one organization's students to the position. */
export const simulationTally = (position: ImpactPosition, organizationId: string): SimulationTally => ({
  addPairs: (layer, of, pairs) => addPairs(tallyOf(position, layer), { organizationId, ...of }, pairs),
  addHits: (side, name, times = 1) => addHits(position, side, name, times),
  addMember: (member) => countMember(position, member),
});

export const simulationCounts = (position: ImpactPosition): SimulationCounts => ({
  hitsOf: (name) => position.hits[name] ?? { before: 0, after: 0 },
  groups: { ...groupTotals(position), uncovered: position.groups.uncovered },
});
