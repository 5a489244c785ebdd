// What the plans of students say to tiers: which roles are worked on, and which one their response is read from.
import {
  type BundleAssignment,
  coversRole,
  hasFidelityGate,
  type InterventionRules,
  isOpen,
  type RoleCode,
  roleCodes,
} from '../../interventions/index.ts';
import type { FocusPlan } from '../engine/skills/progress.ts';

export type PlanRow = Pick<
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

/** Roles that an open plan works on. */
export function coveredRoles(plans: readonly PlanRow[], { byId }: Catalogue): ReadonlySet<RoleCode> {
  const open = plans.filter(isOpen);
  const covers =
    (role: RoleCode) =>
    ({ bundleId, anchorRole }: PlanRow) => {
      const bundle = byId.get(bundleId);
      return bundle !== undefined && coversRole(bundle, role, anchorRole);
    };
  return new Set(roleCodes.filter((role) => open.some(covers(role))));
}

/** Those that are counted against their delivery and were going on at some time since the tier began. */
export const focusPlans = (
  plans: readonly PlanRow[],
  since: { readonly tierSince: string; readonly today: string },
  { byId }: Catalogue,
): FocusPlan[] =>
  plans
    .filter(({ objectType }) => hasFidelityGate(objectType))
    .filter((plan) => !restedSince(plan, since))
    .map(({ id, bundleId, startOn, activatedAt, endedOn }) => ({
      ...{ assignmentId: id, startOn, activatedAt, endedOn },
      roles: byId.get(bundleId)?.roles ?? [],
    }));

/** Not begun, ended before, or one pause from the beginning of that time to its end. */
function restedSince(
  { startOn, endedOn, pauses }: PlanRow,
  { tierSince, today }: { readonly tierSince: string; readonly today: string },
): boolean {
  const from = startOn > tierSince ? startOn : tierSince;
  const until = endedOn ?? today;
  if (from > until) return true;
  return pauses.some((pause) => pause.from <= from && (pause.to === null || pause.to > until));
}
