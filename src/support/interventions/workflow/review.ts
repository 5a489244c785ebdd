// Reviews an assignment (contract 52 §7.2): under the lock of its student, the checks in their order, the move, and for a
// replacement the new assignment in the same transaction.
import type { Static } from 'typebox';
import { ok } from '#core/http/answers.ts';
import { notFound } from '#core/platform/errors.ts';
import { enterOrganization, teachersAndAdmins } from '#identity/people/index.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { activateBundle, type DecidedSituation } from '../assignments/activate.ts';
import { changeAssignment } from '../assignments/change.ts';
import { completionEvents } from '../assignments/events.ts';
import { type Due, dueOf, writeDue } from '../assignments/follow.ts';
import { findAssignmentInReach, type ReachedAssignment } from '../assignments/reads/scopes.ts';
import { assignmentView } from '../assignments/reads/views.ts';
import { refusal, requirePassed } from '../assignments/refusals.ts';
import { completeWeeksOf, type DeliveredDays, deliveredDays, trackOf } from '../assignments/track.ts';
import type { CheckAnswer } from '../engine/assignments/activation-check.ts';
import { checkReview, reviewFault } from '../engine/assignments/review-check.ts';
import { type InterventionRules, interventionRules } from '../rules/compiled.ts';
import { situationsOf } from '../situations/situations.ts';
import { underLock } from '../support/under-lock.ts';
import { isBlocked } from './activate.ts';
import { refusalAlone, requireStart, type WorkflowCall } from './callers.ts';
import { activationState, blockedBody, checkRules, chosenDelivery, decidedOf, givenAs, withoutPlan } from './decide.ts';
import { reviewEffectOf } from './effects.ts';
import { requireProvider } from './providers.ts';
import type { ReviewBody } from './schemas.ts';

type Body = Static<typeof ReviewBody>;

export async function review(asked: WorkflowCall<Body>) {
  const first = interventionRules((await asked.services.rules.at(asked.trx, asked.now)).rules);
  const { assignment, student } = await reached(asked, first);
  const { organizationId, id: studentId } = student;
  await requireProvider(asked.trx, student, asked.body.providerUserId);
  const call = await underLock(asked, { organizationId, studentId });
  const { services, trx, now } = call;
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  const due = await dueOf(trx, { organizationId, studentIds: [studentId], now }, rules);
  const checked = await checkUnderLock(call, assignment, due);
  if (isBlocked(checked.answer)) return ok(blockedBody(checked.decided.situation));
  requirePassed(checked.answer);
  await writeDue(trx, due, now);
  return ok(await moveOn(call, due.length === 0 ? checked : await checkUnderLock(call, assignment, [])));
}

interface CheckedReview {
  readonly row: BundleAssignment;
  readonly delivered: DeliveredDays;
  readonly decided: DecidedSituation;
  readonly answer: CheckAnswer;
}

/** Applies due changes first; a halted student has none. */
async function checkUnderLock(
  call: WorkflowCall<Body>,
  { organizationId, id, studentId }: BundleAssignment,
  due: readonly Due[],
) {
  const { services, trx, body, now } = call;
  const stored = await presentRow(call, { organizationId, id });
  const change = due.find(({ row }) => row.id === id)?.change ?? {};
  const row = stored.$clone().$set(change);
  const found = await situationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  const present = decidedOf(found, studentId);
  const decided = body.action === 'replace' ? withoutPlan(present, id) : present;
  const delivered = await deliveredDays(trx, organizationId, [id]);
  return { row, delivered, decided, answer: checked(body, row, delivered, decided) };
}

/** Faults of the call are reported before a missing assignment. */
async function reached(call: WorkflowCall<Body>, rules: InterventionRules): Promise<ReachedAssignment> {
  const { body } = call;
  const fault = reviewFault(body, rules.codes);
  if (fault) throw refusal(422, [fault]);
  const found = await findAssignmentInReach(call, body.assignmentId, teachersAndAdmins).catch(refusalAlone);
  const timeZone = 'row' in found ? found.row.student.timeZone : undefined;
  await requireStart(call, body.startOn, timeZone, rules);
  if (!('row' in found)) throw found;
  await enterOrganization(call, found.row.student.organizationId);
  if (found.writeRefusal) throw found.writeRefusal;
  return found.row;
}

/** Reads the row under the lock. */
async function presentRow(
  { trx }: WorkflowCall<Body>,
  { organizationId, id }: Pick<BundleAssignment, 'organizationId' | 'id'>,
): Promise<BundleAssignment> {
  const row = await BundleAssignment.query(trx).findOne({ organizationId, id });
  if (!row) throw notFound();
  return row;
}

function checked(body: Body, row: BundleAssignment, delivered: DeliveredDays, decided: DecidedSituation): CheckAnswer {
  const { situation, rules } = decided;
  const { settings } = rules;
  const reviewed = {
    ...{ state: row.state, bundle_id: row.bundleId, trackStatus: row.trackStatus, scaffoldTier: row.scaffoldTier },
    ...{ deliveryMode: row.deliveryMode, sessionsPerWeek: row.sessionsPerWeek },
    ...{ plannedWeeks: row.plannedWeeks, extensions: row.extensions, steps: row.steps },
    completeWeeks: completeWeeksOf(row, delivered, situation, rules),
    halted: situation.halted,
  };
  const { bundle_id, scaffoldTier, deliveryMode } = body;
  const given = bundle_id === row.bundleId ? givenAs({ bundle_id, scaffoldTier, deliveryMode }, decided) : undefined;
  return checkReview(body, reviewed, { ...checkRules(rules), settings }, { ...activationState(decided), given });
}

async function moveOn(call: WorkflowCall<Body>, { row, delivered, decided }: CheckedReview) {
  const { services, trx, body, now } = call;
  const after = await changed(call, row, delivered, decided);
  const view = await assignmentView(services, trx, after, now);
  if (body.action !== 'replace' || body.bundle_id === undefined) return view;
  const made = await replacement(call, row.organizationId, body.bundle_id, decided);
  return { superseded: view, assignment: await assignmentView(services, trx, made, now) };
}

function changed(call: WorkflowCall<Body>, row: BundleAssignment, delivered: DeliveredDays, decided: DecidedSituation) {
  const { body, trx, now } = call;
  const { situation, rules } = decided;
  const { action, reasonCode = null, providerUserId } = body;
  const move = { row, today: situation.today, now, settings: rules.settings, reasonCode, providerUserId };
  const change = reviewEffectOf(action, move);
  const trackStatus = trackOf({ ...row, ...change }, delivered, situation, rules);
  const isOwnCode = action !== 'replace' && body.overrideCode !== undefined;
  const code = isOwnCode ? { moveOverrideCode: body.overrideCode ?? null } : {};
  const completed = completionEvents(row, change, situation.calendar, rules);
  return changeAssignment(trx, row, { ...change, ...code, trackStatus }, now, completed);
}

function replacement(
  { trx, actor, body, now }: WorkflowCall<Body>,
  organizationId: string,
  bundleId: string,
  decided: DecidedSituation,
): Promise<BundleAssignment> {
  const { scaffoldTier, deliveryMode, startOn, overrideCode = null } = body;
  const input = {
    organizationId,
    ...{ bundle_id: bundleId, ...chosenDelivery({ bundle_id: bundleId, scaffoldTier, deliveryMode }, decided) },
    startOn: startOn ?? decided.situation.today,
    source: { type: 'individual', clusterKey: null, generationId: null },
    ...{ overrideCode, actor },
  } as const;
  return activateBundle(trx, input, decided, now);
}
