// Assigns a bundle to one student by hand (contract 52 §7.1), with the checks in the order of the table.
import type { Static } from 'typebox';
import { type Answer, created, ok } from '#core/http/answers.ts';
import {
  enterOrganization,
  findStudentInReach,
  type StudentInScope,
  teachersAndAdmins,
} from '#identity/people/index.ts';
import { activateBundle } from '../assignments/activate.ts';
import type { AssignmentView } from '../assignments/reads/schemas.ts';
import { assignmentView } from '../assignments/reads/views.ts';
import { requirePassed } from '../assignments/refusals.ts';
import { type CheckAnswer, checkActivation, overrideFault, refused } from '../engine/assignments/activation-check.ts';
import { type InterventionRules, interventionRules } from '../rules/compiled.ts';
import { situationsOf } from '../situations/situations.ts';
import { underLock } from '../support/under-lock.ts';
import { refusalAlone, requireStart, type WorkflowCall } from './callers.ts';
import { activationState, blockedBody, checkRules, chosenDelivery, decidedOf } from './decide.ts';
import { requireProvider } from './providers.ts';
import type { ActivationBody, Blocked } from './schemas.ts';

type Body = Static<typeof ActivationBody>;
type Activated = Answer<201, Static<typeof AssignmentView>> | Answer<200, Static<typeof Blocked>>;

export async function activate(asked: WorkflowCall<Body>): Promise<Activated> {
  const rules = interventionRules((await asked.services.rules.at(asked.trx, asked.now)).rules);
  const student = await studentOf(asked, rules);
  const { organizationId, id: studentId } = student;
  await requireProvider(asked.trx, student, asked.body.providerUserId);
  const { services, trx, actor, body, now } = await underLock(asked, { organizationId, studentId });
  const found = await situationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  const decided = decidedOf(found, studentId);
  const answer = checkActivation(body, activationState(decided), checkRules(decided.rules));
  if (isBlocked(answer)) return ok(blockedBody(decided.situation));
  requirePassed(answer);
  const input = {
    ...{ organizationId, bundle_id: body.bundle_id, ...chosenDelivery(body, decided) },
    startOn: body.startOn ?? decided.situation.today,
    source: { type: 'individual', clusterKey: null, generationId: null },
    ...{ overrideCode: body.overrideCode ?? null, providerUserId: body.providerUserId },
    actor,
  } as const;
  const row = await activateBundle(trx, input, decided, now);
  return created(await assignmentView(services, trx, row, now));
}

export const isBlocked = (answer: CheckAnswer): boolean => 'outcome' in answer;

/** Faults of the body are reported before a missing student; the dates of the start are in the student's time zone. */
async function studentOf(call: WorkflowCall<Body>, rules: InterventionRules): Promise<StudentInScope> {
  const { body } = call;
  const fault = overrideFault(body, rules.codes);
  if (fault) requirePassed(refused(fault));
  const found = await findStudentInReach(call, body.studentId, teachersAndAdmins).catch(refusalAlone);
  await requireStart(call, body.startOn, 'row' in found ? found.row.timeZone : undefined, rules);
  if (!('row' in found)) throw found;
  await enterOrganization(call, found.row.organizationId);
  if (found.writeRefusal) throw found.writeRefusal;
  return found.row;
}
