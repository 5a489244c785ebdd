// Track status (TRK) by the daily job, sessions, pauses and the school calendar.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { checkAssignments } from '#support/interventions/assignments/jobs.ts';
import { type Json, monday, type Pupil, today } from '../workflow/draft-bodies.ts';
import { useSessions } from './sessions.ts';

const test = suite('track of assignments');
const { plans, deliver, told: reportedRows, at } = useSessions(test);
const { app, services } = plans.shell;
const { owner } = app.database;

let pupil: Pupil;
let assignmentId: string;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

/** Weeks of a plan that begins on an earlier day than that of its activation are counted from its start. */
const yesterday = '2026-01-11';

const trackOf = async () => (await plans.row(pupil, assignmentId)).trackStatus;
const suggestions = async () => (await reportedRows(pupil)).filter((one) => one.startsWith('plan.'));
const offTrack = 'plan.modification_suggested off_track_no_delivery';
const review = (body: Json) => plans.review(pupil, { assignmentId, ...body });

/** The daily job of that day, run twice as after a kill. */
async function onDay(date: string): Promise<string> {
  at(date);
  for (let run = 0; run < 2; run += 1) await checkAssignments(services, pupil.organizationId, app.clock.now());
  return trackOf();
}

async function firstDayOffTrack(from: string): Promise<string> {
  for (let date = from; date < daysAfter(from, 40); date = daysAfter(date, 1)) {
    if ((await onDay(date)) === 'off_track') return date;
  }
  return 'never';
}

const calendarOf = (columns: { readonly weekend?: number[]; readonly holidays?: string[] }) =>
  owner('organization').where({ id: pupil.organizationId }).update(columns);

test('TRK-02: three complete weeks without a session: reported once for each entry; the next session ends it', async () => {
  assignmentId = await plans.given(pupil, { startOn: yesterday });
  // The week of 11 January has four school days from its Monday on.
  assert.is(await firstDayOffTrack('2026-01-26'), '2026-02-01');
  assert.is(await onDay('2026-02-05'), 'off_track');
  assert.equal(await suggestions(), [offTrack]);
  await deliver(pupil);
  assert.is(await trackOf(), 'behind');
  // The week of the session is one with a session.
  assert.is(await firstDayOffTrack('2026-02-06'), '2026-03-01');
  assert.equal(await suggestions(), [offTrack, offTrack]);
});

test('TRK-01: a pause ends it; weeks count from the resume on', async () => {
  assignmentId = await plans.given(pupil, { startOn: yesterday });
  await onDay('2026-02-01');
  assert.is((await review({ action: 'pause', reasonCode: 'School_Break' })).body.trackStatus, 'not_applicable');
  assert.is(await onDay('2026-03-01'), 'not_applicable');
  assert.is((await review({ action: 'resume' })).body.trackStatus, 'awaiting_first_session');
  assert.is(await firstDayOffTrack('2026-03-02'), '2026-03-22');
  assert.equal(await suggestions(), [offTrack, offTrack]);
});

test('TRK-04: fewer sessions than planned of weeks that are over', async () => {
  assignmentId = await plans.given(pupil, { startOn: yesterday });
  await deliver(pupil);
  assert.is(await trackOf(), 'on_track', 'nothing was due yet');
  assert.is(await onDay('2026-01-17'), 'on_track', 'the week is not over');
  // One of three.
  assert.is(await onDay('2026-01-18'), 'behind');
  for (const day of ['2026-01-18', '2026-01-19', '2026-01-20', '2026-01-21']) {
    at(day);
    await deliver(pupil);
  }
  // Three of three and one made up, with one of three: five of six.
  assert.is(await onDay('2026-01-25'), 'on_track');
});

test('the week ends with the weekend of the organization', async () => {
  await calendarOf({ weekend: [6, 7] });
  assignmentId = await plans.given(pupil, { startOn: yesterday });
  assert.is(await firstDayOffTrack('2026-01-26'), '2026-02-02');
});

test('weeks of holidays are none', async () => {
  const holidays = Array.from({ length: 5 }, (_, day) => daysAfter('2026-01-18', day));
  await calendarOf({ holidays });
  assignmentId = await plans.given(pupil, { startOn: yesterday });
  assert.is(await firstDayOffTrack('2026-01-26'), '2026-02-08');
});

test('without school days nothing is ever due, and sessions are counted all the same', async () => {
  await calendarOf({ weekend: [1, 2, 3, 4, 5, 6, 7] });
  assignmentId = await plans.given(pupil, { startOn: yesterday });
  assert.is(await onDay('2026-02-16'), 'awaiting_first_session');
  assert.is((await deliver(pupil)).length, 1);
  assert.is(await trackOf(), 'on_track');
  assert.is(await onDay('2026-03-30'), 'on_track');
  assert.equal(await suggestions(), []);
});

test('an assignment that starts in the past is off track from the beginning, and that is reported', async () => {
  assignmentId = await plans.given(pupil, { startOn: daysAfter(today, -28) });
  assert.equal([await trackOf(), await suggestions()], ['off_track', [offTrack]]);
  assert.is(await onDay(today), 'off_track');
  assert.equal(await suggestions(), [offTrack]);
});

test('a plan that begins on the day of its activation is counted from the next week on, earlier sessions in its first one', async () => {
  assignmentId = await plans.given(pupil);
  assert.is((await plans.row(pupil, assignmentId)).weeksFrom, '2026-01-18');
  // The week of 18 January is the first of three without a session.
  assert.is(await firstDayOffTrack('2026-01-26'), '2026-02-08');
});

test('a session before the first counted week is one of it, for the weeks without a session too', async () => {
  assignmentId = await plans.given(pupil);
  await deliver(pupil);
  assert.is(await onDay('2026-01-18'), 'on_track', 'the week of the activation does not count');
  // One of three; the weeks of 25 January, 1 and 8 February have none.
  assert.is(await onDay('2026-01-25'), 'behind');
  assert.is(await firstDayOffTrack('2026-02-01'), '2026-02-15');
});

test.run();
