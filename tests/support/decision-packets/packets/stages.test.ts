// What is told about packets, and to whom: waiting, due, overdue, decided, and a draft again. February 2026; the weekend is
// Friday and Saturday. A packet is due on the fifth school day after it came under review.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobsOf } from '#core/module/capability.ts';
import { deliverWaiting } from '#messaging/notifications/dispatch/deliver.ts';
import { checkPackets } from '#support/decision-packets/packets/jobs.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { buildClass, buildPrincipal, buildTeacher, signIn, type UserRow } from '../../../harness/factories.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import type { Room } from '../../interventions/classroom.ts';
import { made, useDesk } from '../desk.ts';

const test = suite('stages of packets');
const desk = useDesk(test);
const { app, owner } = desk;
const { services } = desk.classroom;
const seat = ['HIGH_INTENSITY_SPECIALIST'];

/** Six in the morning in Riyadh. */
const at = (date: string) => app.clock.set(new Date(`${date}T03:00:00.000Z`));

async function day({ organizationId }: Room, date: string): Promise<void> {
  at(date);
  await checkPackets(services, organizationId, app.clock.now());
  await settle(organizationId);
}

async function settle(organizationId: string): Promise<void> {
  const { log, lines } = capturedLog();
  await relayAll(services, noQueues, jobsOf(services.capabilities).reactions, log);
  await deliverWaiting(services, organizationId);
  assert.equal(
    lines.filter(({ err }) => err !== undefined),
    [],
  );
}

/** Stages of the packet in the person's inbox, in order. */
async function told({ id }: UserRow, packetId: string): Promise<string[]> {
  const rows = await owner('notification').where({ recipientUserId: id, sourceId: packetId }).orderBy('createdAt');
  return rows.map(({ payload: { stage, decision } }) => (decision === undefined ? stage : `${stage} ${decision}`));
}

interface Staffed {
  readonly room: Room;
  readonly student: UserRow;
  readonly second: UserRow;
  readonly principal: UserRow;
  readonly admin: UserRow;
  readonly specialist: UserRow;
}

/** On Sunday, the first of February. */
async function staffed(): Promise<Staffed> {
  at('2026-02-01');
  const room = await desk.classroom.room();
  const school = await owner('school').where({ id: room.classRow.schoolId }).first();
  await day(room, '2026-02-01');
  return {
    room,
    student: await desk.student(room),
    second: await buildTeacher(owner, room.classRow, 'SECONDARY'),
    principal: await buildPrincipal(owner, school),
    admin: await desk.admin(room),
    specialist: await desk.admin(room, seat),
  };
}

const assembled = async ({ room, student }: Staffed, reviewType = 'tier_escalation') =>
  made(await desk.assemble(room.teacher, { studentId: student.id, reviewType })).packetId;

test('a packet waits for those who may approve, is due, and overdue', async () => {
  const people = await staffed();
  const { room, second, principal, admin, specialist } = people;
  const packetId = await assembled(people);
  await settle(room.organizationId);
  const all = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries({ first: room.teacher, second, principal, admin, specialist }).map(
          async ([name, person]) => [name, await told(person, packetId)] as const,
        ),
      ),
    );
  const waiting = 'packet_waiting';
  // Neither who assembled it nor a principal, who may not approve.
  assert.equal(await all(), { first: [], second: [waiting], principal: [], admin: [waiting], specialist: [waiting] });
  made(await desk.assemble(second, { packetId }), 200);
  for (let date = 1; date <= 8; date += 1) await day(room, `2026-02-${String(date).padStart(2, '0')}`);
  // 2, 3, 4, 5 and 8 February: assembled again by the second teacher, so the first is told.
  const twice = [waiting, waiting];
  assert.equal(await all(), { first: [waiting], second: [waiting], principal: [], admin: twice, specialist: twice });
  assert.is((await desk.row(packetId)).dueOn, '2026-02-08');
  for (let date = 9; date <= 23; date += 1) await day(room, `2026-02-${String(date).padStart(2, '0')}`);
  const late = [...twice, 'overdue'];
  assert.equal(await all(), {
    ...{ first: [waiting], second: [waiting], principal: ['overdue', 'overdue'] },
    ...{ admin: late, specialist: late },
  });
});

test('tier 3 waits for administrators with the seat at that moment, not for the opener', async () => {
  const people = await staffed();
  const { room, student, admin, specialist } = people;
  const facts = desk.facts(student);
  await facts.movement(1, 2, '2025-10-01');
  await facts.movement(2, 3, '2025-11-01');
  const packetId = made(
    await desk.assemble(specialist, { studentId: student.id, reviewType: 'scheduled_tier_review' }),
  ).packetId;
  await settle(room.organizationId);
  // Nobody else has the seat: the other administrators are told.
  assert.equal([await told(admin, packetId), await told(specialist, packetId)], [['packet_waiting'], []]);
  assert.equal(await told(room.teacher, packetId), []);
  const other = await desk.admin(room, seat);
  await owner('app_user').where({ id: specialist.id }).update({ seats: [] });
  await day(room, '2026-02-08');
  assert.equal([await told(other, packetId), await told(admin, packetId)], [['packet_waiting'], ['packet_waiting']]);
});

test('PKT-04, 07: opener, teachers and principals learn of a decision, but not who decided', async () => {
  const people = await staffed();
  const { room, second, principal, admin } = people;
  const packetId = await assembled(people);
  made(await desk.reject(second, packetId, 'Evidence_Outdated'), 200);
  await settle(room.organizationId);
  assert.equal(await told(room.teacher, packetId), ['packet_decided rejected']);
  assert.equal(await told(principal, packetId), ['packet_decided rejected']);
  assert.not(await told(second, packetId).then((stages) => stages.includes('packet_decided rejected')));
  assert.equal(await told(admin, packetId), ['packet_waiting']);
  assert.is((await desk.row(packetId)).dueOn, null);
});

test('PKT-05, 06: a deferral is told, and that the packet is a draft again; another assembly counts anew', async () => {
  const people = await staffed();
  const { room, principal } = people;
  const packetId = await assembled(people);
  made(await desk.approve(people.admin, packetId, { decision: 'defer', deferralCode: 'Awaiting_Probes' }), 200);
  await day(room, '2026-02-20');
  assert.equal(await told(room.teacher, packetId), ['packet_decided defer']);
  assert.equal(await told(principal, packetId), ['packet_decided defer']);
  await day(room, '2026-03-01');
  assert.equal(await told(room.teacher, packetId), ['packet_decided defer', 'packet_due_again']);
  const draft = await desk.row(packetId);
  assert.equal([draft.status, draft.dueOn, draft.reviewedSince], ['draft', null, null]);
  at('2026-03-02');
  made(await desk.assemble(people.second, { packetId }), 200);
  assert.is((await desk.row(packetId)).dueOn, '2026-03-09');
  await settle(room.organizationId);
  assert.equal((await told(room.teacher, packetId)).at(-1), 'packet_waiting');
});

test('two packets of a student are two messages', async () => {
  const people = await staffed();
  const { room, student, admin } = people;
  const first = await assembled(people);
  await desk.facts(student).movement(1, 2, '2025-10-01');
  const second = made(
    await desk.assemble(room.teacher, { studentId: student.id, reviewType: 'scheduled_tier_review' }),
  ).packetId;
  await settle(room.organizationId);
  assert.equal([await told(admin, first), await told(admin, second)], [['packet_waiting'], ['packet_waiting']]);
});

test('a student who moves to another class takes the packet along: its day stays, and its teachers are told', async () => {
  const people = await staffed();
  const { room, student, second, admin } = people;
  const packetId = await assembled(people);
  await day(room, '2026-02-04');
  const { organizationId, schoolId } = room.classRow;
  const other = await buildClass(owner, { organizationId, schoolId, name: '2ب', grade: 2 });
  const teacher = await buildTeacher(owner, other);
  const token = await signIn(app, admin);
  const moved = await app.post(`/api/classes/${other.id}/students`, { studentIds: [student.id] }, { token });
  assert.is(moved.status, 201);
  await settle(organizationId);
  await day(room, '2026-02-08');
  const { status, dueOn } = await desk.row(packetId);
  assert.equal([status, dueOn], ['under_review', '2026-02-08']);
  assert.equal(await told(teacher, packetId), ['packet_waiting']);
  assert.equal(await told(second, packetId), ['packet_waiting'], 'when it came under review');
  await day(room, '2026-02-09');
  const overdue = await desk.get<{ items: readonly { id: string; classId: number }[] }>(teacher, '/api/rti/overdue');
  assert.equal(
    made(overdue, 200).items.map(({ id, classId }) => [id, classId]),
    [[packetId, other.id]],
  );
  assert.equal(made(await desk.get<{ items: readonly unknown[] }>(second, '/api/rti/overdue'), 200).items, []);
});

test('a packet of a student who has left is not due', async () => {
  const people = await staffed();
  const packetId = await assembled(people);
  await owner('enrollment').where({ studentId: people.student.id }).update({ enrolledTo: '2026-02-03' });
  await day(people.room, '2026-02-08');
  const { status, dueOn } = await desk.row(packetId);
  assert.equal([status, dueOn], ['rejected', null]);
  assert.equal(await told(people.admin, packetId), ['packet_waiting']);
});

test.run();
