// Freezes evidence, recommendation and gates in a packet (PKT-02), which the call may open as well (PKT-03). Later decisions
// are about the frozen data.
import type { Static } from 'typebox';
import { type Answer, created, ok } from '#core/http/answers.ts';
import type { Actor } from '#core/http/route.ts';
import { appendEvents } from '#core/module/events.ts';
import { conflict } from '#core/platform/errors.ts';
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { enterOrganization, findStudentInReach, requireWritable, teachersAndAdmins } from '#identity/people/index.ts';
import { underLock, versionsOf } from '../../interventions/index.ts';
import { gatesOf, notEnrolled } from '../../rti/index.ts';
import { packetDocuments } from '../document/names.ts';
import { packetStage } from '../events.ts';
import { collectEvidence, evidenceHash } from '../evidence/collect.ts';
import { readingAt } from '../evidence/rows.ts';
import { changePacket, DecisionPacket, undecided } from '../rows/store.ts';
import { dueWhenReviewed } from './due.ts';
import { freezeFigures } from './freeze-figures.ts';
import { openPacket } from './open.ts';
import {
  advisedFor,
  approvalStudent,
  approvedPacket,
  gatesFor,
  isDecisionHalted,
  type PacketCall,
  type PacketStudentNow,
  studentNow,
} from './packet-context.ts';
import type { AssemblyBody, HaltedPacket, PacketView } from './schemas.ts';
import { findPacketInReach } from './scopes.ts';
import { packetView } from './views.ts';

interface Call extends PacketCall {
  readonly actor: Actor;
  readonly body: Static<typeof AssemblyBody>;
}

type View = Static<typeof PacketView>;
type Halted = Static<typeof HaltedPacket>;

export async function assemble(asked: Call): Promise<Answer<201, View> | Answer<200, View | Halted>> {
  const { body } = asked;
  return 'packetId' in body ? assembleAgain(asked, body.packetId) : assembleNew(asked, body);
}

async function assembleAgain(asked: Call, packetId: string): Promise<Answer<200, View | Halted>> {
  const { row: reached } = await requireWritable(findPacketInReach(asked, packetId, teachersAndAdmins));
  await enterOrganization(asked, reached.packet.organizationId);
  const call = await underLock(asked, reached.packet);
  const packet = await reloadPacket(call, reached.packet);
  if (packet.closedAt !== null) throw conflict('packet_closed', 'The packet is closed.', 'packetId');
  const student = await studentNow(call, packet);
  if (student.situation.enrollment === null) throw notEnrolled();
  if (isDecisionHalted(student.situation)) return ok(await haltedAnswer(call, student, packet));
  return ok(await packetView(call, await freeze(call, packet, student)));
}

async function assembleNew(
  asked: Call,
  { studentId, reviewType }: Extract<Call['body'], { readonly studentId: number }>,
): Promise<Answer<201, View> | Answer<200, Halted>> {
  const { organizationId } = (await requireWritable(findStudentInReach(asked, studentId, teachersAndAdmins))).row;
  await enterOrganization(asked, organizationId);
  const call = await underLock(asked, { organizationId, studentId });
  const { trx, actor, now } = call;
  const student = await studentNow(call, { organizationId, studentId });
  if (student.situation.enrollment === null) throw notEnrolled();
  if (isDecisionHalted(student.situation)) return ok(await haltedAnswer(call, student, null));
  const opening = { organizationId, studentId, reviewType, openedBy: actor.userId, now };
  const packet = await openPacket(trx, opening, student);
  return created(await packetView(call, await freeze(call, packet, student)));
}

/** Reads the row under the lock. */
export async function reloadPacket(
  { trx }: Pick<PacketCall, 'trx'>,
  { organizationId, id }: DecisionPacket,
): Promise<DecisionPacket> {
  return DecisionPacket.query(trx).findOne({ organizationId, id }).throwIfNotFound();
}

/** Writes nothing. */
export const haltedAnswer = async (
  asked: PacketCall,
  { situation }: PacketStudentNow,
  packet: DecisionPacket | null,
): Promise<Halted> => ({
  outcome: 'do_not_decide_yet',
  nextRecommendedDataAction: situation.nextRecommendedDataAction,
  packet: packet && (await packetView(asked, packet)),
});

async function freeze(call: Call, packet: DecisionPacket, student: PacketStudentNow): Promise<DecisionPacket> {
  const { services, trx, now } = call;
  const { organizationId, studentId, id: key, timeZone } = packet;
  const { situation, found } = student;
  const since = laterOf(situation.tierSince, daysBefore(situation.today, found.rules.settings.evidenceDays));
  const asked = { key, studentId, timeZone, since };
  const evidence = (await collectEvidence(await readingAt(services, trx, now), organizationId, [asked])).get(key) ?? [];
  const advised = advisedFor(student, packet.reviewType);
  const isNew = packet.status !== 'under_review';
  const assembled = {
    ...{ status: 'under_review' as const, assembledAt: now.toISOString(), fromTier: situation.tier },
    ...{
      alertId: situation.openAlert?.id ?? null,
      evidenceFrom: since,
      evidence,
      evidenceHash: evidenceHash(evidence),
    },
    ...{ recommendation: advised.shown, facts: advised.input, ...undecided },
    figures: await freezeFigures(call, packet, student, advised),
    ...{ assembledBy: call.actor.userId, ruleVersions: versionsOf(found.rules, packetDocuments) },
    ...(isNew && { reviewedSince: now.toISOString(), ...dueWhenReviewed(found.rules, situation) }),
  };
  const row = Object.assign(new DecisionPacket(), packet, assembled);
  const gates = [
    ...gatesOf(
      gatesFor(row),
      approvedPacket(row, assembled.evidenceHash),
      approvalStudent(advised),
      found.rules.packets,
    ),
  ];
  const after = await changePacket(trx, packet, { ...assembled, gates });
  if (isNew && found.rules.settings.due !== null) await appendEvents(trx, now, [packetStage(after, 'packet_waiting')]);
  return after;
}

const laterOf = (one: string, other: string): string => (one > other ? one : other);
