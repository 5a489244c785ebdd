// 60 §1, cbm_trend_above_goal: a series of probes over HTTP that comes to lie above its goal, and what it comes to bring. The
// series is the worked one of contract 30 §6: baseline 14, then 17, 18, 20 weekly.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { halting } from '../../../support/interventions/classroom.ts';
import { allRight } from '../../../support/rti/rti-world.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { owner } = world.app.database;

const baseline = [
  ['2025-10-05', 14],
  ['2025-10-06', 12],
  ['2025-10-08', 15],
] as const;
const firstWeek = '2025-10-22';

/** Probes on their days, each from a passage that was not read in the weeks before. */
async function series() {
  const room = await world.room();
  const student = await world.student(room);
  let probes = 0;
  const probe = async (day: string, words: number) => {
    world.app.clock.set(`${day}T08:00:00.000Z`);
    const id = await world.probe(room, student, day, words, `ORF-G2-0${(probes++ % 6) + 1}`);
    await world.settle();
    return id;
  };
  for (const [day, words] of baseline) await probe(day, words);
  let week = 0;
  const weekly = async (...scores: readonly number[]) => {
    const ids: number[] = [];
    for (const words of scores) ids.push(await probe(daysAfter(firstWeek, 7 * week++), words));
    return ids;
  };
  const types = async () =>
    (await owner('cbm_trend').where({ studentId: student.id }).orderBy('id')).map(({ trendType }) => trendType);
  return { room, student, weekly, types };
}
const above = (probeId: number | undefined) => [
  ...['cbm_trend_above_goal', `ORF_WCPM:${probeId}`, 'cbm_probe', String(probeId), `probe:${probeId}`, null],
];

test('from insufficient points: one event of the probe that changed the trend, at the moment of its entry', async () => {
  const { student, weekly, types } = await series();
  const [, , turned] = await weekly(17, 18, 20);
  assert.equal((await types()).slice(-2), ['insufficient_points', 'trend_above_goal']);
  assert.equal(await world.minted(student), [above(turned)]);
  const [event] = await world.events(student);
  assert.equal(
    [event?.occurredAt, event?.localDate, event?.schoolYear, event?.subSkillCode],
    ['2025-11-05T08:00:00.000Z', '2025-11-05', '2025-2026', null],
  );
  const xp = (await world.rows('xp_transaction', student)).map(({ kind, amount }) => [kind, amount]);
  assert.equal(xp, [
    ['credit', 30],
    ['badge_bonus', 10],
  ]);
  await weekly(21);
  assert.equal((await types()).at(-1), 'trend_above_goal');
  assert.is((await world.minted(student)).length, 1, 'it was above before');
});

test('from a mixed trend; a trend that returns raises another event, of its own probe', async () => {
  const { student, weekly, types } = await series();
  const ids = await weekly(17, 13, 19, 20, 21, 10, 30, 31, 32);
  const mixed = ['trend_mixed', 'trend_mixed'];
  assert.equal((await types()).slice(5), [...mixed, 'trend_above_goal', ...mixed, 'trend_mixed', 'trend_above_goal']);
  assert.equal(await world.minted(student), [above(ids[4]), above(ids[8])]);
});

test('the day on which a probe was read is not the day of its growth: that is when it was entered, in the local date', async () => {
  const { room, student, weekly } = await series();
  await weekly(17, 18);
  world.app.clock.set('2025-11-09T22:30:00.000Z');
  const turned = await world.probe(room, student, '2025-11-05', 20, 'ORF-G2-06');
  await world.settle();
  assert.equal(await world.minted(student), [above(turned)]);
  const [event] = await world.events(student);
  assert.equal([event?.occurredAt, event?.localDate], ['2025-11-09T22:30:00.000Z', '2025-11-10']);
});

test('while the student is halted no event is recorded, and none later', async () => {
  const { student, weekly, types } = await series();
  await weekly(17, 18);
  world.app.clock.set('2025-10-30T08:00:00.000Z');
  await world.measure([student], { ...allRight, ...halting });
  await weekly(20);
  assert.is((await types()).at(-1), 'trend_above_goal');
  assert.equal([await world.minted(student), await world.waiting(student)], [[], 0]);
  await world.measure([student], { LK_FORM: 'CCCCCC' });
  await weekly(21);
  const run = await owner('sse_run').where({ studentId: student.id }).orderBy('seq', 'desc').first();
  assert.equal([run.halted, await world.minted(student)], [false, []]);
});

test.run();
