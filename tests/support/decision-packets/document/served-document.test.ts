// The document and the explanation of a packet keep the frozen data, whatever happens later.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import { halting, type Room } from '../../interventions/classroom.ts';
import { type Json, made, summary, useDesk } from '../desk.ts';

const test = suite('documents and explanations of packets');
const desk = useDesk(test);
const { app, classroom, owner } = desk;

let room: Room;
let student: UserRow;
test.before(async () => {
  room = await classroom.room();
  student = await desk.student(room);
});

const documentOf = async (user: UserRow, id: string) => {
  const token = await signIn(app, user);
  return classroom.http.get<string>(`/api/decision-packet-workflows/${id}/document`, { token });
};

test('a draft is not printed; what is under review is, the same bytes each time, whatever happens meanwhile', async () => {
  const { teacher } = room;
  const { packetId } = made(await desk.open(teacher, student, 'tier_escalation'));
  assert.equal(summary(await documentOf(teacher, packetId)), [409, 'CONFLICT', 'not_assembled']);
  made(await desk.assemble(teacher, { packetId }), 200);
  const first = await documentOf(teacher, packetId);
  assert.is(first.status, 200);
  assert.is(first.headers.get('content-type'), 'application/pdf');
  assert.match(first.body, /^%PDF-/);
  app.clock.advance(3_600_000);
  await desk.facts(student).skillState('DEC_WORD', '2026-01-15T09:00:00.000Z');
  await classroom.measure([student], halting);
  assert.is((await documentOf(teacher, packetId)).body, first.body);
  made(await desk.reject(teacher, packetId, 'Evidence_Outdated'), 200);
  assert.not.equal((await documentOf(teacher, packetId)).body, first.body);
});

test('a packet that was rejected as a draft is printed too', async () => {
  const { teacher } = room;
  const other = await desk.student(room);
  const { packetId } = made(await desk.open(teacher, other, 'tier_escalation'));
  made(await desk.reject(teacher, packetId, 'Opened_In_Error'), 200);
  assert.is((await documentOf(teacher, packetId)).status, 200);
});

test('packet:<id> explains the frozen recommendation by the rules of then, and sees an altered row', async () => {
  const other = await desk.student(room);
  const { packetId, ...packet } = made(
    await desk.assemble(room.teacher, { studentId: other.id, reviewType: 'tier_escalation' }),
  );
  const token = await signIn(app, await buildUser(owner, 'ADMIN', { organizationId: null, scope: 'SUPER' }));
  const explain = () => classroom.http.get<Json>(`/api/admin/explain/packet:${packetId}`, { token });
  const { status, body } = await explain();
  assert.is(status, 200, JSON.stringify(body));
  assert.equal([body.matchesStored, body.studentId, body.kind], [true, other.id, 'packet']);
  assert.equal(body.from, packet.evidence);
  const [decided] = body.decisions as { layer: string; ruleId: string }[];
  assert.is(decided?.ruleId, (packet.recommendation as Json).ruleId);
  const [first, ...rest] = packet.evidence;
  await owner('decision_packet')
    .where({ id: packetId })
    .update({ evidence: JSON.stringify([{ ...first, valueCode: 'adequate_by_force' }, ...rest]) });
  assert.is((await explain()).body.matchesStored, false);
  const draft = made(await desk.open(room.teacher, await desk.student(room), 'tier_escalation'));
  const nothing = await classroom.http.get(`/api/admin/explain/packet:${draft.packetId}`, { token });
  assert.is(nothing.status, 404);
});

test.run();
