// Counts follow sessions, pauses, ends and the calendar; each period of low delivery is reported once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { fidelityJobs } from '#support/fidelity/jobs.ts';
import { recountAll } from '#support/fidelity/requests/daily.ts';
import { checkAssignments } from '#support/interventions/assignments/jobs.ts';
import { relayAll } from '../../../workers/relay.ts';
import { scheduler } from '../../../workers/schedules.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';
import { type Json, monday, type Pupil } from '../interventions/workflow/draft-bodies.ts';
import { numbers, sunday, useCounted } from './counted.ts';

const test = suite('counts by themselves');
const {
  plans,
  deliver,
  told: reportedRows,
  recompute,
  weekly,
  relay,
  snapshots,
  current,
  changes,
  at,
} = useCounted(test);
const { app, services } = plans.shell;
const { owner } = app.database;

const start = daysAfter(sunday, -28);
let pupil: Pupil;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

const low = async (one = pupil) => (await reportedRows(one)).filter((event) => event.endsWith('low_fidelity')).length;
const counts = async (one = pupil) => (await snapshots(one)).map(numbers);
const review = (body: Json) => plans.review(pupil, body);

/** Runs the daily jobs of that day twice, as after a kill. */
async function onDay(date: string, one = pupil): Promise<void> {
  at(date);
  for (let run = 0; run < 2; run += 1) {
    await checkAssignments(services, one.organizationId, app.clock.now());
    await recountAll(services, one.organizationId, app.clock.now());
  }
}

test('a session is counted as soon as the relay has delivered it, once however often it is recorded', async () => {
  const id = await plans.given(pupil, { startOn: start });
  await weekly(pupil, start, [3, 3, 3, 0]);
  await relay();
  assert.equal(await counts(), [[12, 9, 0.75, 'fail']]);
  await deliver(pupil, { deliveredOn: '2026-01-04', source: { type: 'live', id: 's1' } });
  await deliver(pupil, { deliveredOn: '2026-01-04', source: { type: 'live', id: 's1' } });
  await relay();
  await relay();
  assert.equal((await counts()).at(-1), [12, 10, 0.8333, 'pass']);
  assert.is((await snapshots(pupil)).length, 2);
  assert.equal(
    (await changes(pupil)).map(({ gate, assignmentId }) => [gate, assignmentId]),
    [
      ['fail', id],
      ['pass', id],
    ],
  );
});

test('a pause, a resume, an extension and the end are followed; a pause changes what is due from the next week on', async () => {
  const assignmentId = await plans.given(pupil, { startOn: start });
  await weekly(pupil, start, [3, 3, 3, 3]);
  await relay();
  assert.equal(await counts(), [[12, 12, 1, 'pass']]);
  await review({ assignmentId, action: 'pause', reasonCode: 'School_Break' });
  await relay();
  assert.is((await snapshots(pupil)).at(-1)?.trackStatus, 'not_applicable');
  at('2026-02-02');
  await review({ assignmentId, action: 'resume' });
  await relay();
  const resumed = (await snapshots(pupil)).at(-1) ?? {};
  // The week of the pause itself was begun on a Sunday that was taught.
  assert.equal([...numbers(resumed), resumed.completeWeeks], [15, 12, 0.8, 'pass', 5]);
  assert.equal(
    (resumed.weeks as Json[]).map(({ paused }) => paused),
    [false, false, false, false, false, true, true],
  );
  await review({ assignmentId, action: 'stop', reasonCode: 'Need_Changed' });
  await relay();
  const before = await snapshots(pupil);
  assert.equal(numbers(before.at(-1) ?? {}), [15, 12, 0.8, 'pass']);
  assert.is((await current(pupil))[0]?.open, false);
  await onDay('2026-04-01');
  assert.is((await snapshots(pupil)).length, before.length, 'an ended plan is counted no further');
});

test('the daily job counts what the calendar has changed, and nothing else', async () => {
  at('2026-01-11');
  pupil = await plans.pupil();
  at('2026-01-12');
  await plans.given(pupil, { startOn: '2026-01-11' });
  await onDay('2026-01-12');
  assert.equal(await counts(), [[0, 0, null, 'not_applicable']]);
  await onDay('2026-01-17');
  assert.is((await snapshots(pupil)).length, 1, 'the week is not over');
  await onDay('2026-01-18');
  assert.equal((await counts()).at(-1), [3, 0, 0, 'fail']);
  await owner('organization')
    .where({ id: pupil.organizationId })
    .update({ holidays: ['2026-01-11', '2026-01-12', '2026-01-13'] });
  await onDay('2026-01-19');
  assert.equal((await counts()).at(-1), [0, 0, null, 'not_applicable'], 'a holiday that was entered late');
  assert.is((await changes(pupil)).length, 3);
});

test('low_fidelity: once a time below the gate, when three weeks are over; above it, and below again: once more', async () => {
  at('2026-01-11');
  pupil = await plans.pupil();
  at('2026-01-12');
  await plans.given(pupil, { startOn: '2026-01-11' });
  for (const date of ['2026-01-18', '2026-01-25']) await onDay(date);
  assert.equal([(await counts()).at(-1), await low()], [[6, 0, 0, 'fail'], 0], 'two weeks');
  for (const date of ['2026-02-01', '2026-02-08', '2026-02-15']) await onDay(date);
  assert.equal([(await counts()).at(-1), await low()], [[15, 0, 0, 'fail'], 1]);
  // Four in each of the first four weeks: sixteen.
  await weekly(pupil, '2026-01-11', [4, 4, 4, 4]);
  await relay();
  assert.equal([(await counts()).at(-1), await low()], [[15, 15, 1, 'pass'], 1]);
  await onDay('2026-02-22');
  assert.equal([(await counts()).at(-1), await low()], [[18, 16, 0.8889, 'pass'], 1]);
  for (const date of ['2026-03-01', '2026-03-08']) await onDay(date);
  assert.equal([(await counts()).at(-1), await low()], [[24, 16, 0.6667, 'fail'], 2]);
});

test('a first failing count is such a period; an ended assignment is not reported any more', async () => {
  const id = await plans.given(pupil, { startOn: start });
  await onDay('2026-01-12');
  assert.equal([await low(), (await current(pupil))[0]?.lowTold], [1, true]);
  await recompute(pupil, id);
  assert.is(await low(), 1);
  const other = await plans.classmate(pupil);
  const ended = await plans.given(other, { startOn: start });
  await plans.review(other, { assignmentId: ended, action: 'stop', reasonCode: 'Not_Suitable' });
  await relay();
  assert.equal([(await current(other))[0]?.gate, await low(other)], ['fail', 0]);
});

test('counted at once by many: one row, one event', async () => {
  const id = await plans.given(pupil, { startOn: start });
  const replies = await Promise.all(Array.from({ length: 6 }, () => recompute(pupil, id)));
  assert.equal(
    replies.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  );
  assert.is(new Set(replies.map(({ body }) => body.snapshotId)).size, 1);
  assert.equal([(await snapshots(pupil)).length, await low()], [1, 1]);
});

test('an assignment that cannot be counted does not stop the others, and the day is repeated', async () => {
  const others = [await plans.classmate(pupil), await plans.classmate(pupil)];
  for (const one of [pupil, ...others]) await plans.given(one, { startOn: start });
  const broken = others[0] as Pupil;
  await owner.raw(`
    create function break_one() returns trigger language plpgsql as $$
      begin
        if new.student_id = ${broken.id} then raise exception 'broken'; end if;
        return new;
      end $$;
    create trigger break_one before insert on fidelity_snapshot for each row execute function break_one()`);
  let failed: unknown;
  await recountAll(services, pupil.organizationId, app.clock.now()).catch((error: unknown) => {
    failed = error;
  });
  assert.match(String(failed), /broken/);
  const rows = async () => [(await snapshots(pupil)).length, (await snapshots(broken)).length];
  assert.equal([...(await rows()), (await snapshots(others[1] as Pupil)).length], [1, 0, 1]);
  assert.equal(await current(broken), []);
  await owner.raw('drop trigger break_one on fidelity_snapshot; drop function break_one()');
  await recountAll(services, pupil.organizationId, app.clock.now());
  assert.equal(await rows(), [1, 1]);
});

test('a job that was lost is asked for again; one that fails waits after five tries, until something happens', async () => {
  await plans.given(pupil, { startOn: start });
  const { log } = capturedLog();
  const requests = () =>
    inContext(owner, { organizationId: pupil.organizationId }, (trx) =>
      trx('fidelity_request').where({ studentId: pupil.id }).select('requestedSeq', 'processedSeq', 'attempts'),
    );
  const swept = async (): Promise<number> => {
    const jobs: Job[] = [];
    const queues = { ...noQueues, add: async (more: readonly Job[]) => void jobs.push(...more) };
    await fidelityJobs.schedules?.[0]?.run(services, queues);
    const own = jobs.filter(({ data }) => data.organizationId === pupil.organizationId);
    for (const { data } of own)
      await fidelityJobs.handlers?.[0]?.handle(services, data, new AbortController().signal).catch(() => {});
    return own.length;
  };
  await deliver(pupil, { deliveredOn: start });
  await relayAll(services, noQueues, fidelityJobs.reactions ?? [], log);
  assert.equal(
    [await requests(), await swept()],
    [[{ requestedSeq: 1, processedSeq: 0, attempts: 0 }], 0],
    'too early',
  );
  await owner.raw(`
    create function break_all() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger break_all before insert on fidelity_snapshot for each row execute function break_all()`);
  for (let tries = 0; tries < 5; tries += 1) {
    app.clock.advance(11_000);
    assert.is(await swept(), 1, String(tries));
  }
  app.clock.advance(11_000);
  assert.is(await swept(), 0);
  await owner.raw('drop trigger break_all on fidelity_snapshot; drop function break_all()');
  await deliver(pupil, { deliveredOn: daysAfter(start, 1) });
  await relay();
  assert.equal(await requests(), [{ requestedSeq: 2, processedSeq: 2, attempts: 0 }]);
  assert.equal(await counts(), [[12, 2, 0.1667, 'fail']]);
});

test('the job of the day comes two hours after midnight, once', async () => {
  await plans.given(pupil, { startOn: start });
  const { log } = capturedLog();
  const tick = async () => {
    const one = scheduler({ services, queues: noQueues, log, schedules: [], daily: fidelityJobs.daily ?? [] });
    app.clock.advance(4_000);
    await one.tick();
    await one.idle();
  };
  await tick();
  app.clock.set('2026-01-12T22:59:00.000Z');
  await tick();
  const before = (await snapshots(pupil)).length;
  await inContext(owner, { organizationId: pupil.organizationId }, (trx) =>
    trx('organization')
      .where({ id: pupil.organizationId })
      .update({ holidays: [start, daysAfter(start, 1), daysAfter(start, 2)] }),
  );
  app.clock.set('2026-01-12T23:00:00.000Z');
  await tick();
  await tick();
  assert.is((await snapshots(pupil)).length, before + 1);
});

test.run();
