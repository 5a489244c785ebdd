// Observations of teachers in live sessions are evidence: in the data room at once, in a packet when it is assembled.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signIn, type UserRow } from '../../../harness/factories.ts';
import { type Lesson, lessonsOf } from '../../../teaching/live-lessons/lesson.ts';
import type { Room } from '../../interventions/classroom.ts';
import { made, type Packet, summary, useDesk } from '../desk.ts';

const test = suite('observations as evidence');
const desk = useDesk(test);
const { app, classroom } = desk;
const { lesson } = lessonsOf(app);

let room: Room;
let student: UserRow;
test.before.each(async () => {
  room = await classroom.room();
  student = await desk.student(room);
});

const lessonOf = (options: object = {}): Promise<Lesson> =>
  lesson({ school: { classRow: room.classRow, teacher: room.teacher, students: [student] }, ...options });

const note = (at: Lesson, observationCode: string, more: object = {}) =>
  at.teach('/observation', {
    observations: [{ clientObservationId: randomUUID(), studentId: student.id, observationCode, ...more }],
  });

const inDataRoom = async (of: UserRow = student) => {
  const token = await signIn(app, room.teacher);
  const path = `/api/students/${of.id}/data-room`;
  const { body } = await classroom.http.get<{ items: { valueCode: string; occurredAt: string }[] }>(
    `${path}/evidence?type=observation`,
    { token },
  );
  const whole = await classroom.http.get<{ evidenceCounts: { observation?: number } }>(path, { token });
  assert.is(whole.body.evidenceCounts.observation ?? 0, body.items.length);
  return body.items.map(({ valueCode, occurredAt }) => [valueCode, occurredAt]);
};

const observedIn = ({ evidence }: Packet) =>
  evidence.filter(({ type }) => type === 'observation').map(({ valueCode }) => valueCode);

test('each one is in the data room when it was noted, of that student alone, and stays when the session ends', async () => {
  const other = await desk.student(room);
  const at = await lessonOf();
  const first = app.clock.now().toISOString();
  assert.is((await note(at, 'hesitated_often', { subSkillCode: 'DEC_WORD' })).status, 201);
  app.clock.advance(60_000);
  assert.is((await note(at, 'not_present')).status, 201);
  const all = [
    ['not_present', app.clock.now().toISOString()],
    ['hesitated_often', first],
  ];
  assert.equal(await inDataRoom(), all);
  assert.is((await at.control('end')).status, 200);
  assert.equal([await inDataRoom(), await inDataRoom(other)], [all, []]);
});

test('a session that was cancelled leaves none', async () => {
  const at = await lessonOf({ begun: false });
  assert.is((await note(at, 'hesitated_often')).status, 409);
  assert.is((await at.control('cancel')).status, 200);
  assert.is((await note(at, 'hesitated_often')).status, 409);
  assert.equal(await inDataRoom(), []);
});

test('PKT-02, GTE-07: a packet freezes those since its first day; one that comes later makes it stale', async () => {
  const { teacher } = room;
  const at = await lessonOf();
  await note(at, 'hesitated_often');
  const { packetId, ...first } = made(
    await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' }),
  );
  assert.equal(observedIn(first as Packet), ['hesitated_often']);
  await note(at, 'read_with_flow');
  const decision = { decision: 'maintain', overrideCode: 'Pkt_Team_Judgement_08' };
  assert.equal(summary(await desk.approve(teacher, packetId, decision)), [409, 'CONFLICT', 'evidence_stale']);
  const again = made(await desk.assemble(teacher, { packetId }), 200);
  assert.equal(observedIn(again).sort(), ['hesitated_often', 'read_with_flow']);
  assert.is.not(again.evidenceHash, first.evidenceHash);
});

test.run();
