// Adds the counts of a chunk of students to those of the students before them.
import { addGroups as addStudentGroups } from './groups.ts';
import { addHits, type GroupCount, type ImpactPosition, tallyOf } from './position.ts';
import { addTally } from './tally.ts';

/** The students of `found` come after those of `position`. */
export function addPosition(position: ImpactPosition, found: ImpactPosition): void {
  position.evaluated += found.evaluated;
  position.changed += found.changed;
  position.restated += found.restated;
  for (const [layer, tally] of Object.entries(found.layers)) addTally(tallyOf(position, layer), tally);
  addGroups(position.schools, found.schools);
  addGroups(position.grades, found.grades);
  for (const [name, { before, after }] of Object.entries(found.hits)) {
    addHits(position, 'before', name, before);
    addHits(position, 'after', name, after);
  }
  addStudentGroups(position, found);
  for (const kind of ['runs', 'skills', 'domains'] as const) position.appended[kind] += found.appended[kind];
}

function addGroups(groups: Record<string, GroupCount>, found: Readonly<Record<string, GroupCount>>): void {
  for (const [name, { students, changed }] of Object.entries(found)) {
    const group = groups[name] ?? { students: 0, changed: 0 };
    groups[name] = { students: group.students + students, changed: group.changed + changed };
  }
}
