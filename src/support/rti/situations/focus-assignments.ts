// Derives from assignments the roles that are worked on, and the role in focus for the response.
import {
  type BundleAssignment,
  coversRole,
  hasFidelityGate,
  type InterventionRules,
  isOpenAssignment,
  type RoleCode,
  roleCodes,
} from '../../interventions/index.ts';
import type { FocusAssignment } from '../engine/skills/progress.ts';

export type FocusAssignmentRow = Pick<
  BundleAssignment,
  | 'id'
  | 'studentId'
  | 'bundleId'
  | 'objectType'
  | 'state'
  | 'startOn'
  | 'endedOn'
  | 'pauses'
  | 'anchorRole'
  | 'activatedAt'
>;

type Catalogue = InterventionRules['recommendation']['catalogue'];

/** Roles that an open assignment covers. */
export function coveredRoles(assignments: readonly FocusAssignmentRow[], { byId }: Catalogue): ReadonlySet<RoleCode> {
  const open = assignments.filter(isOpenAssignment);
  const covers =
    (role: RoleCode) =>
    ({ bundleId, anchorRole }: FocusAssignmentRow) => {
      const bundle = byId.get(bundleId);
      return bundle !== undefined && coversRole(bundle, role, anchorRole);
    };
  return new Set(roleCodes.filter((role) => open.some(covers(role))));
}

/** Assignments with a fidelity gate that were running at some time since the tier began. */
export const focusAssignments = (
  assignments: readonly FocusAssignmentRow[],
  since: { readonly tierSince: string; readonly today: string },
  { byId }: Catalogue,
): FocusAssignment[] =>
  assignments
    .filter(({ objectType }) => hasFidelityGate(objectType))
    .filter((assignment) => !restedSince(assignment, since))
    .map(({ id, bundleId, startOn, activatedAt, endedOn }) => ({
      ...{ assignmentId: id, startOn, activatedAt, endedOn },
      roles: byId.get(bundleId)?.roles ?? [],
    }));

/** Whether the assignment did not run in that time: not started, ended before, or paused throughout. */
function restedSince(
  { startOn, endedOn, pauses }: FocusAssignmentRow,
  { tierSince, today }: { readonly tierSince: string; readonly today: string },
): boolean {
  const from = startOn > tierSince ? startOn : tierSince;
  const until = endedOn ?? today;
  if (from > until) return true;
  return pauses.some((pause) => pause.from <= from && (pause.to === null || pause.to > until));
}
