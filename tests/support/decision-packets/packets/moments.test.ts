// timeout: 180s
// Times are taken under the lock of a student's support, so a writer that had to wait writes a later time. Covers every writer
// of tiers, fidelity and packets.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Capability, routesOf } from '#core/module/capability.ts';
import { decisionPacketsCapability } from '#support/decision-packets/capability.ts';
import { fidelityCapability } from '#support/fidelity/capability.ts';
import { rtiCapability } from '#support/rti/index.ts';
import { twoNeeds } from '../../rti/rti-world.ts';
import { made, useDesk } from '../desk.ts';
import { useWaiting } from './waiting.ts';
import { laterAt, type Prepared, requestsAt } from './work.ts';

const test = suite('moments under the lock of support');
const desk = useDesk(test);
const { app, owner } = desk;
const { waited, written } = useWaiting(desk);

const walked: readonly Capability[] = [rtiCapability, fidelityCapability, decisionPacketsCapability];
const requests = requestsAt(desk);
const later = laterAt(desk, walked);

test('the list has every operation that writes, and all background work', () => {
  const routes = routesOf(walked).filter(({ method }) => method !== 'get');
  const known = new Set(Object.keys(requests).map((name) => name.split(' ')[0]));
  assert.equal(routes.map(({ operation }) => operation).sort(), [...known].sort());
  const names = walked.flatMap(({ reactions = [], handlers = [], daily = [] }) => [
    ...reactions.filter(({ locks }) => locks === 'support').map(({ name }) => name),
    ...(typeof handlers === 'function' ? [] : handlers).map(({ queue }) => queue),
    ...daily.map(({ name }) => name),
  ]);
  assert.equal(names.sort(), Object.keys(later).sort());
});

for (const [name, prepare] of Object.entries<Prepared>({ ...requests, ...later })) {
  test(`${name} is dated when it holds the lock`, async () => {
    const room = await desk.classroom.room();
    const student = await desk.student(room, twoNeeds);
    const work = await prepare(room, student);
    const moments = await written(student, work);
    const now = app.clock.now().toISOString();
    assert.ok(moments.size > 0, 'nothing was written');
    assert.equal(
      [...moments].filter(([, moment]) => String(moment) < now),
      [],
    );
  });
}

test('an alert that opens while a decision waits is closed by it, and not before it was opened', async () => {
  const room = await desk.classroom.room();
  const student = await desk.student(room, twoNeeds);
  const asked = { studentId: student.id, reviewType: 'tier_escalation' };
  const { packetId } = made(await desk.assemble(room.teacher, asked));
  let opened = '';
  const reply = await waited(
    student,
    () => desk.approve(room.teacher, packetId, { decision: 'maintain' }),
    async () => {
      opened = await desk.facts(student).alert(app.clock.now().toISOString());
    },
  );
  made(reply, 200);
  const { openedAt, closedAt, closeReason } = await owner('rti_alert').where({ id: opened }).first();
  const { committedAt } = await owner('rti_decision').where({ studentId: student.id }).first();
  assert.equal([closeReason, closedAt >= openedAt, committedAt], ['decision_committed', true, closedAt]);
});

test.run();
