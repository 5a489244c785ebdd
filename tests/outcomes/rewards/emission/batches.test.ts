// The growth of many students is evaluated in one transaction, with the results of single evaluation.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '#core/platform/queue/queue.ts';
import { serveMastery } from '#outcomes/rewards/emission/serve.ts';
import type { UserRow } from '../../../harness/factories.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import { halting, type Room } from '../../../support/interventions/classroom.ts';
import { oneNeed } from '../../../support/rti/rti-world.ts';
import { useGrown } from '../grown.ts';

const world = useGrown(test);
const { owner } = world.app.database;
/** The contract's events of a sub-skill and its domain that have risen. */
const risen = ['skill_status_transition DEC_WORD', 'domain_status_escalation DEC'];
const ledgers = ['mastery_event', 'xp_transaction', 'student_badge', 'reward_celebration'];

test.before.each(() => world.app.clock.set('2026-01-15T08:00:00.000Z'));

const waiting = ({ id: studentId }: UserRow) => owner('mastery_candidate').where({ studentId });

async function classOf(count: number): Promise<{ readonly room: Room; readonly students: readonly UserRow[] }> {
  const room = await world.room();
  const students: UserRow[] = [];
  for (let at = 0; at < count; at += 1) students.push(await world.student(room));
  return { room, students };
}

/** All of them have become better; the jobs that will source it. */
async function toEvaluate(students: readonly UserRow[]): Promise<Job[]> {
  await world.grow(students, oneNeed);
  world.days(20);
  await world.measure(students, { DEC_WORD: 'CCCCCCCC' });
  return world.relay();
}

const source = ({ room: { organizationId } }: { readonly room: Room }, students: readonly UserRow[]) =>
  serveMastery(
    world.services,
    organizationId,
    students.map(({ id }) => id),
  );

/** Of a student: how many rows each ledger has. */
const rowsOf = (student: UserRow) =>
  Promise.all(ledgers.map(async (table) => (await world.rows(table, student)).length));

test('a job holds fifty students at most, and its statements do not grow with them', async () => {
  const [few, many] = [await classOf(2), await classOf(52)];
  await world.source(await toEvaluate(few.students));
  const jobs = await toEvaluate(many.students);
  assert.equal(
    jobs.map(({ data }) => String(data.studentIds).split(',').length),
    [50, 2],
  );
  const counts: number[] = [];
  for (const job of jobs) {
    const sent = await sentStatements(world.services.db, () => world.source([job]));
    counts.push(sent.length);
  }
  assert.is(counts[0], counts[1], 'fifty cost as many statements as two');
  assert.ok((counts[0] ?? 0) <= 20, String(counts[0]));
  for (const student of many.students) {
    assert.equal(await world.kinds(student), risen);
    assert.equal(await rowsOf(student), [2, 4, 2, 0]);
    assert.equal(await waiting(student), []);
  }
});

test('one whose growth cannot be booked: all others get theirs, and it is tried alone and put aside', async () => {
  const { room, students } = await classOf(6);
  const [jobs, broken] = [await toEvaluate(students), students[2] as UserRow];
  const others = students.filter((one) => one !== broken);
  await owner.raw(`create function refuse_one() returns trigger language plpgsql as $$ begin
      if new.student_id = ${broken.id} then raise exception 'broken'; end if; return new; end $$;
    create trigger refuse_one before insert on xp_transaction for each row execute function refuse_one()`);
  await world.source(jobs);
  for (const student of others) {
    assert.equal([await world.kinds(student), await waiting(student)], [risen, []]);
  }
  assert.equal(await rowsOf(broken), [0, 0, 0, 0], 'nothing of it stays');
  const tries = async () => (await waiting(broken)).map(({ attempts, lastError }) => [attempts, lastError]);
  assert.equal(await tries(), [[1, 'database P0001']], 'once, though it was tried with others first');
  for (let again = 2; again <= 10; again += 1) {
    world.app.clock.advance(3_601_000);
    await source({ room }, students);
    assert.is((await tries())[0]?.[0], again);
  }
  assert.ok((await waiting(broken))[0].parkedAt);
  const alerts = await owner('platform_alert').where({ code: 'MASTERY_PARKED' });
  assert.equal(
    alerts.map(({ studentId }) => studentId),
    [broken.id],
  );
  await owner.raw('drop trigger refuse_one on xp_transaction; drop function refuse_one()');
  for (const student of others) assert.equal(await rowsOf(student), [2, 4, 2, 0]);
});

test('batches that overlap, in any order and at once: each growth once', async () => {
  const { room, students } = await classOf(12);
  await toEvaluate(students);
  await Promise.all([
    source({ room }, students.slice(0, 8)),
    source({ room }, students.slice(4).toReversed()),
    source({ room }, students),
    source({ room }, students.toReversed()),
  ]);
  for (const student of students) {
    assert.equal([await world.kinds(student), await waiting(student)], [risen, []]);
    assert.equal(await rowsOf(student), [2, 4, 2, 0]);
  }
});

test('students with a pending recompute, a halt or an erasure do not delay the batch', async () => {
  const { room, students } = await classOf(5);
  await toEvaluate(students);
  const [pending, erased, halted, ...free] = students as [UserRow, UserRow, UserRow, ...UserRow[]];
  await world.measure([halted], halting);
  const { organizationId } = room;
  const asked = { requestedSeq: 9, processedSeq: 8, requestedAt: world.app.clock.now(), trigger: 'orf_scored' };
  await owner('sse_recompute_request')
    .insert({ organizationId, studentId: pending.id, ...asked })
    .onConflict(['organizationId', 'studentId'])
    .merge();
  await owner('app_user').where({ id: erased.id }).update({ status: 'deleted' });
  await source({ room }, students);
  for (const student of free) assert.equal([await world.kinds(student), await waiting(student)], [risen, []]);
  assert.equal([await world.kinds(pending), (await waiting(pending)).length], [[], 1]);
  for (const one of [erased, halted]) assert.equal([await world.kinds(one), await waiting(one)], [[], []]);
});

test('facts of a year evaluated together: a regained status earns once, as in single evaluation', async () => {
  const { room, students } = await classOf(2);
  const [right, wrong] = [{ DEC_WORD: 'CCCCCCCC' }, { DEC_WORD: 'UUUUUUUU' }];
  for (const letters of [oneNeed, right, wrong, wrong, right, right, right]) {
    await world.measure(students, letters);
    world.days(20);
  }
  await world.relay();
  for (const student of students) assert.is((await waiting(student)).length, 7);
  await source({ room }, students);
  for (const student of students) {
    const reported = (await world.events(student)).map(({ sourceKind, reached }) => [sourceKind, reached]);
    assert.equal(reported, [
      ['skill_status_transition', 'monitor_gateway'],
      ['domain_status_escalation', 'monitor_gateway'],
      ['skill_status_transition', 'adequate'],
      ['domain_status_escalation', 'adequate'],
    ]);
  }
});

test.run();
