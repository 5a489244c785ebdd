// timeout: 120s
// The list of packets for deciders, and changes without a request: a student leaves (PKT-10), a deferral ends (PKT-06).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkPackets, packetJobs } from '#support/decision-packets/packets/jobs.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { scheduler } from '../../../../workers/schedules.ts';
import { buildPrincipal, buildSchool, signIn, type UserRow } from '../../../harness/factories.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import type { Room } from '../../interventions/classroom.ts';
import { type Json, made, summary, useDesk } from '../desk.ts';

const test = suite('the queue of packets');
const desk = useDesk(test);
const { app, owner, classroom } = desk;
const { services } = classroom;
const { log } = capturedLog();
const dayMs = 86_400_000;
const noon = '2026-01-15T08:00:00.000Z';

let room: Room;
let teacher: UserRow;
test.before.each(async () => {
  app.clock.set(noon);
  room = await classroom.room();
  teacher = room.teacher;
});

const assembled = async (student: UserRow) =>
  made(await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' }));
const relay = () => relayAll(services, noQueues, packetJobs.reactions ?? [], log);
const leave = async (student: UserRow) => {
  const admin = await desk.admin(room);
  const reply = await app.delete(`/api/classes/${room.classRow.id}/students/${student.id}`, {
    token: await signIn(app, admin),
  });
  assert.ok(reply.status < 300);
  return admin;
};

async function dailyJob(): Promise<void> {
  const one = scheduler({ services, queues: noQueues, log, schedules: [], daily: packetJobs.daily ?? [] });
  app.clock.advance(4_000);
  await one.tick();
  await one.idle();
}

test('oldest first, in pages, by status, kind, class and school; ids out of reach find nothing', async () => {
  const found: string[] = [];
  for (const [at, reviewType] of ['tier_escalation', 'tier_escalation', 'scheduled_tier_review'].entries()) {
    const student = await desk.student(room);
    if (at === 2) await desk.facts(student).movement(1, 2, '2025-11-02');
    app.clock.advance(60_000);
    found.push(made(await desk.open(teacher, student, reviewType)).packetId);
  }
  made(await desk.reject(teacher, found[1] ?? '', 'Opened_In_Error'), 200);
  app.clock.advance(60_000);
  const elsewhere = await classroom.room({ organizationId: room.organizationId });
  const other = made(await desk.open(elsewhere.teacher, await desk.student(elsewhere), 'tier_escalation')).packetId;
  const places = async (user: UserRow, query = '') => {
    const { status, body } = await desk.list(user, query);
    assert.is(status, 200, JSON.stringify(body));
    return body.items.map(({ packetId }) => [...found, other].indexOf(packetId));
  };
  assert.equal(await places(teacher), [0, 1, 2]);
  assert.equal(await places(elsewhere.teacher), [3]);
  const admin = await desk.admin(room);
  assert.equal(await places(admin), [0, 1, 2, 3]);
  const principal = await buildPrincipal(owner, await owner('school').where({ id: room.classRow.schoolId }).first());
  assert.equal(await places(principal), [0, 1, 2]);
  assert.equal(await places(admin, '?status=draft'), [0, 2, 3]);
  assert.equal(await places(admin, '?status=rejected'), [1]);
  assert.equal(await places(admin, '?reviewType=scheduled_tier_review'), [2]);
  assert.equal(await places(admin, `?classId=${elsewhere.classRow.id}`), [3]);
  assert.equal(await places(admin, `?schoolId=${room.classRow.schoolId}&status=draft`), [0, 2]);
  assert.equal(await places(teacher, `?classId=${elsewhere.classRow.id}`), []);
  assert.equal(await places(teacher, `?schoolId=${elsewhere.classRow.schoolId}`), []);
  const first = (await desk.list(admin, '?limit=3')).body;
  assert.equal(await places(admin, `?limit=3&cursor=${first.nextCursor}`), [3]);
  for (const query of ['?status=lost', '?reviewType=x', '?classId=x', '?cursor=x', '?more=1']) {
    assert.is((await desk.list(admin, query)).status, 422, query);
  }
});

test('a page asks a number of statements that does not grow with the packets', async () => {
  await desk.list(teacher);
  const asked: number[] = [];
  for (const count of [1, 4]) {
    for (let more = 0; more < count; more++) await assembled(await desk.student(room));
    const token = await signIn(app, teacher);
    const list = () => classroom.http.get('/api/decision-packet-workflows', { token });
    asked.push((await sentStatements(services.db, list)).length);
  }
  assert.is(asked[0], asked[1]);
});

test('PKT-10: who leaves has every open packet rejected by the service, once; a closed one stays', async () => {
  const student = await desk.student(room);
  const closed = await assembled(student);
  made(await desk.reject(teacher, closed.packetId, 'Evidence_Outdated'), 200);
  const draft = made(await desk.open(teacher, student, 'tier_escalation'));
  const admin = await leave(student);
  assert.equal(summary(await desk.open(admin, student, 'tier_escalation')), [409, 'CONFLICT', 'not_enrolled']);
  const { packetId } = draft;
  assert.equal(summary(await desk.assemble(admin, { packetId })), [409, 'CONFLICT', 'not_enrolled']);
  const anew = { studentId: student.id, reviewType: 'tier_escalation' };
  assert.equal(summary(await desk.assemble(admin, anew)), [409, 'CONFLICT', 'not_enrolled']);
  app.clock.advance(dayMs);
  await relay();
  const row = await desk.row(packetId);
  assert.equal(
    [row.status, row.rejectReasonCode, row.closedBy, row.closedAt, row.movementId],
    ['rejected', 'Student_Left', null, '2026-01-16T08:00:00.000Z', null],
  );
  assert.equal((await desk.row(closed.packetId)).rejectReasonCode, 'Evidence_Outdated');
  app.clock.advance(dayMs);
  await relay();
  assert.equal(await desk.row(packetId), row);
});

test('PKT-10: who is erased has left too; what a lost event leaves behind the daily job finds', async () => {
  const [erased, lost] = [await desk.student(room), await desk.student(room)];
  const packets = [await assembled(erased), await assembled(lost)];
  const admin = await desk.admin(room);
  await app.post(`/api/students/${erased.id}/erasure`, undefined, { token: await signIn(app, admin) });
  await relay();
  await leave(lost);
  await checkPackets(services, room.organizationId, app.clock.now());
  for (const { packetId } of packets) {
    const { status, rejectReasonCode } = await desk.row(packetId);
    assert.equal([status, rejectReasonCode], ['rejected', 'Student_Left']);
  }
  assert.is((await desk.list(admin)).body.items.length, 2);
});

test('a move to another class keeps the packet open, and its new teacher may go on with it', async () => {
  const student = await desk.student(room);
  const { packetId } = await assembled(student);
  const next = await classroom.room({ organizationId: room.organizationId, schoolId: room.classRow.schoolId });
  const admin = { token: await signIn(app, await desk.admin(room)) };
  await app.delete(`/api/classes/${room.classRow.id}/students/${student.id}`, admin);
  await app.post(`/api/classes/${next.classRow.id}/students`, { studentIds: [student.id] }, admin);
  await relay();
  await checkPackets(services, room.organizationId, app.clock.now());
  assert.is((await desk.row(packetId)).status, 'under_review');
  assert.equal(summary(await desk.assemble(teacher, { packetId })).slice(0, 2), [403, 'PERMISSION_DENIED']);
  made(await desk.assemble(next.teacher, { packetId }), 200);
});

/** The columns that an approval sets. */
const defer = (packetId: string, deferUntil: string) =>
  owner('decision_packet')
    .where({ id: packetId })
    .update({ status: 'deferred', decision: 'defer', deferralCode: 'Awaiting_Probes', deferUntil });

test('PKT-06: on its day a deferred packet is a draft again, where the student lives; it must be assembled again', async () => {
  const school = await buildSchool(owner, { organizationId: room.organizationId, timeZone: 'Pacific/Auckland' });
  const far = await classroom.room({ organizationId: room.organizationId, schoolId: school.id });
  const [near, away] = [await desk.student(room), await desk.student(far)];
  const waiting = await assembled(near);
  const ahead = made(await desk.assemble(far.teacher, { studentId: away.id, reviewType: 'tier_escalation' }));
  for (const { packetId } of [waiting, ahead]) await defer(packetId, '2026-02-12');
  app.clock.set('2026-02-11T08:00:00.000Z');
  await dailyJob();
  // 11 February, 23:00 in Riyadh, is the 12th in Auckland.
  app.clock.set('2026-02-11T20:00:00.000Z');
  await checkPackets(services, room.organizationId, app.clock.now());
  assert.equal(
    [(await desk.row(waiting.packetId)).status, (await desk.row(ahead.packetId)).status],
    ['deferred', 'draft'],
  );
  app.clock.set('2026-02-11T22:30:00.000Z');
  await dailyJob();
  assert.is((await desk.row(waiting.packetId)).status, 'deferred', 'the hour has not come');
  app.clock.set('2026-02-11T23:00:00.000Z');
  await dailyJob();
  const { openedAt, openedBy, id, organizationId, studentId, reviewType, timeZone, ruleVersions, alertId, ...rest } =
    await desk.row(waiting.packetId);
  assert.ok(openedAt && openedBy && id && organizationId && studentId && reviewType && timeZone && ruleVersions);
  assert.is(alertId, null);
  const { status, evidence, gates, stage, toldStage, adminsTold, ...others } = rest as Json;
  assert.equal([status, evidence, gates], ['draft', [], []]);
  assert.equal([stage, toldStage, adminsTold], ['opened', 'opened', false]);
  assert.equal(
    Object.values(others).filter((value) => value !== null),
    [],
    JSON.stringify(others),
  );
  app.clock.advance(60_000);
  made(await desk.assemble(teacher, { packetId: waiting.packetId }), 200);
});

test('one packet that cannot be followed keeps no other back, and the day is not done', async () => {
  const [broken, whole] = [await desk.student(room), await desk.student(room)];
  const packets = [await assembled(broken), await assembled(whole)];
  for (const { packetId } of packets) await defer(packetId, '2026-01-16');
  await owner.raw(`create function refuse_one() returns trigger language plpgsql as $$ begin
    if new.student_id = ${broken.id} and new.status = 'draft' then raise exception 'broken'; end if; return new; end $$;
    create trigger refuse_one before update on decision_packet for each row execute function refuse_one()`);
  app.clock.advance(2 * dayMs);
  const failure = await checkPackets(services, room.organizationId, app.clock.now()).then(
    () => 'done',
    (error: Error) => error.message,
  );
  await owner.raw('drop trigger refuse_one on decision_packet; drop function refuse_one()');
  assert.match(failure, 'broken');
  const states = await Promise.all(packets.map(async ({ packetId }) => (await desk.row(packetId)).status));
  assert.equal(states, ['deferred', 'draft']);
});

test('an open packet keeps a class from nothing: another class, another organization see none of it', async () => {
  const student = await desk.student(room);
  const { packetId } = await assembled(student);
  const stranger = await classroom.room();
  assert.is((await desk.get(stranger.teacher, `/api/decision-packet-workflows/${packetId}`)).status, 404);
  assert.equal((await desk.list(stranger.teacher)).body.items, []);
  const strangers = await desk.admin(stranger);
  assert.is((await desk.assemble(strangers, { packetId })).status, 404);
  assert.is((await desk.reject(strangers, packetId, 'Duplicate_Review')).status, 404);
});

test.run();
