// Candidates that cannot be evaluated: they block no other, are retried with growing delays, and are parked after ten
// attempts with one alert.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { jobsOf } from '#core/module/capability.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import type { UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../../support/interventions/classroom.ts';
import { oneNeed } from '../../../support/rti/rti-world.ts';
import { noQueues } from '../../../workers/support.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { owner } = world.app.database;

let room: Room;
let student: UserRow;
test.before.each(async () => {
  world.app.clock.set('2026-01-15T08:00:00.000Z');
  room = await world.room();
  student = await world.student(room);
});

const refuse = (kind: string) =>
  owner.raw(`create function refuse_kind() returns trigger language plpgsql as $$ begin
      if new.source_kind = '${kind}' then raise exception 'broken for %', new.student_id; end if; return new; end $$;
    create trigger refuse_kind before insert on mastery_event for each row execute function refuse_kind()`);
const allow = () => owner.raw('drop trigger refuse_kind on mastery_event; drop function refuse_kind()');
const kinds = async () => (await world.minted(student)).map(([kind]) => kind);
const waiting = () => owner('mastery_candidate').where({ studentId: student.id });
const alerts = () => owner('platform_alert').where({ code: 'MASTERY_PARKED', studentId: student.id });

/** What the sweep asks for now, worked off. Answers how many jobs there were. */
async function sweep(): Promise<number> {
  const jobs: Job[] = [];
  const found = jobsOf(world.services.capabilities).schedules.find(({ name }) => name === 'mastery-sweep');
  await found?.run(world.services, { ...noQueues, add: async (more) => void jobs.push(...more) });
  await world.source(jobs);
  return jobs.length;
}
const seconds = (count: number) => world.app.clock.advance(count * 1_000);

/** Below, and three weeks later approaching: FLU_TEXT and its domain rise with the verdict. */
async function twoReadings(): Promise<void> {
  await world.read(room, student, 5);
  await world.settle();
  world.days(21);
  await world.read(room, student, 40);
}

test('the others are booked, and the one that failed is booked when it can be', async () => {
  await refuse('band_progression');
  await twoReadings();
  await world.settle();
  assert.equal(await kinds(), ['skill_status_transition', 'domain_status_escalation']);
  const [left, ...more] = await waiting();
  assert.equal([left.topic, left.lastError, more], ['orf.scored', 'database P0001', []], 'no word of the driver');
  await allow();
  seconds(3_600);
  await sweep();
  assert.equal((await kinds()).at(-1), 'band_progression');
  assert.equal([await waiting(), await alerts()], [[], []]);
});

test('ten attempts with doubling delays, then none and one alert', async () => {
  await refuse('band_progression');
  await twoReadings();
  await world.settle();
  const tries = async () => Number((await waiting())[0].attempts);
  for (let wait = 10 * 2 ** (await tries()); (await tries()) < 10; wait *= 2) {
    const before = await tries();
    seconds(3_601);
    await sweep();
    assert.is(await tries(), before + 1);
    const [{ nextTryAt }] = await waiting();
    const waits = (new Date(nextTryAt).getTime() - world.app.clock.now().getTime()) / 1_000;
    assert.is(waits, Math.min(wait, 3_600), `after ${before + 1} times`);
    assert.is(await sweep(), 0, 'not before its time');
  }
  seconds(40_000);
  assert.is(await sweep(), 0);
  const [alert, ...others] = await alerts();
  assert.equal([alert.severity, alert.details, others], ['high', { topic: 'orf.scored', attempts: 10 }, []]);
  await allow();
  world.days(30);
  const later = await world.read(room, student, 10);
  assert.ok(later);
  await world.settle();
  assert.is((await waiting()).length, 1, 'what was put aside stays aside, and holds up nothing');
});

test('lost jobs are requested by the sweep', async () => {
  await world.grow([student], oneNeed);
  world.days(20);
  await world.measure([student], { DEC_WORD: 'CCCCCCCC' });
  await world.relay();
  assert.equal([await kinds(), await sweep()], [[], 0], 'the jobs of the relay are no one’s, and it is too early');
  seconds(11);
  assert.is(await sweep(), 1);
  assert.equal(await kinds(), ['skill_status_transition', 'domain_status_escalation']);
  assert.equal(await waiting(), []);
});

test('events that come a second time book nothing twice', async () => {
  await twoReadings();
  await world.settle();
  const ledgers = async () => [
    ...(await world.minted(student)),
    ...(await world.rows('xp_transaction', student)),
    ...(await world.rows('student_badge', student)),
  ];
  const before = await ledgers();
  assert.ok((await kinds()).includes('band_progression'), String(await kinds()));
  await owner('outbox').where({ organizationId: room.organizationId }).update({ relayedAt: null });
  await world.settle();
  assert.equal([await ledgers(), await waiting()], [before, []]);
});

test('candidates of a student who is erased before evaluation are deleted', async () => {
  await twoReadings();
  await world.relay();
  assert.ok((await waiting()).length > 0);
  await owner('app_user').where({ id: student.id }).update({ status: 'deleted' });
  world.app.clock.advance(3_600_000);
  await sweep();
  assert.equal([await waiting(), await kinds(), await alerts()], [[], [], []]);
});

test.run();
