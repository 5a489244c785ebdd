// What an impact job has counted so far. It is plain JSON: a job that was killed continues from the last stored position.
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

/** The counts before the first student of an organization. */
export interface PartMark {
  readonly seen: number;
  readonly evaluated: number;
  readonly changed: number;
  readonly restated: number;
  /** By layer: outcome before → outcome after → how often. */
  readonly layers: Readonly<Record<string, Record<string, Record<string, number>>>>;
}

export interface ImpactPosition {
  /** For a job over the whole platform, the organization that is simulated at present; null when none is left. */
  readonly organizationId: string | null;
  readonly mark: PartMark | null;
  /** The last student that was simulated; students to come have larger ids. */
  lastId: number;
  /** Students that were simulated. */
  seen: number;
  evaluated: number;
  /** Students of whom a status that readers see differs. */
  changed: number;
  /** Students of whom only something else differs. */
  restated: number;
  readonly layers: Record<string, LayerTally>;
  /** By id of the schools of the organization that is simulated at present; `''` for students of no school. */
  readonly schools: Record<string, GroupCount>;
  readonly grades: Record<string, GroupCount>;
  /** `ssr/ssr SSR-01` → how often it held. Simulators count other things under names of their own. */
  readonly hits: Record<string, HitCount>;
  readonly groups: GroupsPosition;
  /** Rows that would be written. */
  readonly appended: { runs: number; skills: number; domains: number };
}

/** `layers`: the layers that the report holds, even when nothing is compared in them. */
export const emptyPosition = (layers: readonly string[]): ImpactPosition => ({
  organizationId: null,
  mark: null,
  lastId: 0,
  seen: 0,
  evaluated: 0,
  changed: 0,
  restated: 0,
  layers: Object.fromEntries(layers.map((layer) => [layer, {}])),
  schools: {},
  grades: {},
  hits: {},
  groups: noGroups(),
  appended: { runs: 0, skills: 0, domains: 0 },
});

/** Throws RangeError for a layer that the position was not created with. */
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

/** How a student's results differ: in a status that readers see, or only in something else. */
export type StudentChange = 'changed' | 'restated' | 'same';

/** Counts a student whose results were evaluated with both rules. */
export function addStudent(
  position: ImpactPosition,
  {
    schoolId,
    grade,
    change,
  }: { readonly schoolId: string | null; readonly grade: number | null; readonly change: StudentChange },
): void {
  const isChanged = change === 'changed';
  position.evaluated += 1;
  if (isChanged) position.changed += 1;
  if (change === 'restated') position.restated += 1;
  addToGroup(position.schools, schoolId ?? '', isChanged);
  if (grade !== null) addToGroup(position.grades, String(grade), isChanged);
}

function addToGroup(groups: Record<string, GroupCount>, name: string, isChanged: boolean): void {
  const group = groups[name] ?? { students: 0, changed: 0 };
  group.students += 1;
  if (isChanged) group.changed += 1;
  groups[name] = group;
}
