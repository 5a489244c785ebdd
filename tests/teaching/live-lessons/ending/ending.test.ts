// The end of a live lesson over HTTP: presence, deliveries and minutes, recorded once.
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { lockSupport } from '#support/interventions/index.ts';
import { endOverdue } from '#teaching/live-lessons/ending/jobs.ts';
import { insertAssignment } from '../../../support/interventions/assignment-rows.ts';
import { answerTo, type Json, type Lesson, monday, outcomeOf, type Person, useLessons } from '../lesson.ts';

const { app, lesson } = useLessons(test);
const { owner } = app.database;

const steps = [1, 2].map((stepNo) => ({
  ...{ stepNo, sessionRole: 'EXPLICIT_TEACHING', plannedSessions: 4, goal: null, goalState: 'none' },
  ...{ deliveredSessions: 0, scored: 0, correct: 0, rate: null },
}));

/** Creates an assignment of the lesson's bundle for every student and returns the ids in the order of the students. */
const assignmentsFor = ({ students, organizationId, classRow }: Lesson): Promise<string[]> =>
  Promise.all(
    students.map(async (student) => {
      await inContext(owner, { organizationId }, (trx) => lockSupport(trx, organizationId, [student.id]));
      const place = { ...student, organizationId, classRow };
      return insertAssignment(owner, place, 'BND-DECODE-01', { steps: JSON.stringify(steps) });
    }),
  );

async function taught(students: number) {
  const at = await lesson({ students, prepared: true });
  return { ...at, plans: await assignmentsFor(at) };
}

const rowsOf = ({ organizationId }: Lesson, table: string, order = 'studentId'): Promise<Json[]> =>
  inContext(owner, { organizationId }, (trx) => trx(table).where({ organizationId }).orderBy(order));
const observe = (at: Lesson, { id: studentId }: Person, observationCode: string) =>
  at.teach('/observation', { observations: [{ clientObservationId: randomUUID(), studentId, observationCode }] });
const segment = (at: Lesson, type: string) =>
  at.teach('/events', { events: [{ clientEventId: randomUUID(), type: `segment_${type}` }] });
const minutes = (count: number) => app.clock.advance(count * 60_000);
const session = async (at: Lesson) => (await rowsOf(at, 'teaching_session', 'id'))[0] ?? {};

test('present students have a delivery, others an absence, and the lesson is delivered', async () => {
  const at = await lesson({ students: 5, prepared: true, joined: 2 });
  const plans = await assignmentsFor(at);
  const [ada, ben, cara, dan, eve] = at.students as [Person, Person, Person, Person, Person];
  await app.post('/api/sync/sessions/join', { joinCode: at.joinCode }, eve);
  for (const one of [ada, eve]) await at.answer(one, answerTo('item-1'));
  const seats = [{ seatNo: 1, studentId: cara.id }];
  const { projectorRunId } = (await at.teach('/personalized-projector/setup', { seats })).body;
  await at.teach('/personalized-projector/mark', { projectorRunId, marks: [{ seatNo: 1, mark: 'not_correct' }] });
  await at.teach('/personalized-projector/commit', { projectorRunId });
  await observe(at, dan, 'participated_partly');
  await observe(at, eve, 'not_present');
  assert.is((await at.control('end')).status, 200);

  const deliveries = await rowsOf(at, 'bundle_delivery');
  assert.equal(
    deliveries.map(({ studentId, assignmentId, sourceType, sourceId, deliveredOn, responses }) => [
      ...[studentId, assignmentId, sourceType, sourceId, deliveredOn, responses],
    ]),
    [
      [
        ada.id,
        plans[0],
        'live',
        at.liveId,
        '2026-01-12',
        [{ itemId: 'item-1', subSkillCode: 'DEC_WORD', correct: true }],
      ],
      [
        cara.id,
        plans[2],
        'live',
        at.liveId,
        '2026-01-12',
        [{ itemId: 'item-1', subSkillCode: 'DEC_WORD', correct: false }],
      ],
      [dan.id, plans[3], 'live', at.liveId, '2026-01-12', []],
    ],
  );
  assert.equal(
    (await rowsOf(at, 'bundle_absence')).map(({ studentId }) => studentId),
    [ben.id, eve.id],
  );
  const { state, deliveredOn } = await session(at);
  assert.equal([state, deliveredOn], ['delivered', '2026-01-12']);
  const recipients = await rowsOf(at, 'session_recipient');
  assert.equal(
    recipients.map(({ present }) => present),
    [true, false, true, true, false],
  );
  const { body } = await at.look('/summary');
  assert.equal(
    [body.state, body.deliveries],
    ['ended', deliveries.map(({ studentId, assignmentId }) => ({ studentId, assignmentId }))],
  );
  const present = (body.perStudent as Json[]).map((one) => one.present);
  assert.equal(present, [true, false, true, true, false]);
});

test('ended concurrently by several: one succeeds, and each assignment has one delivery', async () => {
  const at = await taught(2);
  await at.answer(at.students[0] as Person, answerTo('item-1'));
  const replies = await Promise.all([1, 2, 3].map(() => at.control('end')));
  assert.equal(replies.map(({ status }) => status).sort(), [200, 409, 409]);
  assert.equal((await rowsOf(at, 'bundle_delivery')).length, 1);
  assert.equal((await rowsOf(at, 'live_segment', 'segmentNo')).length, 2);
});

test('LVS-05: the service ends a lesson as its teacher would; the last segment ends with the last event', async () => {
  const at = await taught(1);
  await segment(at, 'started');
  minutes(6);
  await at.answer(at.students[0] as Person, answerTo('item-1'));
  await at.teach('/ism-run', { studentId: at.students[0]?.id });
  minutes(240);
  await endOverdue(app.services);
  assert.equal(
    (await rowsOf(at, 'bundle_delivery')).map(({ deliveredOn }) => deliveredOn),
    ['2026-01-12'],
  );
  assert.equal([(await session(at)).state, (await at.look()).body.state], ['delivered', 'ended']);
  const times = (await rowsOf(at, 'live_segment', 'segmentNo')).map(({ taughtMs }) => taughtMs);
  assert.equal(times, [6 * 60_000, null]);
  assert.equal(
    (await rowsOf(at, 'live_own_run', 'id')).map(({ state }) => state),
    ['stopped'],
  );
});

test('the minutes of each segment, and of all lessons of an assignment in the tracker', async () => {
  const at = await taught(1);
  const [ada] = at.students as [Person];
  await segment(at, 'started');
  minutes(4);
  await at.control('pause');
  minutes(10);
  await at.control('resume');
  minutes(2);
  await segment(at, 'finished');
  minutes(1);
  await segment(at, 'started');
  await at.answer(ada, answerTo('item-1'));
  app.clock.advance(450_000);
  await at.control('end');
  const segments = await rowsOf(at, 'live_segment', 'segmentNo');
  assert.equal(
    segments.map(({ segmentNo, kind, plannedMinutes, taughtMs }) => [segmentNo, kind, plannedMinutes, taughtMs]),
    [
      [1, 'opening', 5, 360_000],
      [2, 'check', 15, 450_000],
    ],
  );
  const tracker = await at.get<{ assignments: Json[] }>(`/api/students/${ada.id}/fidelity-tracker`);
  const [plan] = tracker.body.assignments;
  assert.equal([plan?.plannedMinutes, plan?.taughtMinutes], [20, 13.5]);
});

test('a lesson without segment signals is delivered; its taught minutes are unknown', async () => {
  const at = await taught(1);
  const [ada] = at.students as [Person];
  await at.answer(ada, answerTo('item-1'));
  minutes(25);
  await at.control('end');
  const tracker = await at.get<{ assignments: Json[] }>(`/api/students/${ada.id}/fidelity-tracker`);
  const [plan] = tracker.body.assignments;
  assert.equal([plan?.lastDeliveredOn, plan?.plannedMinutes, plan?.taughtMinutes], ['2026-01-12', 20, null]);
});

test('a lesson delivered by a person is not delivered again; a cancelled one is delivered because it was taught', async () => {
  for (const [change, deliveries] of [
    [{ state: 'delivered', deliveredOn: '2026-01-11', closedAt: monday }, 0],
    [{ state: 'cancelled', cancelReasonCode: 'Other', closedAt: monday }, 1],
  ] as const) {
    const at = await taught(1);
    await at.answer(at.students[0] as Person, answerTo('item-1'));
    await inContext(owner, at, (trx) => trx('teaching_session').where({ id: at.sessionId }).update(change));
    assert.is((await at.control('end')).status, 200);
    assert.is((await rowsOf(at, 'bundle_delivery')).length, deliveries, change.state);
    assert.is((await session(at)).state, change.state);
  }
});

test('a live lesson without a blueprint ends and delivers nothing', async () => {
  const at = await lesson({ students: 1 });
  await assignmentsFor(at);
  await segment(at, 'started');
  await at.answer(at.students[0] as Person, answerTo('item-1'));
  minutes(3);
  await at.control('end');
  assert.equal(await rowsOf(at, 'bundle_delivery'), []);
  const [only, ...more] = await rowsOf(at, 'live_segment', 'segmentNo');
  assert.equal([only?.plannedMinutes, only?.taughtMs, more.length], [null, 180_000, 0]);
  assert.equal(outcomeOf(await at.control('end')), [409, 'CONFLICT', 'state invalid_transition']);
});

test('answers count for the support that a student needs', async () => {
  const at = await lesson({ students: 1 });
  const [ada] = at.students as [Person];
  await at.answer(ada, answerTo('item-1', true, { supportUsed: true }));
  await at.control('next');
  await at.answer(ada, answerTo('item-2', false));
  const { body } = await at.get<{ skills: Json[] }>(`/api/cluster/student/${ada.id}/preview`);
  assert.equal(body.skills, [
    { subSkillCode: 'DEC_WORD', taskTypes: [{ taskType: 'mcq_text', Level_1: 0, Level_2: 1, Level_3: 1 }] },
  ]);
});

test.run();
