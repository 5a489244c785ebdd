// What an impact job has found so far. Plain JSON: a job that is killed goes on from the last one written.
import { type GroupsPosition, noGroups } from './groups.ts';
import type { LayerTally } from './tally.ts';

/** Students of a group: how many were evaluated, and how many of them would change. */
export interface GroupCount {
  students: number;
  changed: number;
}

export interface HitCount {
  before: number;
  after: number;
}

/** Counts at the moment when an organization was begun. */
export interface PartMark {
  readonly seen: number;
  readonly evaluated: number;
  readonly changed: number;
  /** By layer: outcome before → outcome after → how often. */
  readonly layers: Readonly<Record<string, Record<string, Record<string, number>>>>;
}

export interface ImpactPosition {
  /** Of a job over the whole platform the organization that is looked at; null when none is left. */
  readonly organizationId: string | null;
  readonly mark: PartMark | null;
  /** The last student looked at; those to come have larger ids. */
  lastId: number;
  /** Students looked at. */
  seen: number;
  evaluated: number;
  changed: number;
  readonly layers: Record<string, LayerTally>;
  /** By school of the organization that is looked at, by its id; `''` for students of no school. */
  readonly schools: Record<string, GroupCount>;
  readonly grades: Record<string, GroupCount>;
  /** `ssr/ssr SSR-01` → how often it held; and what else simulators count on both sides. */
  readonly hits: Record<string, HitCount>;
  readonly groups: GroupsPosition;
  /** Rows that would be written. */
  readonly appended: { runs: number; skills: number; domains: number };
}

/** `layers`: those that the report is to hold, even where nothing is compared. */
export const emptyPosition = (layers: readonly string[]): ImpactPosition => ({
  organizationId: null,
  mark: null,
  lastId: 0,
  seen: 0,
  evaluated: 0,
  changed: 0,
  layers: Object.fromEntries(layers.map((layer) => [layer, {}])),
  schools: {},
  grades: {},
  hits: {},
  groups: noGroups(),
  appended: { runs: 0, skills: 0, domains: 0 },
});

/** The tally of a layer that the position was made with. */
export function tallyOf({ layers }: ImpactPosition, layer: string): LayerTally {
  const tally = layers[layer];
  if (!tally) throw new RangeError(`the position has no layer ${layer}`);
  return tally;
}

export function addHits(position: ImpactPosition, side: 'before' | 'after', name: string, times: number): void {
  const known = position.hits[name] ?? { before: 0, after: 0 };
  known[side] += times;
  position.hits[name] = known;
}

/** Counts a student whose results were evaluated with both rules. */
export function addStudent(
  position: ImpactPosition,
  {
    schoolId,
    grade,
    isChanged,
  }: { readonly schoolId: string | null; readonly grade: number | null; readonly isChanged: boolean },
): void {
  position.evaluated += 1;
  if (isChanged) position.changed += 1;
  addToGroup(position.schools, schoolId ?? '', isChanged);
  if (grade !== null) addToGroup(position.grades, String(grade), isChanged);
}

function addToGroup(groups: Record<string, GroupCount>, name: string, isChanged: boolean): void {
  const group = groups[name] ?? { students: 0, changed: 0 };
  group.students += 1;
  if (isChanged) group.changed += 1;
  groups[name] = group;
}
