// Closes a packet without a decision: rejected by a person with a reason (PKT-07), or closed when the student has left
// (PKT-10). No tier changes, and the alert stays open.
import type { Static } from 'typebox';
import type { Actor } from '#core/http/route.ts';
import { appendEvents } from '#core/module/events.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import { lockSupport, underLock } from '../../interventions/index.ts';
import { gatesOf, reasonFault, rtiRules } from '../../rti/index.ts';
import { packetDecided } from '../events.ts';
import { changePacket, DecisionPacket } from '../rows/store.ts';
import { reloadPacket } from './assemble.ts';
import {
  advisedFor,
  approvalStudent,
  approvedPacket,
  gatesFor,
  type PacketCall,
  studentNow,
} from './packet-context.ts';
import type { PacketView, RejectionBody } from './schemas.ts';
import type { ReachedPacket } from './scopes.ts';
import { freshHashes, packetView } from './views.ts';

interface Call extends PacketCall {
  readonly actor: Actor;
  readonly scope: ReachedPacket;
  readonly body: Static<typeof RejectionBody>;
}

export async function reject(asked: Call): Promise<Static<typeof PacketView>> {
  await requireReason(asked);
  const call = await underLock(asked, asked.scope.packet);
  const { trx, actor, scope, body, now } = call;
  const packet = await reloadPacket(call, scope.packet);
  if (packet.closedAt !== null) throw conflict('packet_closed', 'The packet is closed.');
  const closed = await changePacket(trx, packet, {
    ...{ status: 'rejected', rejectReasonCode: body.reasonCode },
    ...{ closedBy: actor.userId, closedAt: now.toISOString(), dueOn: null },
    ...(packet.assembledAt !== null && { gates: await gatesNow(call, packet) }),
  });
  const { due } = rtiRules((await call.services.rules.at(trx, now)).rules).settings;
  if (due !== null) await appendEvents(trx, now, [packetDecided(closed, 'rejected', actor.userId)]);
  return packetView(call, closed);
}

async function requireReason({ services, trx, body, now }: Call): Promise<void> {
  const { codes } = rtiRules((await services.rules.at(trx, now)).rules);
  const fault = reasonFault(body.reasonCode, 'packet_rejection', codes);
  if (fault !== undefined) throw invalid('reasonCode', fault);
}

/** The gates at the time of closing. */
async function gatesNow(call: Call, packet: DecisionPacket) {
  const student = await studentNow(call, packet);
  const fresh = (await freshHashes(call, packet.organizationId, [packet])).get(packet.id) ?? null;
  const advised = advisedFor(student, packet.reviewType);
  const state = approvalStudent(advised);
  return [...gatesOf(gatesFor(packet), approvedPacket(packet, fresh), state, student.found.rules.packets)];
}

/** The reason of PKT-10. */
const left = 'Student_Left';

export interface PacketStudents {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
}

/** PKT-10. It asks no rules, so that it works without any in force. A change of class does not close a packet. */
export async function closeOfThoseWhoLeft(
  trx: Trx,
  clock: Clock,
  { organizationId, studentIds }: PacketStudents,
): Promise<void> {
  if ((await openOfThoseWhoLeft(trx, organizationId, studentIds)).length === 0) return;
  await lockSupport(trx, organizationId, studentIds);
  const closedAt = clock.now().toISOString();
  for (const row of await openOfThoseWhoLeft(trx, organizationId, studentIds)) {
    await changePacket(trx, row, { status: 'rejected', rejectReasonCode: left, closedAt, dueOn: null });
  }
}

const openOfThoseWhoLeft = async (trx: Trx, organizationId: string, studentIds: readonly number[]) =>
  DecisionPacket.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .whereNull('closedAt')
    .whereNotExists(
      trx('enrollment as e')
        .select(trx.raw('1'))
        .whereRaw('e.organization_id = decision_packet.organization_id and e.student_id = decision_packet.student_id')
        .whereNull('e.enrolledTo'),
    )
    .orderBy(['studentId', 'id']);
