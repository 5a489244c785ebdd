// 60 §1: a status that only something else than a new measurement has moved mints nothing, and is what the next session is
// compared with. Rules that lift a whole school: runs.test.ts.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { answersOf, buildDiagnostic, testBanks } from '../../../assessment/skill-status/evidence.ts';
import { buildClass, buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import { note } from '../../../identity/context-flags/flags.ts';
import type { Room } from '../../../support/interventions/classroom.ts';
import { oneNeed } from '../../../support/rti/rti-world.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { owner } = world.app.database;

let room: Room;
let student: UserRow;
test.before.each(async () => {
  world.app.clock.set('2026-01-15T08:00:00.000Z');
  room = await world.room();
  student = await world.student(room);
});

const statuses = async (subSkillCode: string) =>
  (await owner('sse_skill_snapshot').where({ studentId: student.id, subSkillCode }).orderBy('id')).map(
    ({ status }) => status,
  );
const again = async (services: Services) => {
  await recomputeStudents(services, room.organizationId, [student.id], 'admin');
  await world.settle();
};
const isHalted = async () =>
  (await owner('sse_run').where({ studentId: student.id }).orderBy('seq', 'desc').first()).halted;
const kinds = async () => (await world.minted(student)).map(([kind, , , , , reached]) => [kind, reached]);

test('items that are withdrawn, and come back', async () => {
  await world.grow([student], { ...oneNeed, DEC_WORD: 'UUUCCCCC' });
  world.days(20);
  const items = await owner('diagnostic_served_item')
    .where({ subSkillCode: 'DEC_WORD', organizationId: room.organizationId })
    .orderBy('seq');
  const at = world.app.clock.now().toISOString();
  const wrongOnes = items.slice(0, 3).map(({ itemId }): [string, string] => [itemId, at]);
  const without = { ...world.services, itemBanks: testBanks(new Map(wrongOnes)) };
  for (const services of [without, world.services, without]) await again(services);
  assert.equal(await statuses('DEC_WORD'), ['monitor_gateway', 'adequate', 'monitor_gateway', 'adequate']);
  assert.equal(await kinds(), []);
  world.days(20);
  await buildDiagnostic(owner, student, answersOf({ DEC_WORD: 'CCCCCCCC' }, 40), {
    finishedAt: world.app.clock.now().toISOString(),
  });
  await again(without);
  assert.equal(await kinds(), [['subskill_state_up', 'on_track']], 'adequate before and after: only layer A has risen');
});

test('a note that lets adults look first, and its end', async () => {
  await world.grow([student], oneNeed);
  const flagged = async (body: object) => {
    world.days(20);
    const token = await signIn(world.app, room.teacher);
    const reply = await note(world.app, { token }, student.id, { flagCode: 'hearing_follow_up', ...body });
    assert.is(reply.status, 201, JSON.stringify(reply.body));
    await world.settle();
  };
  await flagged({});
  await flagged({ ended: true });
  assert.equal(await statuses('DEC_WORD'), ['weak_gateway', 'contextual_review', 'weak_gateway']);
  assert.equal(await kinds(), []);
  await world.grow([student], { DEC_WORD: 'CCCCCCCC' });
  assert.equal(await kinds(), [
    ['skill_status_transition', 'monitor_gateway'],
    ['domain_status_escalation', 'monitor_gateway'],
  ]);
});

test('a look by adults between two sessions ends the comparison', async () => {
  await world.grow([student], oneNeed);
  world.days(20);
  const token = await signIn(world.app, room.teacher);
  await note(world.app, { token }, student.id, { flagCode: 'hearing_follow_up' });
  await world.settle();
  world.days(20);
  await world.grow([student], { DEC_WORD: 'CCCCCCCC' });
  assert.equal((await statuses('DEC_WORD')).slice(1), ['contextual_review', 'monitor_gateway']);
  assert.equal(await kinds(), []);
});

test('another grade that ends a halt makes up for nothing', async () => {
  await world.grow([student], { DEC_WORD: 'UUUCCC', DEC_SYLLABLE: 'CCCC' });
  world.days(20);
  await world.grow([student], { DEC_WORD: 'CCCCCCCC', LK_SOUND: 'CCC' });
  assert.equal([await isHalted(), await statuses('DEC_WORD')], [true, ['weak_gateway', 'monitor_gateway']]);
  const admin = await signIn(world.app, await buildUser(owner, 'ADMIN', { organizationId: room.organizationId }));
  const third = await buildClass(owner, {
    organizationId: room.organizationId,
    schoolId: room.classRow.schoolId,
    grade: 3,
  });
  const path = `/api/classes/${third.id}/students`;
  const reply = await world.app.post(path, { studentIds: [student.id] }, { token: admin });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  await world.settle();
  assert.is(await isHalted(), false, 'three items of a sub-skill that the grade does not ask for');
  assert.equal(await kinds(), []);
});

test.run();
