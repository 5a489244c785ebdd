// `pending` from the commit of a trigger until a run includes it, without a worker in the service.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { diagnosticFinished, evidenceCorrected, orfScored, practiceCompleted } from '#assessment/measurement/index.ts';
import { pendingBindings } from '#assessment/skill-status/index.ts';
import { skillStatusJobs } from '#assessment/skill-status/recompute/jobs.ts';
import { recomputeWaiting } from '#assessment/skill-status/recompute/recompute.ts';
import { appendEvents, type NewEvent, newEvent } from '#core/module/events.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { contextFlagChanged } from '#identity/context-flags/index.ts';
import { studentGradeChanged } from '#identity/people/index.ts';
import { relayAll } from '../../../../workers/relay.ts';
import type { UserRow } from '../../../harness/factories.ts';
import { firstPart, type Room, useClassroom } from '../../../support/interventions/classroom.ts';

const test = suite('pending without workers');
const classroom = useClassroom(test);
const { app, http, services } = classroom;
let room: Room;
test.before(async () => {
  room = await classroom.room();
});

/** Every read that returns `pending`. */
const reads = ['sse/students/:id/skill-status', 'sse/students/:id/domain-status', 'students/:id/profile'];
const recommendation = 'students/:id/bundle-recommendation';

async function pendingIn({ id }: UserRow): Promise<boolean> {
  const shown = await Promise.all(
    [...reads, recommendation].map(async (read) => {
      const path = `/api/${read.replace(':id', String(id))}`;
      const { status, body } = await http.get<{ pending: boolean }>(path, { token: room.token });
      assert.is(status, 200, path);
      return body.pending;
    }),
  );
  assert.is(new Set(shown).size, 1, `all reads say the same: ${shown}`);
  return shown[0] === true;
}

const noQueues = { add: async () => {} };
const relay = () => relayAll(services, noQueues as never, skillStatusJobs.reactions ?? []);
const recompute = ({ id }: UserRow) => recomputeWaiting(services, room.organizationId, id);

const raised: Readonly<Record<string, (studentId: number) => NewEvent>> = {
  'diagnostic.finished': (studentId) =>
    newEvent(diagnosticFinished, room.organizationId, { studentId, sessionId: newId() }),
  'practice.completed': (studentId) =>
    newEvent(practiceCompleted, room.organizationId, { studentId, queueId: newId() }),
  'orf.scored': (studentId) => newEvent(orfScored, room.organizationId, { studentId, assessmentId: newId() }),
  'student.grade_changed': (studentId) =>
    newEvent(studentGradeChanged, room.organizationId, { studentId, classId: room.classRow.id }),
  'evidence.corrected': (studentId) =>
    newEvent(evidenceCorrected, room.organizationId, { studentId, correction: 'voided', correctionId: 1 }),
  'context_flag.changed': (studentId) => newEvent(contextFlagChanged, room.organizationId, { studentId, flagId: 1 }),
};

const append = (...events: NewEvent[]) =>
  inContext(app.database.app, { organizationId: room.organizationId }, (trx) =>
    appendEvents(trx, app.clock.now(), events),
  );

for (const [topic, event] of Object.entries(raised)) {
  test(`${topic}: pending at once, during the relay, and until the run`, async () => {
    const [student, other] = [await classroom.student(room), await classroom.student(room)];
    await classroom.measure([student, other], firstPart());
    assert.is(await pendingIn(student), false);
    await append(event(student.id));
    assert.is(await pendingIn(student), true, 'no relay');
    assert.is(await pendingIn(other), false, 'of another student');
    await relay();
    assert.is(await pendingIn(student), true, 'no worker');
    await recompute(student);
    assert.is(await pendingIn(student), false);
  });
}

test('a child who was never measured waits for the first run too', async () => {
  const student = await classroom.student(room);
  assert.is(await pendingIn(student), false);
  await append((raised['diagnostic.finished'] as (id: number) => NewEvent)(student.id));
  assert.is(await pendingIn(student), true);
});

test('the events of `pending` are exactly those with a recompute reaction', () => {
  const requesting = capabilities
    .flatMap(({ reactions = [] }) => reactions)
    .filter(({ name, locks }) => locks === 'recomputeRequest' || name.includes('recompute'));
  const topics = requesting.flatMap(({ to }) => to.map(({ topic }) => topic));
  assert.equal([...pendingBindings().askingTopics].sort(), [...new Set(topics)].sort());
  assert.equal(Object.keys(raised).sort(), [...new Set(topics)].sort());
});

test('the outbox is queried by organization and student', async () => {
  const owner = app.database.owner;
  await owner.raw(
    `insert into outbox (organization_id, topic, payload, created_at)
    select ?, 'diagnostic.finished', jsonb_build_object('studentId', n + 1000000), now() from generate_series(1, 20000) n`,
    [room.organizationId],
  );
  await owner.raw('analyze outbox');
  const { rows } = await owner.raw(
    `explain select from outbox w where w.organization_id = ? and w.payload ->> 'studentId' = 5::text
       and w.relayed_at is null and w.topic = any(?::text[])`,
    [room.organizationId, pendingBindings().askingTopics],
  );
  assert.match(JSON.stringify(rows), 'outbox_waiting_of_student');
});

test.run();
