// One organization's part of a report over the whole platform: what was counted since its first student.

import type { Scales } from './direction.ts';
import { withoutClasses } from './groups.ts';
import type { GroupCount, ImpactPosition, PartMark } from './position.ts';
import { type LayerReport, layerReports, schoolReports } from './report.ts';
import type { LayerTally } from './tally.ts';

export interface ImpactPart {
  readonly organizationId: string;
  readonly students: {
    readonly total: number;
    readonly evaluated: number;
    readonly withoutResults: number;
    readonly changed: number;
    readonly restated: number;
  };
  readonly layers: readonly Omit<LayerReport, 'transitions'>[];
  readonly bySchool: ReturnType<typeof schoolReports>;
}

type Counts = Record<string, Record<string, number>>;

/** Returns the counts so far, without exemplars. */
export const markOf = ({ seen, evaluated, changed, restated, layers }: ImpactPosition): PartMark => ({
  ...{ seen, evaluated, changed, restated },
  layers: Object.fromEntries(Object.entries(layers).map(([layer, tally]) => [layer, countsOf(tally)])),
});

const countsOf = (tally: LayerTally): Counts => mapValues(tally, (counts) => mapValues(counts, ({ count }) => count));

export function partOf(
  organizationId: string,
  position: ImpactPosition,
  mark: PartMark,
  reported: { readonly layers: readonly string[]; readonly scales: Scales },
): ImpactPart {
  const since = { ...position, layers: mapValues(position.layers, (tally, layer) => sinceMark(tally, mark, layer)) };
  const [total, evaluated] = [position.seen - mark.seen, position.evaluated - mark.evaluated];
  return {
    organizationId,
    students: {
      ...{ total, evaluated, withoutResults: total - evaluated },
      changed: position.changed - mark.changed,
      restated: position.restated - mark.restated,
    },
    layers: layerReports(since, reported, () => []).map(({ transitions: _transitions, ...counts }) => counts),
    bySchool: schoolReports(position),
  };
}

function sinceMark(tally: LayerTally | undefined, mark: PartMark, layer: string): LayerTally {
  const before = mark.layers[layer];
  return mapValues(tally ?? {}, (counts, from) =>
    mapValues(counts, ({ count }, to) => ({ count: count - (before?.[from]?.[to] ?? 0), exemplars: [] })),
  );
}

/** Schools and classes are kept in the part of their organization, so that the position does not grow with the platform. */
export const withoutSchools = (position: ImpactPosition): ImpactPosition => ({
  ...position,
  schools: {} as Record<string, GroupCount>,
  groups: withoutClasses(position),
});

const mapValues = <In, Out>(record: Readonly<Record<string, In>>, change: (value: In, key: string) => Out) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)])) as Record<string, Out>;
