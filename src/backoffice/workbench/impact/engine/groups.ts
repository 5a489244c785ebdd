// Counts the groups of students that a change of rules would form, dissolve or change, class by class. A group exists when it is
// large enough, and changes when a student would join or leave it.
import type { GroupMember } from '#rules/rulesets/engine/index.ts';

/** The groups of one class: key → members before, members after, and those who would join or leave. */
export type SimulatedClassGroups = Record<string, [before: number, after: number, moved: number]>;

export interface GroupTotals {
  formed: number;
  dissolved: number;
  changed: number;
}

export interface GroupsPosition {
  /** Classes of the organization that is simulated at present, by id. */
  readonly classes: Record<string, { readonly smallest: number; readonly groups: SimulatedClassGroups }>;
  /** Totals of the organizations that are done. */
  readonly totals: GroupTotals;
  /** Open assignments that cover a need and would no longer. */
  uncovered: number;
}

interface WithGroups {
  readonly groups: GroupsPosition;
}

export const noGroups = (): GroupsPosition => ({
  classes: {},
  totals: { formed: 0, dissolved: 0, changed: 0 },
  uncovered: 0,
});

export function countMember({ groups }: WithGroups, member: GroupMember): void {
  const { classId, smallest, before, after, isUncovered } = member;
  if (isUncovered) groups.uncovered += 1;
  if (classId === null) return;
  const ofClass = groups.classes[classId] ?? { smallest, groups: {} };
  groups.classes[classId] = ofClass;
  const isMoved = before !== after ? 1 : 0;
  if (before !== null) add(ofClass.groups, before, [1, 0, isMoved]);
  if (after !== null) add(ofClass.groups, after, [0, 1, isMoved]);
}

function add(groups: SimulatedClassGroups, key: string, [before, after, moved]: SimulatedClassGroups[string]): void {
  const known = groups[key] ?? [0, 0, 0];
  groups[key] = [known[0] + before, known[1] + after, known[2] + moved];
}

/** `found` and `position` have no students in common. */
export function addGroups({ groups }: WithGroups, { groups: found }: WithGroups): void {
  for (const [classId, { smallest, groups: own }] of Object.entries(found.classes)) {
    const ofClass = groups.classes[classId] ?? { smallest, groups: {} };
    groups.classes[classId] = ofClass;
    for (const [key, counts] of Object.entries(own)) add(ofClass.groups, key, counts);
  }
  groups.uncovered += found.uncovered;
}

export function groupTotals({ groups: { classes, totals } }: WithGroups): GroupTotals {
  const all = { ...totals };
  for (const { smallest, groups } of Object.values(classes)) {
    for (const [before, after, moved] of Object.values(groups)) {
      const [was, will] = [before >= smallest, after >= smallest];
      if (!was && will) all.formed += 1;
      else if (was && !will) all.dissolved += 1;
      else if (was && moved > 0) all.changed += 1;
    }
  }
  return all;
}

/** Only the totals of an organization are kept once it is done. */
export const withoutClasses = (position: WithGroups): GroupsPosition => ({
  ...position.groups,
  classes: {},
  totals: groupTotals(position),
});
