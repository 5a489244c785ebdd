// Explanations of alerts, skill states and movements by the rules of that time; an altered row is detected by them and by a
// replay of its run.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { NumberedRun } from '#assessment/skill-status/index.ts';
import { readTransactionIn } from '#core/platform/db.ts';
import { replayEvaluations } from '#support/rti/explain/replay-runs.ts';
import { buildSuperAdmin, signIn, type UserRow } from '../../harness/factories.ts';
import type { Room } from '../interventions/classroom.ts';
import { allRight, twoNeeds, useRtiRoom } from './rti-world.ts';

const world = useRtiRoom(test);
const { owner } = world.app.database;

interface Explained {
  readonly stampId: string;
  readonly kind: string;
  readonly studentId: number;
  readonly result: Record<string, unknown>;
  readonly decisions: readonly { readonly ruleId: string; readonly outcome: string }[];
  readonly matchesStored: boolean;
  readonly profile: { readonly result: { readonly profileCode: string } } | null;
  readonly run: { readonly kind: string };
  readonly decision: { readonly kind: string; readonly result: { readonly decision: string } };
}

let room: Room;
let student: UserRow;
test.before.each(async () => {
  room = await world.room();
  student = await world.student(room);
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
});

async function explain(stampId: string): Promise<{ status: number; body: Explained }> {
  const token = await signIn(world.app, await buildSuperAdmin(owner));
  return world.http.get<Explained>(`/api/admin/explain/${stampId}`, { token });
}

const runsOf = async ({ id: studentId }: UserRow): Promise<NumberedRun[]> =>
  owner('sse_run').where({ studentId }).orderBy('seq');

const replayed = async (one: UserRow) =>
  replayEvaluations(
    readTransactionIn(world.services.db, { organizationId: room.organizationId }),
    world.services,
    await runsOf(one),
  );

test('an alert is explained by the rule that opened it, down to the profile of then', async () => {
  const alert = await world.open(room, student);
  const { status, body } = await explain(`alert:${alert?.alertId}`);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal([body.kind, body.studentId, body.matchesStored], ['alert', student.id, true]);
  assert.equal([body.decisions[0]?.ruleId, body.decisions[0]?.outcome], ['RAL-04', 'Student_Alert']);
  assert.ok(body.profile?.result.profileCode);
  const opened = await owner('rti_alert').where({ id: alert?.alertId }).first('opened');
  const facts = { ...opened.opened.facts, strongCount: 0, severeTile: false };
  await owner('rti_alert')
    .where({ id: alert?.alertId })
    .update({ opened: { ...opened.opened, facts } });
  assert.is((await explain(`alert:${alert?.alertId}`)).body.matchesStored, false);
});

test('a state of a skill is explained by layer A and by the run that moved it', async () => {
  const { id } = await owner('skill_state').where({ studentId: student.id, subSkillCode: 'DEC_WORD' }).first('id');
  const { status, body } = await explain(`skill-state:${id}`);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal([body.kind, body.matchesStored, body.run.kind], ['skill-state', true, 'run']);
  assert.equal([body.decisions[0]?.ruleId, body.result.state], ['LSA-03', 'monitoring']);
});

test('a movement is explained by the decision that people took', async () => {
  const path = `/api/rti/students/${student.id}`;
  const token = await signIn(world.app, room.teacher);
  const { body: advice } = await world.http.get<{ recommendationId: string; decision: string }>(
    `${path}/recommendation`,
    { token },
  );
  assert.is(advice.decision, 'escalate');
  const sent = { recommendationId: advice.recommendationId, decision: 'escalate' };
  const { status, body } = await world.http.post<{ movementId: number }>(`${path}/decisions`, sent, { token });
  assert.is(status, 201, JSON.stringify(body));
  const explained = await explain(`movement:${body.movementId}`);
  assert.is(explained.status, 200, JSON.stringify(explained.body));
  assert.equal([explained.body.matchesStored, explained.body.decision.result.decision], [true, 'escalate']);
  assert.equal([explained.body.result.fromTier, explained.body.result.toTier], [1, 2]);
});

test('what is not there is 404', async () => {
  for (const stamp of [
    'alert:abcdefghijklmnopqrstuvwx',
    'alert:7',
    'skill-state:9007199254740991',
    'movement:x',
    'movement:77777',
  ]) {
    assert.is((await explain(stamp)).status, 404, stamp);
  }
});

test('a replay makes every evaluation and every change of layer A again, and finds an altered one', async () => {
  world.days(1);
  await world.measure([student], allRight);
  await world.evaluate(student);
  assert.equal([...(await replayed(student))], []);
  const [first] = await runsOf(student);
  await owner.raw('alter table rti_evaluation_default disable trigger user');
  await owner('rti_evaluation').where({ studentId: student.id }).update({ ruleId: 'RAL-07' });
  await owner.raw('alter table skill_state_default disable trigger user');
  await owner('skill_state').where({ studentId: student.id, subSkillCode: 'DEC_WORD' }).update({ ruleId: 'LSA-01' });
  const found = (await replayed(student)).get(first?.id ?? '') ?? [];
  assert.ok(found.includes('alerts.transitions'), found.join());
  assert.ok(found.includes('skillState.state'), found.join());
});

test.run();
