// All work in tiers, fidelity and packets that writes about one student, with its preparation.
import type { Capability } from '#core/module/capability.ts';
import { inContext } from '#core/platform/db.ts';
import { relayAll } from '../../../../workers/relay.ts';
import type { Student } from '../../../assessment/skill-status/shell.ts';
import { signIn, type UserRow } from '../../../harness/factories.ts';
import { noQueues } from '../../../workers/support.ts';
import { insertAssignment } from '../../interventions/assignment-rows.ts';
import type { Room } from '../../interventions/classroom.ts';
import { type Desk, type Json, made } from '../desk.ts';

export type Work = () => Promise<unknown>;
export type Prepared = (room: Room, student: UserRow) => Promise<Work>;

const review = 'tier_escalation';

/** By operation; a suffix distinguishes two cases of one. */
export function requestsAt(desk: Desk): Readonly<Record<string, Prepared>> {
  const { facts, post, get } = desk;
  const opened = '2026-01-13T09:00:00.000Z';
  const ok = async (reply: Promise<{ status: number; body: unknown }>, status = 200) => made(await reply, status);
  const answering =
    (action: string, body: object): Prepared =>
    async ({ teacher }, student) => {
      const id = await facts(student).alert(opened);
      return () => ok(post(teacher, `/api/rti/alerts/${id}/${action}`, body));
    };
  const committing =
    (body: object): Prepared =>
    async ({ teacher }, { id }) => {
      const path = `/api/rti/students/${id}`;
      await ok(post(teacher, `${path}/evaluate`, {}));
      const { recommendationId } = made(await get(teacher, `${path}/recommendation`), 200) as Json;
      return () => ok(post(teacher, `${path}/decisions`, { ...body, recommendationId }), 201);
    };
  return {
    evaluateRti: async ({ teacher }, { id }) => {
      return () => ok(post(teacher, `/api/rti/students/${id}/evaluate`, {}));
    },
    acknowledgeAlert: answering('acknowledge', {}),
    dismissAlert: answering('dismiss', { overrideCode: 'Alr_Already_Addressed_06' }),
    commitRtiDecision: committing({ decision: 'escalate' }),
    'commitRtiDecision without a movement': committing({
      ...{ decision: 'maintain', overrideCode: 'Rti_Evidence_Conflict_01' },
    }),
    openDecisionPacket: async ({ teacher }, student) => {
      return () => ok(desk.open(teacher, student, review), 201);
    },
    assembleDecisionPacket: async ({ teacher }, { id }) => {
      return () => ok(desk.assemble(teacher, { studentId: id, reviewType: review }), 201);
    },
    async 'assembleDecisionPacket again'({ teacher }, student) {
      const { packetId } = made(await desk.open(teacher, student, review));
      return () => ok(desk.assemble(teacher, { packetId }));
    },
    async approveDecisionPacket({ teacher }, { id }) {
      const { packetId } = made(await desk.assemble(teacher, { studentId: id, reviewType: review }));
      return () => ok(desk.approve(teacher, packetId, { decision: 'maintain' }));
    },
    async rejectDecisionPacket({ teacher }, student) {
      const { packetId } = made(await desk.open(teacher, student, review));
      return () => ok(desk.reject(teacher, packetId, 'Opened_In_Error'));
    },
    async recomputeFidelity(room, student) {
      const plan = await planOf(desk, room, student);
      return () => ok(post(room.teacher, `/api/fidelity/${plan}/recompute`, {}));
    },
  };
}

const planOf = ({ owner }: Desk, { classRow }: Room, student: UserRow): Promise<string> =>
  insertAssignment(owner, { ...student, classRow } as Student, 'BND-DECODE-01');

/** By name of the reaction, queue or daily job. */
export function laterAt(desk: Desk, capabilities: readonly Capability[]): Readonly<Record<string, Prepared>> {
  const { services } = desk.classroom;
  const { owner } = desk;
  const handled = (queue: string, data: Readonly<Record<string, string>>) =>
    capabilities
      .flatMap(({ handlers = [] }) => (typeof handlers === 'function' ? [] : handlers))
      .find((handler) => handler.queue === queue)
      ?.handle(services, data, new AbortController().signal) ?? Promise.reject(new Error(`no queue ${queue}`));
  const daily = async (name: string, { organizationId }: Room) => {
    const found = capabilities.flatMap((one) => one.daily ?? []).find((one) => one.name === name);
    await found?.run(services, noQueues, { organizationId, date: '2026-01-15' });
  };
  const reactions = capabilities.flatMap((one) => one.reactions ?? []);
  const left = async (room: Room, student: UserRow) => {
    made(await desk.open(room.teacher, student, review));
    const token = await signIn(desk.app, await desk.admin(room));
    await desk.app.delete(`/api/classes/${room.classRow.id}/students/${student.id}`, { token });
  };
  return {
    async 'packets-follow-enrollment'(room, student) {
      await left(room, student);
      const own = reactions.filter(({ name }) => name === 'packets-follow-enrollment');
      return () => relayAll(services, noQueues, own, services.log);
    },
    async 'packets-of-the-day'(room, student) {
      await left(room, student);
      return () => daily('packets-of-the-day', room);
    },
    'rti-evaluation': async ({ organizationId }, { id }) => {
      return () => handled('rti-evaluation', { organizationId, studentIds: String(id) });
    },
    'rti-evaluations-of-the-day': async (room) => () => daily('rti-evaluations-of-the-day', room),
    async 'fidelity-recount'(room, student) {
      const { organizationId } = room;
      const assignmentId = await planOf(desk, room, student);
      const asked = { requestedSeq: 1, requestedAt: desk.app.clock.now() };
      await inContext(owner, { organizationId }, (trx) =>
        trx('fidelity_request').insert({ organizationId, assignmentId, studentId: student.id, ...asked }),
      );
      return () => handled('fidelity-recount', { organizationId, assignmentIds: assignmentId });
    },
    async 'fidelity-of-the-day'(room, student) {
      await planOf(desk, room, student);
      return () => daily('fidelity-of-the-day', room);
    },
  };
}
