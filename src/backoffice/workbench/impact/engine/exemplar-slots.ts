// The transitions of a report that wait for an exemplar.
import type { ExemplarSlot } from '#rules/rulesets/engine/index.ts';
import type { ImpactPosition } from './position.ts';
import { transitionsOf } from './tally.ts';

export const exemplarSlotsOf = ({ layers }: ImpactPosition): ExemplarSlot[] =>
  Object.entries(layers).flatMap(([layer, tally]) =>
    transitionsOf(tally).flatMap(({ from, to, exemplars }) =>
      exemplars.map((exemplar) => ({ layer, from, to, ...exemplar })),
    ),
  );
