// Plans the blueprints of the batch: for each assignable bundle, step and grade one for each skill group that the step can
// serve.
import type { Band } from './script-source.ts';

export interface CatalogueBundle {
  readonly bundle_id: string;
  readonly objectType: string;
  readonly state: string;
  readonly roles: readonly string[];
  readonly grades: readonly number[];
  readonly steps: readonly { readonly stepNo: number; readonly sessionRole: string; readonly goal: object | null }[];
  readonly deliveryModes: readonly string[];
}

export interface RoleGroups {
  readonly role: string;
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

/** The values of rule documents with which the batch is planned. */
export interface PlanRules {
  readonly bundles: readonly CatalogueBundle[];
  readonly roles: readonly RoleGroups[];
  readonly withoutRole: Readonly<Record<string, readonly string[]>>;
  /** The grades of each item-measured sub-skill. */
  readonly gradesOf: ReadonlyMap<string, readonly number[]>;
}

export interface PlannedBlueprint {
  readonly bundle: CatalogueBundle;
  readonly stepNo: number;
  readonly sessionRole: string;
  readonly hasGoal: boolean;
  readonly grade: number;
  readonly band: Band;
  readonly group: string;
  readonly targets: readonly string[];
}

interface GroupTargets {
  readonly group: string;
  readonly targets: readonly string[];
}

export const bandOf = (grade: number): Band => (grade <= 2 ? 'G12' : 'G34');

export const planBatch = (rules: PlanRules): PlannedBlueprint[] =>
  rules.bundles
    .filter(({ state, steps }) => state === 'active' && steps.length > 0)
    .flatMap((bundle) =>
      bundle.grades.flatMap((grade) => bundle.steps.flatMap((step) => plannedStep(bundle, step, grade, rules))),
    );

function plannedStep(
  bundle: CatalogueBundle,
  { stepNo, sessionRole, goal }: CatalogueBundle['steps'][number],
  grade: number,
  rules: PlanRules,
): PlannedBlueprint[] {
  return groupsOfStep(bundle, stepNo, grade, rules).map((served) => ({
    bundle,
    stepNo,
    sessionRole,
    hasGoal: goal !== null,
    grade,
    band: bandOf(grade),
    ...served,
  }));
}

/**
 * Returns the skill groups of a step. With one role, or any role for light support: every group. With several roles: one group
 * each, a different one every step; a sequence of bundles serves the role to whose part the step belongs.
 */
function groupsOfStep(bundle: CatalogueBundle, stepNo: number, grade: number, rules: PlanRules): GroupTargets[] {
  if (bundle.objectType === 'LIGHT_SUPPORT_ACTION') {
    return rules.roles.flatMap((role) => groupsAtGrade(role.groups, grade, rules));
  }
  const roles = rules.roles.filter(({ role }) => bundle.roles.includes(role));
  if (roles.length === 0) return groupsAtGrade(rules.withoutRole, grade, rules);
  const [only] = roles;
  if (only && roles.length === 1) return groupsAtGrade(only.groups, grade, rules);
  const inTurn = bundle.roles.map((name) => roles.filter(({ role }) => role === name));
  const isSequence = bundle.objectType === 'COMPOSITE_SEQUENCE_PLAN';
  const part = Math.ceil((stepNo * inTurn.length) / bundle.steps.length) - 1;
  const served = isSequence ? (inTurn[part] ?? []) : inTurn.flat();
  return served.flatMap(({ groups }) => everyNth(groupsAtGrade(groups, grade, rules), stepNo - 1));
}

function everyNth<T>(all: readonly T[], at: number): T[] {
  const one = all[at % all.length];
  return one === undefined ? [] : [one];
}

/** Returns the groups with their item-measured sub-skills at the grade, or at the nearest lower grade that has some. */
export function groupsAtGrade(
  groups: Readonly<Record<string, readonly string[]>>,
  grade: number,
  rules: Pick<PlanRules, 'gradesOf'>,
): GroupTargets[] {
  const found = Object.entries(groups)
    .map(([group, codes]) => ({ group, targets: codes.filter((code) => rules.gradesOf.get(code)?.includes(grade)) }))
    .filter(({ targets }) => targets.length > 0);
  return found.length > 0 || grade <= 1 ? found : groupsAtGrade(groups, grade - 1, rules);
}
