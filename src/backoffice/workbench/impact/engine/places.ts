// The places of a report that wait for an exemplar.
import type { ImpactPosition } from './position.ts';
import { type ExemplarRef, transitionsOf } from './tally.ts';
import type { ReportLayer } from './vocabulary.ts';

export interface Place {
  readonly layer: ReportLayer;
  readonly from: string;
  readonly to: string;
  readonly exemplar: ExemplarRef;
}

export const placesOf = ({ layers }: ImpactPosition): Place[] =>
  Object.entries(layers).flatMap(([layer, tally]) =>
    transitionsOf(tally).flatMap(({ from, to, exemplars }) =>
      exemplars.map((exemplar) => ({ layer: layer as ReportLayer, from, to, exemplar })),
    ),
  );
