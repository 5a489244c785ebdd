// The ends of plans, followed by the daily run (contract 53 §1): the first run after an end tells it once, and some weeks later
// the plan ends by itself (AS-13). What was not given as planned has not failed: it is stopped without a result.
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { Organization } from '#identity/people/index.ts';
import type { BundleAssignment } from '../assignment-rows/store.ts';
import { countDelivery } from '../engine/assignments/delivered.ts';
import { type FollowedEnd, followedEnd, planEndsOn } from '../engine/assignments/ends.ts';
import { moved } from '../engine/assignments/moves.ts';
import { completionResultOf } from '../engine/assignments/steps.ts';
import { hasFidelityGate } from '../engine/vocabulary.ts';
import { type InterventionRules, interventionRules } from '../rules/compiled.ts';
import type { EnrollmentContext } from '../situations/enrollment-context.ts';
import { situationsOf } from '../situations/situations.ts';
import type { AssignmentChange } from './change.ts';
import { type AssignmentMoment, type DeliveredDays, momentAt, planOf } from './track.ts';

const PlanEndStart = modelOf<{ readonly organizationId: string; readonly firstRunAt: string }>('plan_end_start', {
  id: 'organizationId',
});

/** A daily run by rules that know the ends of plans. */
export interface EndRun {
  /** The first such run of the organization: ends that had passed by then are not told. */
  readonly firstRunAt: string;
  /** Students about whom no decision is allowed. */
  readonly halted: ReadonlySet<number>;
}

/** The reason of a stop by AS-13. */
const expired = 'Plan_Expired';

/** Undefined for a demo, and under rules without the limit or the reason. Throws ENGINE_UNAVAILABLE. */
export const beginEndRun = (services: Services, organizationId: string): Promise<EndRun | undefined> =>
  inContext(services.db, { organizationId }, async (trx) => {
    const now = services.clock.now();
    const { settings, codes } = interventionRules((await services.rules.at(trx, now)).rules);
    const isKnown = settings.endWeeks !== null && codes.faultOf(expired, 'assignment_stop') === undefined;
    const organization = await Organization.query(trx).findById(organizationId).select('isDemo');
    if (!isKnown || !organization || organization.isDemo) return undefined;
    const begun = { organizationId, firstRunAt: now.toISOString() };
    await PlanEndStart.query(trx).insert(begun).onConflict('organizationId').ignore();
    const { firstRunAt } = await PlanEndStart.query(trx).findById(organizationId).throwIfNotFound();
    return { firstRunAt, halted: new Set() };
  });

/** The run with those of the students who are halted. */
export async function withHalted(
  trx: Trx,
  services: Services,
  run: EndRun,
  of: { readonly organizationId: string; readonly studentIds: readonly number[]; readonly now: Date },
): Promise<EndRun> {
  const { situations } = await situationsOf(trx, services, of);
  const halted = of.studentIds.filter((id) => situations.get(id)?.halted ?? true);
  return { ...run, halted: new Set(halted) };
}

export function followedEndOf(
  row: BundleAssignment,
  enrollment: EnrollmentContext,
  { settings }: Pick<InterventionRules, 'settings'>,
  { firstRunAt, now }: EndRun & { readonly now: Date },
): FollowedEnd {
  const { calendar, today } = momentAt(enrollment, now);
  const { instructionalWeekDays: minDays, endWeeks } = settings;
  return followedEnd({
    state: { pastEndSince: row.pastEndSince, overdueToldFor: row.overdueToldFor },
    endsOn: row.state === 'active' ? planEndsOn(planOf(row, new Map()), calendar, minDays) : null,
    firstRunOn: localDate(new Date(firstRunAt), enrollment.timeZone),
    ...{ today, calendar, minDays, weeks: endWeeks },
  });
}

interface Expiring extends AssignmentMoment {
  readonly delivered: DeliveredDays;
  readonly isHalted: boolean;
}

/** AS-13. */
export function expiredChange(
  row: BundleAssignment,
  { calendar, today, delivered, isHalted }: Expiring,
  { fidelity }: Pick<InterventionRules, 'fidelity'>,
): AssignmentChange {
  const counted = countDelivery(planOf(row, delivered), calendar, today, fidelity);
  const { gate } = fidelity.gateOf(counted, hasFidelityGate(row.objectType));
  const isGiven = gate === 'pass' && !isHalted;
  const state = moved(row.state, isGiven ? 'expire_given' : 'expire_not_given') ?? row.state;
  const ended = { state, endedOn: today, trackStatus: 'not_applicable' } as const;
  return isGiven
    ? { ...ended, currentStepNo: null, completionResult: completionResultOf(row.steps) }
    : { ...ended, reasonCode: expired };
}
