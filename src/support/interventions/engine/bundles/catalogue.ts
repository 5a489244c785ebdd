// The catalogue of bundles, read once for each rule bundle, and the conditions for an assignable entry.
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import {
  type DeliveryMode,
  deliveryModes,
  isAssignable,
  type ObjectType,
  objectTypes,
  type RoleCode,
  roleCodes,
} from '../vocabulary.ts';
import { type BundleSettings, bundleSettings } from './settings.ts';

export interface Goal {
  readonly minScored: number;
  /** 0 to 1. */
  readonly minRate: number;
}

export interface BundleStep {
  /** Counted from 1. */
  readonly stepNo: number;
  readonly sessionRole: string;
  readonly plannedSessions: number;
  readonly goal: Goal | null;
}

export const bundleStates = ['draft', 'active', 'retired'] as const;

export interface InterventionBundle {
  readonly bundle_id: string;
  readonly objectType: ObjectType;
  readonly state: (typeof bundleStates)[number];
  readonly nameAr: string;
  /** Empty when the anchor decides, or when the bundle is about marks alone. */
  readonly roles: readonly RoleCode[];
  readonly grades: readonly number[];
  readonly steps: readonly BundleStep[];
  /** Null without steps. */
  readonly sessionsPerWeek: number | null;
  readonly plannedWeeks: number | null;
  /** The first is the default. */
  readonly deliveryModes: readonly DeliveryMode[];
}

export interface BundleCatalogue {
  readonly version: number;
  /** In the order of the document. */
  readonly bundles: readonly InterventionBundle[];
  readonly byId: ReadonlyMap<string, InterventionBundle>;
}

const name = 'bundle/catalogue';

/** Throws BundleError when a document is missing, RangeError when an entry cannot be carried out. */
export function compileBundles(bundle: RuleBundle): BundleCatalogue {
  const { bundles } = bundle.values<{ readonly bundles: readonly InterventionBundle[] }>(name);
  const settings = bundleSettings(bundle);
  for (const one of bundles) {
    const fault = faultOf(one, settings);
    if (fault) throw new RangeError(`${name}: ${one.bundle_id} ${fault}`);
  }
  const byId = new Map(bundles.map((one) => [one.bundle_id, one]));
  if (byId.size < bundles.length) throw new RangeError(`${name}: a bundle_id stands twice`);
  return { version: bundle.versions[name] ?? 0, bundles, byId };
}

function faultOf(one: InterventionBundle, settings: BundleSettings): string | undefined {
  const { objectType, roles, deliveryModes: modes, steps, state } = one;
  if (!objectTypes.includes(objectType)) return `is of an unknown type ${objectType}`;
  if (roles.some((role) => !roleCodes.includes(role))) return 'names an unknown role';
  if (modes.some((mode) => !deliveryModes.includes(mode))) return 'names an unknown delivery mode';
  if (objectType === 'FUTURE_INACTIVE_SUPPORT_OBJECT' && state === 'active') return 'is a placeholder and never active';
  if (steps.some(({ stepNo }, at) => stepNo !== at + 1)) return 'has steps that are not numbered from 1';
  const foreign = steps.find(({ goal }) => goal && !isTheGoal(goal, settings));
  if (foreign) return `has another goal in step ${foreign.stepNo} than STP-SCO-01 and STP-RAT-01`;
  return isAssignable(objectType) ? assignableFault(one) : unassignableFault(one);
}

const isTheGoal = ({ minScored, minRate }: Goal, { goalScored, goalRate }: BundleSettings): boolean =>
  minScored === goalScored && minRate === goalRate;

/** Tier 3 is taught in micro groups, whatever the bundle. */
function assignableFault({ steps, sessionsPerWeek, plannedWeeks, deliveryModes: modes }: InterventionBundle) {
  if (steps.length === 0 || sessionsPerWeek === null || plannedWeeks === null) return 'can be assigned and has no plan';
  if (!steps.some(({ goal }) => goal)) return 'can be assigned and has no goal';
  return modes.includes('teacher_led_micro_group') ? undefined : 'can be assigned and offers no micro group';
}

function unassignableFault({ steps, sessionsPerWeek, plannedWeeks, deliveryModes: modes }: InterventionBundle) {
  const isPlanned = steps.length > 0 || modes.length > 0 || sessionsPerWeek !== null || plannedWeeks !== null;
  return isPlanned ? 'cannot be assigned and has a plan' : undefined;
}

/** `anchorRole` is the one frozen in the assignment: a light action is about that role. */
export const coversRole = (
  { roles, objectType }: InterventionBundle,
  role: RoleCode | null,
  anchorRole: RoleCode | null,
): boolean => {
  if (role === null) return false;
  return roles.includes(role) || (objectType === 'LIGHT_SUPPORT_ACTION' && roles.length === 0 && anchorRole === role);
};
