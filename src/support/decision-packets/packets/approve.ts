// Approves or defers a packet (PKT-04, PKT-05): checks the gates in their order under the lock of the student's support, and
// writes decision, movement, alert and packet in one transaction.
import type { Static } from 'typebox';
import { type Answer, ok } from '#core/http/answers.ts';
import type { Actor } from '#core/http/route.ts';
import { appendEvents } from '#core/module/events.ts';
import { denied, invalid } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { underLock } from '../../interventions/index.ts';
import {
  type AdviceNow,
  appendDecision,
  approvalFault,
  checkApproval,
  closeByDecision,
  gatesOf,
  moveTier,
  notEnrolled,
  requireAcceptedDecision,
  requireDay,
  rtiRules,
  type ShownGate,
  tierAfter,
} from '../../rti/index.ts';
import { packetDecided } from '../events.ts';
import { changePacket, type DecisionPacket } from '../rows/store.ts';
import { haltedAnswer, reloadPacket } from './assemble.ts';
import { checkApprover } from './check-approver.ts';
import { advisedFor, approvalStudent, approvedPacket, type PacketCall, studentNow } from './packet-context.ts';
import type { ApprovalBody, HaltedPacket, PacketView } from './schemas.ts';
import type { ReachedPacket } from './scopes.ts';
import { freshHashes, packetView } from './views.ts';

interface Call extends PacketCall {
  readonly actor: Actor;
  readonly scope: ReachedPacket;
  readonly body: Static<typeof ApprovalBody>;
}

export async function approve(
  asked: Call,
): Promise<Answer<200, Static<typeof PacketView> | Static<typeof HaltedPacket>>> {
  await requireCodes(asked);
  const { actor, body } = asked;
  const { organizationId } = asked.scope.packet;
  const { refusal, ...check } = await checkApprover(asked, asked.scope.packet);
  const caller = { id: actor.userId, persona: actor.persona, ...check };
  const call = await underLock(asked, asked.scope.packet);
  const packet = await reloadPacket(call, call.scope.packet);
  const student = await studentNow(call, packet);
  const { found, situation } = student;
  requireDay(body.effectiveOn, situation, found.rules.settings);
  if (packet.closedAt === null && situation.enrollment === null) throw notEnrolled();
  const advised = advisedFor(student, packet.reviewType);
  const fresh = (await freshHashes(call, organizationId, [packet])).get(packet.id) ?? null;
  const [approved, state] = [approvedPacket(packet, fresh), approvalStudent(advised)];
  const rules = { ...found.rules.packets, codes: found.rules.codes };
  const answer = checkApproval({ ...body, caller }, approved, state, rules);
  if (answer.status === 403) throw (actor.persona === 'ADMIN' && refusal) || denied();
  if (answer.status === 200 && answer.issue !== null) return ok(await haltedAnswer(call, student, packet));
  requireAcceptedDecision(answer);
  const decided =
    body.decision === 'defer'
      ? await defer(call, packet, advised, found.rules.settings.deferralDays)
      : await close(call, packet, advised, [...gatesOf(body, approved, state, rules)]);
  if (found.rules.settings.due !== null) {
    await appendEvents(call.trx, call.now, [packetDecided(decided, body.decision, actor.userId)]);
  }
  return ok(await packetView(call, decided));
}

async function requireCodes({ services, trx, body, now }: Call): Promise<void> {
  const fault = approvalFault(body, rtiRules((await services.rules.at(trx, now)).rules).codes);
  if (fault) throw invalid(fault.field, fault.issue);
}

/** A deferral leaves the alert open. */
const defer = ({ trx, body, now }: Call, packet: DecisionPacket, { situation }: AdviceNow, days: number) =>
  changePacket(trx, packet, {
    ...{ status: 'deferred', decision: 'defer', deferralCode: body.deferralCode ?? null },
    ...{ deferUntil: daysAfter(situation.today, days), deferredAt: now.toISOString(), dueOn: null },
  });

/** `gates`: the present ones. */
async function close(call: Call, packet: DecisionPacket, advised: AdviceNow, gates: ShownGate[]) {
  const { trx, actor, body, now } = call;
  const { decision, overrideCode = null } = body;
  const fromTier = packet.fromTier ?? advised.situation.tier;
  const toTier = tierAfter(fromTier, decision) ?? fromTier;
  const decisionId = newId();
  const { recommendation, facts } = frozenIn(packet);
  const { movementId, closedAlertId } = await effectsOf(call, packet, advised, { fromTier, toTier });
  const { organizationId, studentId } = packet;
  const { schoolYear, today } = advised.situation;
  await appendDecision(trx, {
    ...{ id: decisionId, organizationId, schoolYear, studentId, recommendationId: null, packetId: packet.id },
    ...{ decision, recommendedDecision: recommendation.decision ?? decision, fromTier, toTier },
    ...{
      movementId,
      overrideCode,
      effectiveOn: body.effectiveOn ?? today,
      effectiveReason: null,
      committedAt: now.toISOString(),
    },
    ...{ decidedBy: actor.userId, closedAlertId, recommendation, facts, ruleVersions: recommendation.ruleVersions },
  });
  return changePacket(trx, packet, {
    ...{ status: 'approved', decision, toTier, decisionId, movementId, overrideCode, gates },
    ...{ closedBy: actor.userId, closedAt: now.toISOString(), dueOn: null },
  });
}

/** A packet under review is always assembled. */
function frozenIn({ id, recommendation, facts }: DecisionPacket) {
  if (!recommendation || !facts) throw new RangeError(`packet ${id} was never assembled`);
  return { recommendation, facts };
}

type Tiers = Readonly<Record<'fromTier' | 'toTier', NonNullable<DecisionPacket['fromTier']>>>;

async function effectsOf(
  { services, trx, actor, body, now }: Call,
  { id, organizationId, studentId, reviewType }: DecisionPacket,
  { situation: { today } }: AdviceNow,
  { fromTier, toTier }: Tiers,
): Promise<{ readonly movementId: number | null; readonly closedAlertId: string | null }> {
  const { decision, effectiveOn = today } = body;
  if (fromTier !== toTier) {
    const move = { expectedFromTier: fromTier, toTier, effectiveOn, actor: actor.userId, now };
    const source = { type: 'decision_packet', id } as const;
    return moveTier(trx, services, { organizationId, studentId, ...move, source });
  }
  const deciding = { organizationId, studentId, decision, packet: reviewType, moved: false, now, today };
  return { movementId: null, closedAlertId: await closeByDecision(trx, deciding) };
}
