// A series of readings falls below its goal although the assignment is delivered: one suggestion for each such change (contract
// 52 §7.2).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cbmTrendChanged } from '#assessment/measurement/index.ts';
import { appendEvents, newEvent } from '#core/module/events.ts';
import { inContext } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { assignmentJobs } from '#support/interventions/assignments/jobs.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { teacher } from '../../../assessment/measurement/fluency/teacher.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import { confirmed, type Json, monday, type Pupil } from '../workflow/draft-bodies.ts';
import { useSessions } from './sessions.ts';

const test = suite('assignments and the aim line');
const { plans, deliver, told: reported, at } = useSessions(test);
const { app, services } = plans.shell;
const { log, lines } = capturedLog();

let pupil: Pupil;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

const relay = () => relayAll(services, noQueues, assignmentJobs.reactions ?? [], log);
const belowAim = async (one = pupil) => (await reported(one)).filter((event) => event.endsWith('below_aim_line'));
const suggested = 'plan.modification_suggested below_aim_line';

/** Sessions on the first school days of each week since the Sunday. */
async function sessions(from: string, weeks: readonly number[], bundle_id = 'BND-DECODE-01'): Promise<void> {
  for (const [week, count] of weeks.entries()) {
    for (let day = 0; day < count; day += 1) {
      await deliver(pupil, { bundle_id, deliveredOn: daysAfter(from, week * 7 + day) });
    }
  }
}

async function turn(trendType: 'trend_below_goal' | 'trend_mixed' = 'trend_below_goal'): Promise<void> {
  const { organizationId, id: studentId } = pupil;
  const payload = { studentId, measureCode: 'ORF_WCPM', formFamily: 'ORF-G2', trendType, trendId: 1 } as const;
  await inContext(services.db, { organizationId }, (trx) =>
    appendEvents(trx, app.clock.now(), [newEvent(cbmTrendChanged, organizationId, payload)]),
  );
  await relay();
}

/** A Sunday: three weeks of the assignment are over on the Monday of these tests. */
const sunday = '2025-12-21';

test('probes turn the trend below the goal, with eight of nine sessions given in three weeks: one suggestion', async () => {
  at('2025-11-05');
  pupil = await plans.pupil();
  const assignmentId = await plans.given(pupil, { startOn: '2025-10-12' });
  await sessions('2025-10-12', [3, 3, 2]);
  const hands = teacher(app, pupil.teacher);
  const probes = [
    ...[
      ['2025-10-05', 14],
      ['2025-10-06', 12],
      ['2025-10-08', 15],
    ],
    ...[
      ['2025-10-22', 13],
      ['2025-10-29', 13],
      ['2025-11-05', 12],
    ],
  ];
  for (const [number, [administeredOn, wordsAttempted]] of probes.entries()) {
    const words = { administeredOn, wordsAttempted, errors: 0, elapsedSeconds: 60 };
    const { status, body } = await hands.probe({ studentId: pupil.id, passageId: `ORF-G2-0${number + 1}`, ...words });
    assert.is(status, 201, JSON.stringify(body));
    await relay();
  }
  assert.equal(await belowAim(), [suggested]);
  await relay();
  assert.equal(await belowAim(), [suggested], 'nothing comes twice');
  const view = await app.get<Json>(`/api/bundle-assignments/${assignmentId}`, { token: await plans.admin(pupil) });
  assert.equal(view.body.monitoring, {
    ...{ measureCode: 'ORF_WCPM', everyDays: 14, nextDueOn: '2025-11-19', overdue: false },
  });
  assert.equal(lines, []);
});

test('once a turn: a series that goes up and comes down again is another one', async () => {
  await plans.given(pupil, { startOn: sunday });
  await sessions(sunday, [3, 3, 2]);
  await turn();
  await turn('trend_mixed');
  assert.equal(await belowAim(), [suggested]);
  await turn();
  assert.equal(await belowAim(), [suggested, suggested]);
});

test('not while too little of the assignment was delivered, or too few weeks are over', async () => {
  await plans.given(pupil, { startOn: sunday });
  await sessions(sunday, [3, 2, 2]);
  await turn();
  assert.equal(await belowAim(), [], 'seven of nine');
  pupil = await plans.pupil();
  await plans.given(pupil, { startOn: daysAfter(sunday, 7) });
  await sessions(daysAfter(sunday, 7), [3, 3]);
  await turn();
  assert.equal(await belowAim(), [], 'two weeks');
});

test('not for an assignment of another role, one without a fidelity gate, or one that is paused or ended', async () => {
  await plans.given(pupil, { bundle_id: 'SUP-LANGUAGE-01', startOn: sunday, ...confirmed });
  await sessions(sunday, [3, 3, 3], 'SUP-LANGUAGE-01');
  await plans.given(pupil, { bundle_id: 'LSA-MONITOR-01', startOn: sunday, ...confirmed });
  await sessions(sunday, [2, 1, 1], 'LSA-MONITOR-01');
  await turn();
  assert.equal(await belowAim(), []);
  for (const move of [
    { action: 'pause', reasonCode: 'School_Break' },
    { action: 'stop', reasonCode: 'Need_Changed' },
  ]) {
    pupil = await plans.pupil();
    const assignmentId = await plans.given(pupil, { startOn: sunday });
    await sessions(sunday, [3, 3, 3]);
    await plans.review(pupil, { assignmentId, ...move });
    await turn();
    assert.equal(await belowAim(), [], move.action);
  }
});

test.run();
