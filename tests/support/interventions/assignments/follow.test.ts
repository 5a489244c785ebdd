// Changes of assignments without a request: the start date comes (AS-03), the student leaves or changes class (AS-10), weeks
// pass.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assignmentJobs, checkAssignments } from '#support/interventions/assignments/jobs.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { scheduler } from '../../../../workers/schedules.ts';
import { buildClass, buildUser, signIn } from '../../../harness/factories.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import { confirmed, type Json, monday, type Pupil, today, usePlans } from '../workflow/draft-bodies.ts';

const test = suite('assignments by themselves');
const plans = usePlans(test);
const { shell } = plans;
const { app, services } = shell;
const { owner } = app.database;
const dayMs = 86_400_000;
const { log } = capturedLog();

let pupil: Pupil;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

const stateOf = async (one: Pupil, id: string) => (await plans.row(one, id)).state;
const topicsOf = async (one: Pupil) =>
  (await plans.events(one)).filter(({ payload }) => (payload as Json).studentId === one.id).map(({ topic }) => topic);

/** Runs the reactions to all events so far. */
const relay = () => relayAll(services, noQueues, assignmentJobs.reactions ?? [], log);

/** Starts a process that runs the due daily jobs once. */
async function dailyJob(): Promise<void> {
  const one = scheduler({ services, queues: noQueues, log, schedules: [], daily: assignmentJobs.daily ?? [] });
  app.clock.advance(4_000);
  await one.tick();
  await one.idle();
}

async function signedAdmin() {
  return { token: await signIn(app, await buildUser(owner, 'ADMIN', { organizationId: pupil.organizationId })) };
}

test('AS-02, AS-03: what is scheduled begins on its day by the daily job, once, with one event', async () => {
  const id = await plans.given(pupil, { startOn: '2026-01-14' });
  await dailyJob();
  assert.is(await stateOf(pupil, id), 'scheduled', 'its day has not come');
  assert.equal(await topicsOf(pupil), []);
  app.clock.set('2026-01-13T08:00:00.000Z');
  await dailyJob();
  // An hour after midnight in Riyadh.
  app.clock.set('2026-01-13T21:59:00.000Z');
  await dailyJob();
  assert.is(await stateOf(pupil, id), 'scheduled', 'the hour has not come');
  app.clock.set('2026-01-13T22:00:00.000Z');
  await dailyJob();
  const begun = await plans.row(pupil, id);
  assert.equal([begun.state, begun.trackStatus], ['active', 'awaiting_first_session']);
  app.clock.advance(dayMs);
  await dailyJob();
  assert.equal(await topicsOf(pupil), ['assignment.activated']);
});

test('weeks without a session: off_track by the daily job, and no event of begin or end', async () => {
  const id = await plans.given(pupil);
  app.clock.advance(27 * dayMs);
  await checkAssignments(services, pupil.organizationId, app.clock.now());
  assert.is((await plans.row(pupil, id)).trackStatus, 'off_track');
  assert.equal(await topicsOf(pupil), ['assignment.activated']);
});

test('AS-10: all open assignments of a student who leaves are stopped, whatever their state; ended ones stay unchanged', async () => {
  const ended = await plans.given(pupil);
  await plans.review(pupil, { assignmentId: ended, action: 'stop', reasonCode: 'Opened_In_Error' });
  const [paused, scheduled] = [
    await plans.given(pupil),
    await plans.given(pupil, { bundle_id: 'BND-COMP-01', startOn: '2026-02-01', ...confirmed }),
  ];
  await plans.review(pupil, { assignmentId: paused, action: 'pause', reasonCode: 'School_Break' });
  app.clock.advance(dayMs);
  await app.delete(`/api/classes/${pupil.classRow.id}/students/${pupil.id}`, await signedAdmin());
  await relay();
  for (const id of [paused, scheduled]) {
    const { state, reasonCode, endedOn, trackStatus } = await plans.row(pupil, id);
    assert.equal(
      [state, reasonCode, endedOn, trackStatus],
      [...['stopped', 'Student_Left', '2026-01-13', 'not_applicable']],
    );
  }
  const before = await plans.row(pupil, ended);
  assert.equal([before.reasonCode, before.endedOn], ['Opened_In_Error', today]);
  const topics = await topicsOf(pupil);
  assert.equal(topics.filter((topic) => topic === 'assignment.closed').length, 3);
  await relay();
  assert.equal(await topicsOf(pupil), topics, 'once');
});

test('AS-10: who is erased has left too', async () => {
  const id = await plans.given(pupil);
  await app.post(`/api/students/${pupil.id}/erasure`, undefined, await signedAdmin());
  await relay();
  assert.equal([await stateOf(pupil, id), (await plans.row(pupil, id)).reasonCode], ['stopped', 'Student_Left']);
});

test('a move to another class keeps the assignment and changes its class, also when the student was away in between', async () => {
  const id = await plans.given(pupil);
  const { organizationId, classRow } = pupil;
  const next = await buildClass(owner, { organizationId, schoolId: classRow.schoolId, grade: 2 });
  const admin = await signedAdmin();
  await app.delete(`/api/classes/${classRow.id}/students/${pupil.id}`, admin);
  await app.post(`/api/classes/${next.id}/students`, { studentIds: [pupil.id] }, admin);
  await relay();
  const { state, classId } = await plans.row(pupil, id);
  assert.equal([state, classId], ['active', next.id]);
  assert.equal(await topicsOf(pupil), ['assignment.activated']);
  const board = async (of: number) => app.get<{ items: Json[] }>(`/api/classes/${of}/bundle-assignments`, admin);
  assert.equal([(await board(classRow.id)).body.items.length, (await board(next.id)).body.items.length], [0, 1]);
});

test('an event that is lost costs a day: the daily job finds who has left', async () => {
  const id = await plans.given(pupil);
  await owner('enrollment').where({ studentId: pupil.id }).update({ enrolledTo: today });
  await checkAssignments(services, pupil.organizationId, app.clock.now());
  assert.is(await stateOf(pupil, id), 'stopped');
});

test('a student whose assignments cannot be checked does not stop the others, and the day is retried', async () => {
  const other = await plans.classmate(pupil);
  const [broken, due] = [
    await plans.given(pupil, { startOn: '2026-01-13' }),
    await plans.given(other, { startOn: '2026-01-13' }),
  ];
  app.clock.advance(dayMs);
  const now = app.clock.now();
  const refusing = `create function refuse_one() returns trigger language plpgsql as $$ begin
      if old.id = '${broken}' then raise exception 'out of order'; end if; return new; end $$;
    create trigger refuse_one before update on bundle_assignment for each row execute function refuse_one()`;
  await owner.raw(refusing);
  const [outcome] = await Promise.allSettled([checkAssignments(services, pupil.organizationId, now)]);
  await owner.raw('drop trigger refuse_one on bundle_assignment; drop function refuse_one()');
  assert.equal([outcome.status, await stateOf(other, due)], ['rejected', 'active']);
  assert.is(await stateOf(pupil, broken), 'scheduled');
  await checkAssignments(services, pupil.organizationId, now);
  assert.is(await stateOf(pupil, broken), 'active');
});

test.run();
