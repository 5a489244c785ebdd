// Creates assignments (contract 50 §2.4), for one student by hand and for each member of a group. Nothing else does.
import { appendEvents } from '#core/module/events.ts';
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { noGrade } from '#identity/people/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { AssignmentSource } from '../assignment-rows/enums.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { bundleRefusal, refused, roomRefusal } from '../engine/assignments/activation-check.ts';
import { sessionsPerWeekOf } from '../engine/assignments/dosage.ts';
import { firstWeekFrom } from '../engine/assignments/ends.ts';
import { firstState } from '../engine/assignments/moves.ts';
import { startedProgress } from '../engine/assignments/steps.ts';
import type { InterventionBundle } from '../engine/bundles/catalogue.ts';
import type { DeliveryMode, ScaffoldTier } from '../engine/vocabulary.ts';
import { presentRecommendation } from '../recommendations/present.ts';
import { type InterventionRules, versionsOf } from '../rules/compiled.ts';
import type { StudentSituation } from '../situations/situations.ts';
import { lockSupport } from '../support/lock.ts';
import { eventsBetween } from './events.ts';
import { requirePassed } from './refusals.ts';
import { trackOf } from './track.ts';

export interface NewAssignment {
  readonly organizationId: string;
  readonly bundle_id: string;
  readonly scaffoldTier: ScaffoldTier;
  readonly deliveryMode: DeliveryMode;
  /** Local date. */
  readonly startOn: string;
  readonly source: {
    readonly type: AssignmentSource;
    readonly clusterKey: string | null;
    readonly generationId: string | null;
  };
  readonly overrideCode: string | null;
  readonly actor: { readonly userId: number };
  /** Default: the actor. */
  readonly providerUserId?: number | undefined;
}

/** The student as `situationsOf` returned them under the lock of their support, with the rules used. */
export interface DecidedSituation {
  readonly situation: StudentSituation;
  readonly rules: InterventionRules;
  readonly versions: Versions;
}

class HaltedError extends Error {
  override readonly name = 'HaltedError';
}

/**
 * Throws CONFLICT `no_grade`, `already_open` or `capacity`; VALIDATION_ERROR for a bundle that is not for the grade;
 * HaltedError, a programming error, when the student is halted: routes check that before.
 */
export async function activateBundle(
  trx: Trx,
  input: NewAssignment,
  { situation, rules, versions }: DecidedSituation,
  now: Date,
): Promise<BundleAssignment> {
  const { studentId, currentGrade, classId, halted } = situation;
  await lockSupport(trx, input.organizationId, [studentId]);
  if (currentGrade === null || classId === null) throw noGrade('studentId');
  if (halted) throw new HaltedError('nothing is decided about a student who is halted');
  const { catalogue } = rules.recommendation;
  requirePassed(bundleRefusal(input, currentGrade, catalogue));
  const open = situation.open.map(({ bundle_id }) => bundle_id);
  requirePassed(roomRefusal(input.bundle_id, open, rules.settings.openAssignments));
  const bundle = catalogue.byId.get(input.bundle_id) as InterventionBundle;
  const row = {
    ...planned(input, bundle, situation, rules),
    ...made(input, { situation, versions }, now),
    classId,
  };
  return insert(trx, Object.assign(new BundleAssignment(), row, { catalogueVersion: catalogue.version }), now);
}

function planned(
  { scaffoldTier, startOn }: NewAssignment,
  bundle: InterventionBundle,
  { today, tier, calendar }: StudentSituation,
  rules: InterventionRules,
) {
  const { steps, currentStepNo } = startedProgress(bundle.steps, scaffoldTier);
  const state = firstState(startOn, today);
  const plan = {
    ...{ id: newId(), state, startOn, weeksFrom: firstWeekFrom(startOn, today, calendar), pauses: [], endedOn: null },
    sessionsPerWeek: sessionsPerWeekOf(bundle, tier, rules.settings) ?? 0,
    plannedWeeks: bundle.plannedWeeks ?? 0,
  };
  return {
    ...plan,
    trackStatus: trackOf(plan, new Map(), { calendar, today }, rules),
    ...{ steps: [...steps], currentStepNo, scaffoldTier, extensions: 0 },
    ...{ pastEndSince: null, overdueToldFor: null, awaitsProvider: false },
    ...{ bundleId: bundle.bundle_id, objectType: bundle.objectType },
    ...{ completionResult: null, reasonCode: null, offTrackAcknowledgedAt: null, moveOverrideCode: null },
  };
}

/** The documents that decide on an assignment. */
const documents = [
  ...['profile/resolution', 'profile/modifiers', 'profile/settings', 'bundle/recommendation'],
  ...['bundle/scaffold-tier', 'bundle/delivery-mode', 'bundle/catalogue', 'bundle/settings', 'rti/data-sufficiency'],
];

function made(input: NewAssignment, { situation, versions }: Omit<DecidedSituation, 'rules'>, now: Date) {
  const { source, actor } = input;
  const { studentId, schoolYear, profile, input: facts } = situation;
  return {
    ...{ organizationId: input.organizationId, studentId, schoolYear: schoolYear.name },
    deliveryMode: input.deliveryMode,
    ...{ anchorRole: profile.anchorRole, anchorSubSkillCode: profile.anchorSubSkillCode },
    ...{ sourceType: source.type, clusterKey: source.clusterKey, generationId: source.generationId },
    recommendation: presentRecommendation(situation, versions),
    facts: { ...facts },
    overrideCode: input.overrideCode,
    ...{ activatedBy: actor.userId, providerUserId: input.providerUserId ?? actor.userId },
    ...{ activatedAt: now.toISOString(), ruleVersions: versionsOf({ versions }, documents) },
  };
}

/** The unique index guards in addition to the lock. */
async function insert(trx: Trx, row: BundleAssignment, now: Date): Promise<BundleAssignment> {
  try {
    await BundleAssignment.query(trx).insert(row);
  } catch (error) {
    if (violatedConstraint(error) === 'bundle_assignment_one_open') requirePassed(refused('already_open', 409));
    throw error;
  }
  await appendEvents(trx, now, eventsBetween(null, row));
  return row;
}
