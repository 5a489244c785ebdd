// Checks whether a bundle may be assigned to a student: never while halted, and against the recommendation only with a reason.
import type { BundleCatalogue, InterventionBundle } from '../bundles/catalogue.ts';
import type { ReasonCodes } from '../reason-codes.ts';
import { isAssignable } from '../vocabulary.ts';

/** The fields of the body. */
export interface ActivationCall {
  readonly bundle_id: string;
  readonly scaffoldTier?: string | undefined;
  readonly deliveryMode?: string | undefined;
  readonly confirmOffRecommendation?: boolean | undefined;
  readonly overrideCode?: string | undefined;
}

export interface ActivationState {
  /** dndy, or no educational profile. */
  readonly halted: boolean;
  readonly grade: number;
  /** Null where nothing is recommended. */
  readonly recommendation: {
    readonly bundle_id: string;
    readonly scaffoldTier: string | null;
    readonly deliveryMode: string | null;
  } | null;
  /** bundle_id of each open assignment. */
  readonly openBundles: readonly string[];
  /** Whether the bundle would have sub-skills to work on; every bundle has when it is left out. */
  readonly hasTarget?: (bundle: InterventionBundle) => boolean;
}

export type CheckAnswer =
  | { readonly status: 200 | 201 }
  | { readonly status: 200; readonly outcome: 'blocked_insufficient_evidence' }
  | { readonly status: 409 | 422; readonly issue: string; readonly fields?: readonly string[] };

export interface ActivationRules {
  readonly catalogue: BundleCatalogue;
  readonly codes: ReasonCodes;
  /** The most open assignments of a student. */
  readonly capacity: number;
}

export const blocked: CheckAnswer = { status: 200, outcome: 'blocked_insufficient_evidence' };
export const refused = (issue: string, status: 409 | 422 = 422): CheckAnswer => ({ status, issue });

/** The checks run in their order; the first failure is returned. */
export function checkActivation(call: ActivationCall, state: ActivationState, rules: ActivationRules): CheckAnswer {
  const fault = overrideFault(call, rules.codes);
  if (fault) return refused(fault);
  if (state.halted) return blocked;
  return (
    bundleRefusal(call, state.grade, rules.catalogue) ??
    targetRefusal(call, state, rules.catalogue) ??
    confirmationRefusal(call, differingFields(call, state.recommendation)) ??
    roomRefusal(call.bundle_id, state.openBundles, rules.capacity) ?? { status: 201 }
  );
}

const overrideScope = 'workflow_adjustment';

/** Returns the fault of an unknown code or of one that is not for assignments. */
export const overrideFault = ({ overrideCode }: Pick<ActivationCall, 'overrideCode'>, codes: ReasonCodes) =>
  overrideCode === undefined ? undefined : codes.faultOf(overrideCode, overrideScope);

export function bundleRefusal(
  { bundle_id, deliveryMode }: Pick<ActivationCall, 'bundle_id' | 'deliveryMode'>,
  grade: number,
  { byId }: BundleCatalogue,
): CheckAnswer | undefined {
  const bundle = byId.get(bundle_id);
  if (!bundle) return refused('unknown_bundle');
  if (bundle.state !== 'active' || !bundle.grades.includes(grade)) return refused('not_active');
  if (!isAssignable(bundle.objectType)) return refused('not_assignable');
  return deliveryMode !== undefined && !offers(bundle, deliveryMode) ? refused('mode_not_offered') : undefined;
}

/** Without a sub-skill to work on no goal of the bundle could ever be met. */
function targetRefusal(
  { bundle_id }: Pick<ActivationCall, 'bundle_id'>,
  { hasTarget }: ActivationState,
  { byId }: BundleCatalogue,
): CheckAnswer | undefined {
  const bundle = byId.get(bundle_id);
  return bundle && hasTarget?.(bundle) === false ? refused('no_target') : undefined;
}

const offers = ({ deliveryModes }: InterventionBundle, mode: string): boolean =>
  deliveryModes.some((offered) => offered === mode);

/** Tier and mode are compared only when the call names them; otherwise they follow from the bundle. */
function differingFields(call: ActivationCall, recommendation: ActivationState['recommendation']): string[] {
  const { bundle_id, scaffoldTier, deliveryMode } = call;
  return [
    ...(bundle_id === recommendation?.bundle_id ? [] : ['bundle_id']),
    ...(scaffoldTier === undefined || scaffoldTier === recommendation?.scaffoldTier ? [] : ['scaffoldTier']),
    ...(deliveryMode === undefined || deliveryMode === recommendation?.deliveryMode ? [] : ['deliveryMode']),
  ];
}

/** The confirmation is asked for before the reason. */
export function confirmationRefusal(
  { confirmOffRecommendation, overrideCode }: Pick<ActivationCall, 'confirmOffRecommendation' | 'overrideCode'>,
  fields: readonly string[],
): CheckAnswer | undefined {
  if (fields.length === 0) return overrideCode === undefined ? undefined : refused('override_not_needed');
  if (confirmOffRecommendation !== true) return { status: 409, issue: 'confirmation_required', fields };
  return overrideCode === undefined ? refused('override_required') : undefined;
}

export function roomRefusal(
  bundleId: string,
  openBundles: readonly string[],
  capacity: number,
): CheckAnswer | undefined {
  if (openBundles.includes(bundleId)) return refused('already_open', 409);
  return openBundles.length >= capacity ? refused('capacity', 409) : undefined;
}
