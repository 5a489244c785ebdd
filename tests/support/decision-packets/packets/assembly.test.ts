// timeout: 180s
// Packets are assembled and rejected over HTTP (PKT-02, 03, 07, 09): frozen data stays, and a halt writes nothing.
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { UserRow } from '../../../harness/factories.ts';
import { decodingNeed, firstPart, halting, type Room } from '../../interventions/classroom.ts';
import { type Evidence, type Json, made, summary, useDesk } from '../desk.ts';

const test = suite('assembling packets');
const desk = useDesk(test);
const { app, owner, classroom } = desk;
const dayMs = 86_400_000;

let room: Room;
let teacher: UserRow;
test.before(async () => {
  room = await classroom.room();
  teacher = room.teacher;
});
test.before.each(() => app.clock.set('2026-01-15T08:00:00.000Z'));

/** The hash as the contract defines it: sorted evidence ids with their values, without types that evaluations add. */
function hashOf(evidence: readonly Evidence[]): string {
  const counted = evidence.filter(({ type }) => type !== 'alert' && type !== 'fidelity_snapshot');
  const pairs = counted.map(({ evidenceId, valueCode }) => [evidenceId, valueCode] as const);
  pairs.sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(pairs)).digest('hex');
}

test('PKT-02: evidence since the tier began is frozen with its hash, the recommendation and the gates', async () => {
  const student = await desk.student(room);
  const facts = desk.facts(student);
  await facts.support();
  await facts.flag('2025-10-20');
  await facts.movement(1, 2, '2025-11-02');
  await facts.flag('2025-11-03');
  const { packetId } = made(await desk.open(teacher, student, 'scheduled_tier_review'));
  app.clock.advance(60_000);
  const packet = made(await desk.assemble(teacher, { packetId }), 200);
  assert.equal([packet.status, packet.assembledAt, packet.fromTier], ['under_review', '2026-01-15T08:01:00.000Z', 2]);
  const types = packet.evidence.map(({ type }) => type);
  assert.equal(types.filter((type) => type === 'context_flag').length, 1, 'the older one is from before');
  assert.ok(types.includes('sse_snapshot') && types.includes('domain_status') && types.includes('tier_movement'));
  assert.is(packet.evidenceHash, hashOf(packet.evidence));
  const { decision, fromTier, dataSufficiency, reason, ruleId } = packet.recommendation as Json;
  assert.equal(
    [decision, fromTier, dataSufficiency, reason, ruleId],
    ['defer', 2, 'contextual', 'CONTEXT_ACTIVE', 'TRC-02'],
  );
  assert.equal(
    packet.gates,
    ['GTE-05', 'GTE-06', 'GTE-07', 'GTE-08', 'GTE-09'].map((gateId) => ({ gateId, met: null, issue: 'not_asked' })),
  );
  const [row] = await desk.rowsOf(student);
  assert.is(row?.evidenceFrom, '2025-11-02');
});

test('evidence is of 180 days at most', async () => {
  const student = await desk.student(room);
  await owner('enrollment').where({ studentId: student.id }).update({ enrolledFrom: '2025-01-01' });
  const facts = desk.facts(student);
  await facts.flag('2025-07-19');
  await facts.flag('2025-07-18');
  const packet = made(await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' }));
  const [row] = await desk.rowsOf(student);
  assert.is(row?.evidenceFrom, '2025-07-19');
  assert.is(packet.evidence.filter(({ type }) => type === 'context_flag').length, 1);
});

test('what happens after assembly shows in the gates; assembled again the packet holds it', async () => {
  const student = await desk.student(room);
  const first = made(await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' }));
  const facts = desk.facts(student);
  await facts.alert('2026-01-15T08:00:00.000Z');
  assert.equal(
    (await desk.packet(teacher, first.packetId)).gates.filter(({ met }) => met === false),
    [],
    'an alert is no news',
  );
  await facts.skillState('DEC_WORD', '2026-01-15T08:00:00.000Z');
  await facts.movement(1, 2, '2026-01-11');
  const later = await desk.packet(teacher, first.packetId);
  assert.equal(
    later.gates.filter(({ met }) => met === false).map(({ gateId, issue }) => [gateId, issue]),
    [
      ['GTE-06', 'tier_changed'],
      ['GTE-07', 'evidence_stale'],
    ],
  );
  assert.equal([later.evidence, later.evidenceHash], [first.evidence, first.evidenceHash], 'what was frozen stays');
  const again = made(await desk.assemble(teacher, { packetId: first.packetId }), 200);
  assert.is(again.fromTier, 2);
  assert.not.equal(again.evidenceHash, first.evidenceHash);
  assert.is(again.evidenceHash, hashOf(again.evidence));
  assert.ok(again.gates.every(({ met }) => met !== false));
});

test('a packet whose evidence is corrected is stale, whatever the evidence says; assembled again it is not', async () => {
  const student = await desk.student(room);
  const first = made(await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' }));
  // The clock stands: the void comes after the assembly all the same.
  const { id } = await owner('diagnostic_session').where({ studentId: student.id }).first('id');
  const voided = made(
    await desk.post<Json>(teacher, `/api/diagnostic-sessions/${id}/void`, { reasonCode: 'disturbed' }),
  );
  const failing = async () =>
    (await desk.packet(teacher, first.packetId)).gates.filter(({ met }) => met === false).map(({ gateId }) => gateId);
  assert.equal(await failing(), ['GTE-07']);
  app.clock.advance(60_000);
  made(await desk.post<Json>(teacher, `/api/evidence-voids/${voided.voidId}/restore`, {}), 200);
  assert.equal(await failing(), ['GTE-07'], 'restored, it is not as if nothing had happened');
  app.clock.advance(60_000);
  made(await desk.assemble(teacher, { packetId: first.packetId }), 200);
  assert.equal(await failing(), []);
});

test('PKT-03: opened and assembled in one; refused, nothing is left of it', async () => {
  const student = await desk.student(room);
  const refused = await desk.assemble(teacher, { studentId: student.id, reviewType: 'scheduled_tier_review' });
  assert.equal(summary(refused), [409, 'CONFLICT', 'not_applicable']);
  assert.equal(await desk.rowsOf(student), []);
  const packet = made(await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' }));
  assert.is(packet.status, 'under_review');
  const twice = await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' });
  assert.equal(summary(twice), [409, 'CONFLICT', 'already_open']);
});

const halt = { outcome: 'do_not_decide_yet', nextRecommendedDataAction: 'administer_more_items' };

test('a halted student: a draft may be opened; assembling answers 200 and writes nothing', async () => {
  const student = await desk.student(room, { ...firstPart(), ...halting });
  const packet = made(await desk.open(teacher, student, 'tier_escalation'));
  const before = await desk.rowsOf(student);
  const { status, body } = await desk.assemble(teacher, { packetId: packet.packetId });
  assert.equal([status, body], [200, { ...halt, packet }] as never);
  const fresh = await desk.assemble(teacher, { studentId: student.id, reviewType: 'scheduled_tier_review' });
  assert.equal([fresh.status, fresh.body], [200, { ...halt, packet: null }] as never, 'before not_applicable');
  assert.equal(await desk.rowsOf(student), before);
});

test('a student without a profile is halted, and one who was never measured needs a diagnostic', async () => {
  const student = await classroom.student(room);
  const { status, body } = await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' });
  assert.equal([status, body], [200, { ...halt, nextRecommendedDataAction: 'run_diagnostic', packet: null }] as never);
  assert.equal(await desk.rowsOf(student), []);
});

test('PKT-07: rejected with a reason of its dictionary; PKT-09: closed, it takes nothing more', async () => {
  const student = await desk.student(room);
  const { packetId } = made(await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' }));
  for (const code of ['Awaiting_Probes', 'Pkt_Team_Judgement_08', 'Nonsense']) {
    assert.equal(summary(await desk.reject(teacher, packetId, code)), [422, 'VALIDATION_ERROR', 'unknown_code'], code);
  }
  app.clock.advance(dayMs);
  const closed = made(await desk.reject(teacher, packetId, 'Evidence_Conflicts'), 200);
  assert.equal(
    [closed.status, closed.rejectReasonCode, closed.closedBy, closed.closedAt, closed.decision, closed.toTier],
    ['rejected', 'Evidence_Conflicts', teacher.id, '2026-01-16T08:00:00.000Z', null, null],
  );
  assert.equal(summary(await desk.reject(teacher, packetId, 'Evidence_Conflicts')), [409, 'CONFLICT', 'packet_closed']);
  assert.equal(summary(await desk.assemble(teacher, { packetId })), [409, 'CONFLICT', 'packet_closed']);
  assert.equal(summary(await desk.reject(teacher, packetId, 'Nonsense')), [422, 'VALIDATION_ERROR', 'unknown_code']);
  await desk.facts(student).skillState('DEC_WORD', '2026-01-16T08:00:00.000Z');
  assert.equal(await desk.packet(teacher, packetId), closed, 'its gates stay as they were');
});

test('a packet is closed before a halt is asked', async () => {
  const student = await desk.student(room);
  const { packetId } = made(await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' }));
  made(await desk.reject(teacher, packetId, 'Duplicate_Review'), 200);
  app.clock.advance(60_000);
  await classroom.measure([student], halting);
  assert.equal(summary(await desk.assemble(teacher, { packetId })), [409, 'CONFLICT', 'packet_closed']);
});

test('the body of an assembly is exactly one of its two shapes', async () => {
  const student = await desk.student(room);
  const { packetId } = made(await desk.open(teacher, student, 'tier_escalation'));
  const bodies = [
    {},
    { packetId, studentId: student.id, reviewType: 'tier_escalation' },
    { packetId, reviewType: 'tier_escalation' },
    { studentId: student.id },
    { reviewType: 'tier_escalation' },
    { packetId, more: 1 },
    { studentId: student.id, reviewType: 'gossip' },
  ];
  for (const body of bodies) {
    const reply = await desk.assemble(teacher, body);
    assert.equal(summary(reply).slice(0, 2), [422, 'VALIDATION_ERROR'], JSON.stringify(body));
  }
});

test('nothing of a need of one student is in the packet of another', async () => {
  const [one, other] = [await desk.student(room), await desk.student(room, decodingNeed)];
  const packets = [
    made(await desk.assemble(teacher, { studentId: one.id, reviewType: 'tier_escalation' })),
    made(await desk.assemble(teacher, { studentId: other.id, reviewType: 'tier_escalation' })),
  ];
  const [ids, others] = packets.map(({ evidence }) => evidence.map(({ evidenceId }) => evidenceId));
  assert.equal(
    ids?.filter((id) => others?.includes(id)),
    [],
  );
  const { items } = (await desk.list(teacher, '?limit=100')).body;
  for (const packet of packets)
    assert.equal(
      items.find(({ packetId }) => packetId === packet.packetId),
      packet,
    );
});

test.run();
