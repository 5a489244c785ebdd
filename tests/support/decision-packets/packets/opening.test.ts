import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildPrincipal, type UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../interventions/classroom.ts';
import { type Json, made, summary, useDesk } from '../desk.ts';

const test = suite('opening packets');
const desk = useDesk(test);
const { app, owner, classroom } = desk;
const _dayMs = 86_400_000;

let room: Room;
let teacher: UserRow;
test.before(async () => {
  room = await classroom.room();
  teacher = room.teacher;
});
test.before.each(() => app.clock.set('2026-01-15T08:00:00.000Z'));

const empty = {
  ...{ assembledAt: null, fromTier: null, evidence: [], evidenceHash: null, recommendation: null, gates: [] },
  ...{ decision: null, toTier: null, decisionId: null, movementId: null, overrideCode: null, deferralCode: null },
  ...{ deferUntil: null, rejectReasonCode: null, closedBy: null, closedAt: null },
};

test('PKT-01: a draft has its opener and its review, and nothing else yet', async () => {
  const student = await desk.student(room);
  const { packetId, ruleVersions, ...packet } = made(await desk.open(teacher, student, 'tier_escalation'));
  assert.equal(packet, {
    ...{ studentId: student.id, reviewType: 'tier_escalation', status: 'draft', alertId: null },
    ...{ openedBy: teacher.id, openedAt: '2026-01-15T08:00:00.000Z', ...empty },
  });
  assert.ok((ruleVersions as Json)['rti/decision-packet']);
  assert.equal(await desk.packet(teacher, packetId), { packetId, ruleVersions, ...packet });
});

/** Which reviews may be opened, written from the table of reviews (51 §6.2). */
const cases: readonly (readonly [
  what: string,
  arrange: (student: UserRow) => Promise<void>,
  openable: readonly string[],
])[] = [
  ['tier 1', async () => {}, ['tier_escalation']],
  [
    'tier 2',
    async (student) => {
      await desk.facts(student).movement(1, 2, '2025-11-02');
    },
    ['tier_escalation', 'tier_de_escalation', 'scheduled_tier_review'],
  ],
  [
    'tier 3 with an intensive review',
    async (student) => {
      const facts = desk.facts(student);
      await facts.movement(1, 2, '2025-10-05');
      await facts.movement(2, 3, '2025-11-02');
      await facts.alert('2026-01-13T09:00:00.000Z', { kind: 'Intensive_Review', severity: 4, ...noSkill });
    },
    ['tier_de_escalation', 'intensive_review', 'scheduled_tier_review'],
  ],
  [
    'tier 2 with an acute regression',
    async (student) => {
      const facts = desk.facts(student);
      await facts.movement(1, 2, '2025-11-02');
      await facts.alert('2026-01-13T09:00:00.000Z', { kind: 'acute_regression_review', severity: 5 });
    },
    ['acute_regression'],
  ],
];
const noSkill = { subSkillCode: null, domainCode: null };
const reviewTypes = [
  ...['tier_escalation', 'tier_de_escalation', 'intensive_review'],
  ...['acute_regression', 'scheduled_tier_review', 'contextual_clarification'],
];

for (const [what, arrange, openable] of cases) {
  test(`PKT-01: at ${what} these may be opened and no others: ${openable}`, async () => {
    const student = await desk.student(room);
    await arrange(student);
    for (const reviewType of reviewTypes) {
      const reply = await desk.open(teacher, student, reviewType);
      assert.equal(
        summary(reply),
        openable.includes(reviewType) ? [201] : [409, 'CONFLICT', 'not_applicable'],
        `${reviewType}: ${JSON.stringify(reply.body)}`,
      );
    }
    const again = await desk.open(teacher, student, openable[0] ?? '');
    assert.equal(summary(again), [409, 'CONFLICT', 'already_open']);
  });
}

test('circumstances let a clarification be opened, and a profile that is read with caution too', async () => {
  const student = await desk.student(room);
  await desk.facts(student).flag('2026-01-11');
  assert.equal(summary(await desk.open(teacher, student, 'contextual_clarification')), [201]);
});

test('already_open precedes not_applicable; after a rejection another packet may be opened', async () => {
  const student = await desk.student(room);
  const first = made(await desk.open(teacher, student, 'tier_escalation'));
  const facts = desk.facts(student);
  await facts.movement(1, 2, '2025-10-05');
  await facts.movement(2, 3, '2025-11-02');
  assert.equal(summary(await desk.open(teacher, student, 'tier_escalation')), [409, 'CONFLICT', 'already_open']);
  made(await desk.reject(teacher, first.packetId, 'Opened_In_Error'), 200);
  assert.equal(summary(await desk.open(teacher, student, 'tier_escalation')), [409, 'CONFLICT', 'not_applicable']);
});

test('opened twice at once, one packet is there', async () => {
  const student = await desk.student(room);
  const replies = await Promise.all([1, 2, 3, 4].map(() => desk.open(teacher, student, 'tier_escalation')));
  assert.equal(replies.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  assert.is((await desk.rowsOf(student)).length, 1);
});

test('principals read and never write, refused before the body is looked at; others of the school do neither', async () => {
  const student = await desk.student(room);
  const { packetId } = made(await desk.open(teacher, student, 'tier_escalation'));
  const school = await owner('school').where({ id: room.classRow.schoolId }).first();
  const principal = await buildPrincipal(owner, school);
  assert.is((await desk.packet(principal, packetId)).packetId, packetId);
  assert.is(
    (await desk.list(principal)).body.items.some((one) => one.packetId === packetId),
    true,
  );
  for (const reply of [
    await desk.assemble(principal, { nonsense: true }),
    await desk.reject(principal, packetId, 'Nonsense'),
    await desk.open(principal, student, 'gossip'),
  ]) {
    assert.equal(summary(reply).slice(0, 2), [403, 'PERMISSION_DENIED']);
  }
  const elsewhere = (await classroom.room({ organizationId: room.organizationId, schoolId: room.classRow.schoolId }))
    .teacher;
  assert.equal(summary(await desk.get(elsewhere, `/api/decision-packet-workflows/${packetId}`)).slice(0, 2), [
    403,
    'PERMISSION_DENIED',
  ]);
  assert.equal(summary(await desk.assemble(elsewhere, { packetId })).slice(0, 2), [403, 'PERMISSION_DENIED']);
});

test('the database keeps a closed packet as it is, one open one of a kind, and every row', async () => {
  const student = await desk.student(room);
  const { packetId: id } = made(await desk.open(teacher, student, 'tier_escalation'));
  const { packetId: closed } = made(await desk.reject(teacher, id, 'Opened_In_Error'), 200);
  const other = made(await desk.open(teacher, student, 'tier_escalation'));
  const refused = (statement: string, values: readonly string[]) =>
    owner.raw(statement, [...values]).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  assert.match(
    await refused("update decision_packet set reject_reason_code = 'Student_Left' where id = ?", [closed]),
    'stays as it is',
  );
  assert.match(
    await refused("update decision_packet set status = 'draft', closed_at = null where id = ?", [closed]),
    'stays as it is',
  );
  assert.match(await refused('delete from decision_packet where id = ?', [closed]), 'keeps its rows');
  assert.match(await refused('delete from decision_packet where id = ?', [other.packetId]), 'keeps its rows');
  assert.match(await refused('truncate decision_packet', []), 'keeps its rows');
  const copy = `insert into decision_packet (id, organization_id, student_id, review_type, status, opened_by, opened_at,
    time_zone, rule_versions) select case when id like 'a%' then 'b' else 'a' end || substr(id, 2), organization_id,
    student_id, review_type, status, opened_by, opened_at, time_zone, rule_versions from decision_packet where id = ?`;
  assert.match(await refused(copy, [other.packetId]), 'decision_packet_one_open');
  for (const change of [
    "status = 'approved'",
    "status = 'under_review'",
    "status = 'rejected'",
    "decision = 'maintain'",
    "override_code = 'x'",
    'to_tier = 2',
    "evidence = '[1]'",
  ]) {
    assert.match(
      await refused(`update decision_packet set ${change} where id = ?`, [other.packetId]),
      'check constraint',
      change,
    );
  }
});

test('who did what to a packet is in the record of changes', async () => {
  const student = await desk.student(room);
  const { packetId } = made(await desk.assemble(teacher, { studentId: student.id, reviewType: 'tier_escalation' }));
  made(await desk.reject(teacher, packetId, 'Opened_In_Error'), 200);
  const entries = await owner('audit_entry')
    .where({ entity: 'decision_packet', entityId: String(student.id) })
    .orderBy('id');
  assert.equal(
    entries.map(({ action, operation, actorUserId, after }) => [action, operation, actorUserId, after.status]),
    [
      ['insert', 'assembleDecisionPacket', teacher.id, 'draft'],
      ['update', 'assembleDecisionPacket', teacher.id, 'under_review'],
      ['update', 'rejectDecisionPacket', teacher.id, 'rejected'],
    ],
  );
});

test.run();
