// What runs mint: statuses that have risen by a new measurement, once, and nothing that anything else has moved.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';
import { putInForce } from '../../../backoffice/workbench/next-version.ts';
import type { UserRow } from '../../../harness/factories.ts';
import { halting } from '../../../support/interventions/classroom.ts';
import { allRight, oneNeed } from '../../../support/rti/rti-world.ts';
import { useGrown } from '../grown.ts';

const world = useGrown(test);
const { owner } = world.app.database;

const onlyWords = { DEC_WORD: 'CCCCCCCC' };
const wordsWrong = { DEC_WORD: 'UUUUUUUU' };

test.before.each(() => world.app.clock.set('2026-01-15T08:00:00.000Z'));

/** Kind, code and what was reached. */
const reported = async (student: UserRow) =>
  (await world.events(student)).map(({ sourceKind, subSkillCode, domainCode, reached }) => [
    ...[sourceKind, subSkillCode ?? domainCode, reached],
  ]);
const rises = [
  ['skill_status_transition', 'DEC_WORD', 'monitor_gateway'],
  ['domain_status_escalation', 'DEC', 'monitor_gateway'],
];
const waiting = async ({ id: studentId }: UserRow) => (await owner('mastery_candidate').where({ studentId })).length;

test('a sub-skill and then its domain are recorded once, with XP, badges and the moment of their session', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.grow([student], oneNeed);
  assert.equal(await reported(student), [], 'a first decided row mints nothing');
  world.days(20);
  const finishedAt = world.app.clock.now().toISOString();
  await world.measure([student], onlyWords, finishedAt);
  world.app.clock.advance(3 * 60 * 60 * 1000);
  const jobs = await world.relay();
  await Promise.all([world.source(jobs), world.source(jobs), world.source([...jobs, ...jobs])]);
  assert.equal(await reported(student), rises);
  const [first, second] = await world.events(student);
  const [session] = await owner('diagnostic_session').where({ studentId: student.id }).orderBy('finishedAt', 'desc');
  for (const event of [first, second]) {
    assert.equal(
      [event?.sessionKey, event?.occurredAt, event?.localDate, event?.recordedAt, event?.ruleVersion],
      [`diagnostic:${session.id}`, finishedAt, '2026-02-04', '2026-02-04T11:00:00.000Z', 'gamification/rewards@1'],
    );
  }
  assert.equal([first?.sourceType, first?.naturalKey], ['skill_snapshot', `DEC_WORD:${first?.sourceId}`]);
  assert.equal([second?.sourceType, second?.naturalKey], ['domain_snapshot', `DEC:${second?.sourceId}`]);
  const xp = (await world.rows('xp_transaction', student)).map(({ masteryEventId, kind, amount }) => [
    ...[masteryEventId, kind, amount],
  ]);
  const [one, two] = [first?.id, second?.id];
  assert.equal(xp, [
    [one, 'credit', 20],
    [one, 'badge_bonus', 10],
    [two, 'credit', 50],
    [two, 'badge_bonus', 10],
  ]);
  const badges = (await world.rows('student_badge', student)).map(({ code }) => code);
  assert.equal(badges, ['first_step', 'new_bloom']);
  assert.is(await waiting(student), 0);
});

test('a regained status earns once, and a higher one earns more', async () => {
  const room = await world.room();
  const student = await world.student(room);
  for (const letters of [oneNeed, onlyWords, wordsWrong, wordsWrong, onlyWords, onlyWords, onlyWords]) {
    await world.grow([student], letters);
    world.days(20);
  }
  const words = (await reported(student)).filter(([kind]) => kind === 'skill_status_transition');
  assert.equal(words, [
    ['skill_status_transition', 'DEC_WORD', 'monitor_gateway'],
    ['skill_status_transition', 'DEC_WORD', 'adequate'],
  ]);
  const domain = (await reported(student)).filter(([kind]) => kind === 'domain_status_escalation');
  assert.equal(
    domain,
    words.map(([, , reached]) => ['domain_status_escalation', 'DEC', reached]),
  );
});

test('layer A that was lost and regained pays once', async () => {
  const room = await world.room();
  const student = await world.student(room);
  const well = [onlyWords, onlyWords, onlyWords, onlyWords];
  for (const letters of [oneNeed, ...well, wordsWrong, wordsWrong, wordsWrong, ...well]) {
    await world.grow([student], letters);
    world.days(10);
  }
  const states = await owner('skill_state').where({ studentId: student.id, subSkillCode: 'DEC_WORD' }).orderBy('id');
  assert.equal(
    states.map(({ state }) => state),
    ['monitoring', 'on_track', 'monitoring', 'on_track'],
  );
  const ups = (await reported(student)).filter(([kind]) => kind === 'subskill_state_up');
  assert.equal(ups, [['subskill_state_up', 'DEC_WORD', 'on_track']]);
});

test('a student who is halted gets nothing, and nothing of it later', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.grow([student], oneNeed);
  world.days(20);
  await world.grow([student], { ...onlyWords, ...halting });
  assert.equal(await reported(student), []);
  assert.is(await waiting(student), 0, 'what a halt holds back is dropped');
  world.days(20);
  await world.grow([student], { LK_FORM: 'CCCCCC' });
  assert.equal(await reported(student), []);
});

test('a fact waits for the pending recompute, and is evaluated by the newest run', async () => {
  const room = await world.room();
  const [slow, halted] = [await world.student(room), await world.student(room)];
  await world.grow([slow, halted], oneNeed);
  world.days(20);
  await world.measure([slow, halted], onlyWords);
  const jobs = await world.relay();
  const asked = { requestedSeq: 9, processedSeq: 8, requestedAt: world.app.clock.now(), trigger: 'orf_scored' };
  await owner('sse_recompute_request')
    .insert([slow, halted].map(({ id: studentId, organizationId }) => ({ organizationId, studentId, ...asked })))
    .onConflict(['organizationId', 'studentId'])
    .merge();
  await world.source(jobs);
  assert.equal([await reported(slow), await waiting(slow)], [[], 1]);
  await world.measure([halted], halting);
  await owner('sse_recompute_request')
    .whereIn('studentId', [slow.id, halted.id])
    .update({ processedSeq: owner.ref('requestedSeq') });
  await world.source([...jobs, ...(await world.relay())]);
  assert.equal([await reported(slow), await waiting(slow)], [rises, 0]);
  assert.equal([await reported(halted), await waiting(halted)], [[], 0]);
});

test('a state of layer A is recorded when a new session caused it', async () => {
  const room = await world.room();
  const student = await world.student(room);
  for (const letters of [oneNeed, allRight, onlyWords, onlyWords]) {
    await world.grow([student], letters);
    world.days(20);
  }
  const ups = (await reported(student)).filter(([kind]) => kind === 'subskill_state_up');
  assert.equal(ups, [['subskill_state_up', 'DEC_WORD', 'on_track']]);
});

const newThresholds: Readonly<Record<string, number>> = { 'DTH-DEF-01': 0.7, 'DTH-DEF-02': 0.8, 'DTH-DEF-03': 0.9 };

/** The next version, by which what was half wrong is well: constants and the leaves that name them. */
function lenient(document: RuleDocument): RuleDocument {
  const next = JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === 'meta') return { ...value, version: value.version + 1 };
    if (newThresholds[key] !== undefined) return { ...value, value: newThresholds[key] };
    const threshold = newThresholds[value?.valueRef];
    return threshold === undefined ? value : { ...value, value: threshold };
  });
  return next as RuleDocument;
}

test('rules that lift a whole school mint nothing, and are what the next session is compared with', async () => {
  const room = await world.room();
  const students = [await world.student(room), await world.student(room), await world.student(room)];
  await world.grow(students, oneNeed);
  world.days(20);
  const documents = [bundle.table('bnd/bnd').document, bundle.table('esc/esc').document, bundle.values('dth/dth')];
  await putInForce(world.app, ...documents.map((one) => lenient(one as RuleDocument)));
  const ids = students.map(({ id }) => id);
  await recomputeStudents(world.services, room.organizationId, ids, 'rule_activation');
  await world.source(await world.relay());
  for (const student of students) {
    const rows = await owner('sse_skill_snapshot')
      .where({ studentId: student.id, subSkillCode: 'DEC_WORD' })
      .orderBy('id');
    assert.equal(
      rows.map(({ status }) => status),
      ['weak_gateway', 'adequate'],
      'the rules did lift it',
    );
    assert.equal([await reported(student), await waiting(student)], [[], 0]);
  }
  world.days(1);
  await world.grow(students, onlyWords);
  // The second session in a row that is well: layer A goes up, the status was there before.
  for (const student of students)
    assert.equal(await reported(student), [['subskill_state_up', 'DEC_WORD', 'on_track']]);
});

test.run();
