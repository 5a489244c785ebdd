// People who write audited tables without a pause, and the answers that they get.
import { randomStream } from '#app/demo/engine/random.ts';
import { schoolYearOfToday } from '../../harness/clock.ts';
import type { UserRow } from '../../harness/factories.ts';
import type { Room } from '../../support/interventions/classroom.ts';
import type { Body, Call, DisturbedService } from './service.ts';

export interface Answered {
  readonly operation: string;
  readonly requestId: string;
  readonly status: number;
  readonly body: Body;
}

export interface Writers {
  readonly service: DisturbedService;
  readonly room: Room;
  readonly admin: UserRow;
  readonly answers: Answered[];
  readonly over: () => boolean;
}

type Ask = (by: UserRow, operation: string, call: Omit<Call, 'requestId'>) => Promise<Body>;
type Round = (ask: Ask, writers: Writers, student: UserRow, random: () => number) => Promise<void>;

/** Sends requests about one student, one after the other, until the load is over. */
export async function writeWithoutPause(writers: Writers, student: UserRow, seed: string): Promise<void> {
  const stream = randomStream(`${seed}/${student.id}`);
  const ask: Ask = async (by, operation, call) => {
    const requestId = crypto.randomUUID();
    const { status, body } = await answered(operation, writers.service.ask(by, { ...call, requestId }));
    writers.answers.push({ operation, requestId, status, body });
    return status < 300 ? body : {};
  };
  while (!writers.over()) {
    const round = rounds[Math.floor(stream.next() * rounds.length)];
    await round?.(ask, writers, student, () => stream.next());
  }
}

/** Longer than the service waits for a connection or a statement. */
const answeredWithinMs = 40_000;

async function answered<T>(operation: string, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${operation} was not answered`)), answeredWithinMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

const dayMs = 24 * 60 * 60 * 1000;
const dateIn = (days: number): string => new Date(Date.now() + Math.floor(days) * dayMs).toISOString().slice(0, 10);

const changeHolidays: Round = async (ask, { admin, room }, _student, random) => {
  const path = `/api/organizations/${room.organizationId}`;
  await ask(admin, 'updateOrganization', { method: 'PATCH', path, body: { holidays: [dateIn(random() * 200)] } });
};

const renameClass: Round = async (ask, { admin, room }) => {
  const body = { name: crypto.randomUUID().slice(0, 12) };
  await ask(admin, 'updateClass', { method: 'PATCH', path: `/api/classes/${room.classRow.id}`, body });
};

const addClass: Round = async (ask, { admin, room }) => {
  const body = { schoolId: room.classRow.schoolId, name: 'أ', grade: 2, academicYear: schoolYearOfToday() };
  await ask(admin, 'createClass', { method: 'POST', path: '/api/classes', body });
};

const decide: Round = async (ask, { room: { teacher } }, { id }) => {
  const path = `/api/rti/students/${id}`;
  await ask(teacher, 'evaluateRti', { method: 'POST', path: `${path}/evaluate`, body: {} });
  const read = { method: 'GET', path: `${path}/recommendation` } as const;
  const { recommendationId } = await ask(teacher, 'getRtiRecommendation', read);
  if (recommendationId === undefined) return;
  const body = { recommendationId, decision: 'maintain', overrideCode: 'Rti_Evidence_Conflict_01' };
  await ask(teacher, 'commitRtiDecision', { method: 'POST', path: `${path}/decisions`, body });
};

const reviewPacket: Round = async (ask, { room: { teacher } }, { id }) => {
  const path = '/api/decision-packet-workflows';
  const body = { reviewType: 'tier_escalation' };
  const opening = { method: 'POST', path: `/api/students/${id}/decision-packets`, body } as const;
  const { packetId } = await ask(teacher, 'openDecisionPacket', opening);
  if (packetId === undefined) return;
  const assembling = { method: 'POST', path: `${path}/assemble`, body: { packetId } } as const;
  await ask(teacher, 'assembleDecisionPacket', assembling);
  const rejecting = { method: 'POST', path: `${path}/${packetId}/reject` } as const;
  await ask(teacher, 'rejectDecisionPacket', { ...rejecting, body: { reasonCode: 'Opened_In_Error' } });
};

const followPlan: Round = async (ask, { room: { teacher } }, { id }) => {
  const body = { studentId: id, bundle_id: 'SUP-DECODE-01', confirmOffRecommendation: true };
  const reason = { overrideCode: 'Wfl_Bundle_Substitution_03' };
  const activating = { method: 'POST', path: '/api/workflow/activate', body: { ...body, ...reason } } as const;
  const { assignmentId } = await ask(teacher, 'activateBundle', activating);
  if (assignmentId === undefined) return;
  for (const review of [
    { action: 'pause', reasonCode: 'Long_Absence' },
    { action: 'resume' },
    { action: 'stop', reasonCode: 'Not_Suitable' },
  ]) {
    const reviewing = { method: 'POST', path: '/api/workflow/review', body: { assignmentId, ...review } } as const;
    await ask(teacher, 'reviewAssignment', reviewing);
  }
};

const rounds: readonly Round[] = [changeHolidays, renameClass, addClass, decide, reviewPacket, followPlan];
