// Whether a planned activation fits between the others. No request waits at its moment, so that what can be known is reported when it is
// made.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict } from '#core/platform/errors.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import { aroundMoment, changedPins, inOrder, type PlannedActivation, restsOn, versionsAfter } from './engine/plans.ts';
import { requireFittingVersions } from './fit.ts';

interface Planned {
  /** The versions in force now. */
  readonly current: Versions;
  /** The open plans. */
  readonly plans: readonly PlannedActivation[];
}

interface NewPlan {
  readonly pins: Versions;
  readonly from: Date;
}

/**
 * Checks a new plan on top of those before it, and those after it on top of the new one. Throws CONFLICT `does_not_fit` that names
 * the other plan, and what `requireFittingVersions` throws where no plan is the reason.
 */
export async function requirePlanFit(
  services: Services,
  trx: Trx,
  { current, plans }: Planned,
  { pins, from }: NewPlan,
): Promise<void> {
  const { before, after } = aroundMoment(plans, from);
  const misfit = (versions: Versions) => misfitOf(services, trx, versions);
  const beneath = versionsAfter(current, before);
  const refusal = await misfit({ ...beneath, ...pins });
  if (refusal) throw (await planToBlame(misfit, { current, plans: before }, pins)) ?? refusal;
  const late = await firstSpoiled(misfit, { without: beneath, versions: { ...beneath, ...pins } }, after);
  if (late) throw doesNotFit(late);
}

type MisfitOf = (versions: Versions) => Promise<AppError | undefined>;

/** Undefined where the versions do not fit on what is in force now either. */
async function planToBlame(
  misfit: MisfitOf,
  { current, plans }: Planned,
  pins: Versions,
): Promise<AppError | undefined> {
  if (await misfit({ ...current, ...pins })) return undefined;
  for (const [at, plan] of plans.entries()) {
    if (await misfit({ ...versionsAfter(current, plans.slice(0, at + 1)), ...pins })) return doesNotFit(plan);
  }
  return undefined;
}

interface Alternatives {
  /** What would be in force without the change, and with it. */
  readonly without: Versions;
  readonly versions: Versions;
}

/** Returns the first plan that could come into force without the change, and cannot, or changes nothing any more, with it. */
async function firstSpoiled(
  misfit: MisfitOf,
  { without, versions }: Alternatives,
  plans: readonly PlannedActivation[],
): Promise<PlannedActivation | undefined> {
  const [plan, ...rest] = plans;
  if (!plan) return undefined;
  const isIdle = changedPins(versions, plan.versions).length === 0 && changedPins(without, plan.versions).length > 0;
  const next = { without: versionsAfter(without, [plan]), versions: versionsAfter(versions, [plan]) };
  const isSpoiled = isIdle || ((await misfit(next.versions)) && !(await misfit(next.without)));
  return isSpoiled ? plan : firstSpoiled(misfit, next, rest);
}

/** Throws CONFLICT `needed_by_plan` that names an open plan which cannot come, or not as it was meant, once `taken` are gone. */
export async function requireNotNeeded(
  services: Services,
  trx: Trx,
  { current, plans, taken }: Planned & { readonly taken: readonly PlannedActivation[] },
): Promise<void> {
  const gone = new Set(taken.map(({ id }) => id));
  const left = inOrder(plans).filter(({ id }) => !gone.has(id));
  const resting = left.find((plan) => taken.some((earlier) => restsOn(plan, earlier)));
  const needing = resting ?? (await firstMisfit(services, trx, { current, plans: left }, inOrder(plans)));
  if (!needing) return;
  throw conflict(
    'needed_by_plan',
    `The planned activation ${nameOf(needing)} rests on what would be taken back. Take that one back first.`,
    fieldOf(needing),
  );
}

/** Returns the first plan left that fits after all plans before it, and does not fit after those of them that are left. */
async function firstMisfit(
  services: Services,
  trx: Trx,
  { current, plans: left }: Planned,
  all: readonly PlannedActivation[],
): Promise<PlannedActivation | undefined> {
  for (const [at, plan] of left.entries()) {
    if (!(await misfitOf(services, trx, versionsAfter(current, left.slice(0, at + 1))))) continue;
    const planned = versionsAfter(current, all.slice(0, all.indexOf(plan) + 1));
    if (!(await misfitOf(services, trx, planned))) return plan;
  }
  return undefined;
}

/** Returns why the versions cannot be in force together. Throws VALIDATION_ERROR for a version that is not published. */
async function misfitOf(services: Services, trx: Trx, versions: Versions): Promise<AppError | undefined> {
  try {
    await requireFittingVersions(services, trx, versions);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return error;
    throw error;
  }
}

const doesNotFit = (plan: PlannedActivation) =>
  conflict(
    'does_not_fit',
    `These versions do not fit together with the planned activation ${nameOf(plan)} of ${plan.activeFrom}. Take it back first, or choose another moment.`,
    fieldOf(plan),
  );

/** The entry of the timeline. */
const nameOf = ({ id }: PlannedActivation) => `s${id}`;
const fieldOf = (plan: PlannedActivation) => `plans.${nameOf(plan)}`;
