// Daily work: runs once for each organization and local date, despite the Clock, summer time, kills and failures.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DailySchedule } from '#core/module/jobs.ts';
import { dayBegunAt } from '#core/platform/pure/dates/local-day.ts';
import { scheduler } from '../../workers/schedules.ts';
import { buildOrganization } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';
import { capturedLog, noQueues } from './support.ts';

const test = suite('daily schedules');
const app = useApp(test);
const { owner } = app.database;
const { log, lines } = capturedLog();
const zones = ['Asia/Riyadh', 'America/New_York', 'Pacific/Auckland'] as const;
const ids: Record<string, string> = {};

test.before(async () => {
  for (const timeZone of zones) ids[timeZone] = (await buildOrganization(owner, { timeZone })).id;
});

/** Returns the dates on which an organization's (or, under '', the platform's) work was done, in order. */
type Done = Record<string, string[]>;

function noting(name: string, of: DailySchedule['of'], fails: (subject: string) => boolean = () => false) {
  const done: Done = {};
  const run = async (_services: unknown, _queues: unknown, turn: { organizationId?: string; date: string }) => {
    const subject = turn.organizationId ?? '';
    if (fails(subject)) throw new Error('out of order');
    done[subject] = [...(done[subject] ?? []), turn.date];
  };
  const schedule = { name, dailyAt: 2, of, run } as DailySchedule;
  return { schedule, done };
}

/** A process that starts what is due once, and ends. */
async function tick(...daily: DailySchedule[]): Promise<void> {
  const one = scheduler({ services: app.services, queues: noQueues, log, schedules: [], daily });
  app.clock.advance(4_000);
  await one.tick();
  await one.idle();
}

async function ticks(from: string, to: string, stepMs: number, ...daily: DailySchedule[]): Promise<void> {
  for (let at = Date.parse(from); at <= Date.parse(to); at += stepMs) {
    app.clock.set(new Date(at - 4_000));
    await tick(...daily);
  }
}

const of = (done: Done, zone: (typeof zones)[number]) => done[ids[zone] ?? ''] ?? [];

test('the work of every organization runs once a local date, from its hour on', async () => {
  const { schedule, done } = noting('test-nights', 'organization');
  await ticks('2026-01-20T00:00:00Z', '2026-01-22T00:00:00Z', 1_800_000, schedule);
  assert.equal(of(done, 'Asia/Riyadh'), ['2026-01-20', '2026-01-21', '2026-01-22']);
  assert.equal(of(done, 'America/New_York'), ['2026-01-19', '2026-01-20', '2026-01-21']);
  assert.equal(of(done, 'Pacific/Auckland'), ['2026-01-20', '2026-01-21', '2026-01-22']);
});

const begins = (timeZone: string, hour: number, from: string, to: string): string[] => {
  const found: string[] = [];
  for (let at = Date.parse(from), before = ''; at <= Date.parse(to); at += 60_000) {
    const day = dayBegunAt(hour, new Date(at), timeZone);
    if (day !== before) found.push(`${day} at ${new Date(at).toISOString().slice(0, 16)}`);
    before = day;
  }
  return found.slice(1);
};

test('the day begins at local time: a skipped hour begins later, a repeated one the first time', () => {
  assert.equal(begins('America/New_York', 2, '2026-03-07T12:00Z', '2026-03-09T12:00Z'), [
    '2026-03-08 at 2026-03-08T07:00',
    '2026-03-09 at 2026-03-09T06:00',
  ]);
  assert.equal(begins('America/New_York', 1, '2026-10-31T12:00Z', '2026-11-02T12:00Z'), [
    '2026-11-01 at 2026-11-01T05:00',
    '2026-11-02 at 2026-11-02T06:00',
  ]);
  assert.equal(begins('America/New_York', 2, '2026-10-31T12:00Z', '2026-11-02T12:00Z'), [
    '2026-11-01 at 2026-11-01T07:00',
    '2026-11-02 at 2026-11-02T07:00',
  ]);
  assert.equal(begins('Africa/Cairo', 0, '2026-04-23T12:00Z', '2026-04-25T12:00Z'), [
    '2026-04-24 at 2026-04-23T22:00',
    '2026-04-25 at 2026-04-24T21:00',
  ]);
  assert.equal(begins('Asia/Kathmandu', 23, '2026-01-01T00:00Z', '2026-01-02T00:00Z'), [
    '2026-01-01 at 2026-01-01T17:15',
  ]);
});

test('weeks of summer time changes: one run per date, no date missing', async () => {
  for (const [zone, first] of [
    ['America/New_York', '2026-03-05'],
    ['America/New_York', '2026-10-29'],
    ['Pacific/Auckland', '2026-04-02'],
  ] as const) {
    const { schedule, done } = noting(`test-summer-${first}`, 'organization');
    const end = new Date(Date.parse(first) + 6 * 86_400_000).toISOString();
    await ticks(`${first}T00:30:00Z`, end, 7_200_000, schedule);
    const dates = of(done, zone);
    assert.is(new Set(dates).size, dates.length, 'no date twice');
    assert.equal(dates, [...dates].sort());
    const [oldest = '', newest = ''] = [dates[0], dates.at(-1)];
    assert.is(dates.length, 1 + (Date.parse(newest) - Date.parse(oldest)) / 86_400_000, 'no date left out');
    assert.ok(dates.length >= 6, String(dates));
  }
});

test('work of the platform runs at an hour of UTC, and does not drift', async () => {
  const { schedule, done } = noting('test-platform', 'platform');
  await ticks('2026-02-01T01:59:58Z', '2026-02-08T02:10:00Z', 3_607_000, schedule);
  assert.equal(
    done[''],
    ['31', '01', '02', '03', '04', '05', '06', '07'].map((day) => `2026-0${day === '31' ? 1 : 2}-${day}`),
  );
});

test('a clock set forward by days runs the new date once; one set back repeats no date', async () => {
  const { schedule, done } = noting('test-jumps', 'organization');
  const at = (day: string) => ticks(`${day}T12:00:00Z`, `${day}T12:00:08Z`, 4_000, schedule);
  for (const day of ['2026-05-01', '2026-05-11', '2026-05-01', '2026-05-02', '2026-05-03', '2026-04-20', '2026-05-11'])
    await at(day);
  assert.equal(of(done, 'Asia/Riyadh'), ['2026-05-01', '2026-05-11', '2026-05-02', '2026-05-03', '2026-04-20']);
});

test('a failing organization delays no other, and is retried after a pause until it succeeds', async () => {
  let broken = true;
  const first = Object.values(ids).sort()[0] ?? '';
  const { schedule, done } = noting('test-fails', 'organization', (subject) => broken && subject === first);
  const sibling = noting('test-sibling', 'organization');
  app.clock.set('2026-06-01T12:00:00Z');
  for (let round = 0; round < 3; round += 1) await tick(schedule, sibling.schedule);
  const others = Object.values(ids).filter((id) => id !== first);
  assert.equal(Object.keys(done).sort(), others.sort());
  assert.equal(Object.keys(sibling.done).sort(), Object.values(ids).sort());
  const logged = lines.filter(({ schedule: name }) => name === 'test-fails');
  assert.equal(
    logged.map(({ msg, subject }) => [msg, subject]),
    [['daily work failed', first]],
    'once: it pauses',
  );
  broken = false;
  await letLapse('test-fails');
  await tick(schedule);
  assert.is(done[first]?.length, 1);
  await letLapse('test-fails');
  await tick(schedule);
  assert.is(done[first]?.length, 1, 'done is done');
});

/** Simulates the passing of time: expires leases and pauses of dates that are not done. */
const letLapse = (name: string) => owner('schedule_day').where({ name }).update({ heldUntil: '2000-01-01T00:00:00Z' });

test('the day of a process that died is taken over once its lease has expired', async () => {
  const { schedule, done } = noting('test-killed', 'platform');
  let begun = () => {};
  const inTheMiddle = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let bury = () => {};
  const hanging = new Promise<void>((resolve) => {
    bury = resolve;
  });
  const run = () => {
    begun();
    return hanging;
  };
  const dying = { ...schedule, run } as DailySchedule;
  app.clock.set('2026-07-01T12:00:00Z');
  app.clock.advance(4_000);
  const dead = scheduler({ services: app.services, queues: noQueues, log, schedules: [], daily: [dying] });
  await dead.tick();
  await inTheMiddle;
  await tick(schedule);
  assert.equal(done, {}, 'held');
  await letLapse('test-killed');
  await tick(schedule);
  assert.equal(done, { '': ['2026-07-01'] });
  bury();
  await dead.stop();
});

test('twenty processes at once: every organization once', async () => {
  const { schedule, done } = noting('test-many', 'organization');
  app.clock.set('2026-08-01T12:00:00Z');
  const all = Array.from({ length: 20 }, () =>
    scheduler({ services: app.services, queues: noQueues, log, schedules: [], daily: [schedule] }),
  );
  for (let round = 0; round < 4; round += 1) {
    app.clock.advance(4_000);
    await Promise.all(all.map((one) => one.tick()));
  }
  await Promise.all(all.map((one) => one.stop()));
  assert.equal(
    Object.values(done).map(({ length }) => length),
    zones.map(() => 1),
  );
});

test('an unknown time zone affects no other organization', async () => {
  const stranger = await buildOrganization(owner, { timeZone: 'Mars/Olympus' });
  const { schedule, done } = noting('test-zone', 'organization');
  app.clock.set('2026-09-01T12:00:00Z');
  await tick(schedule);
  assert.equal(Object.keys(done).sort(), [...Object.values(ids), stranger.id].sort());
});

test.run();
