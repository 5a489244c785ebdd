// 60 §1, band_progression: the verdict of a scored reading against the newest earlier one of the school year, over HTTP and
// through everything that follows from a reading. Cuts of grade 2: 6, 12, 18 words in autumn, 9, 17, 25 in winter.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { teacher, timeUp } from '../../../assessment/measurement/fluency/teacher.ts';
import type { UserRow } from '../../../harness/factories.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { owner } = world.app.database;
const autumn = '2025-10-05T08:00:00.000Z';
const winter = '2026-01-15T08:00:00.000Z';

const bands = async (student: UserRow) => (await world.minted(student)).filter(([kind]) => kind === 'band_progression');
const band = (assessmentId: string, reached: string) => [
  ...['band_progression', `ORF_WCPM:${assessmentId}`, 'orf_assessment', assessmentId, `orf:${assessmentId}`, reached],
];
async function pupil() {
  const room = await world.room();
  const student = await world.student(room);
  const read = async (words: number, passageId?: string) => {
    const id = await world.read(room, student, words, passageId);
    await world.settle();
    return id;
  };
  return { room, student, read };
}

test.before.each(() => world.app.clock.set(winter));

test('a first verdict mints nothing, a better one does, also by two steps, a worse or equal one does not', async () => {
  const { student, read } = await pupil();
  await read(10);
  assert.equal(await bands(student), [], 'below, and the first');
  world.days(20);
  const stoppedAt = world.app.clock.now().toISOString();
  const meets = await read(25);
  assert.equal(await bands(student), [band(meets, 'meets')], 'approaching is passed over');
  const [event] = (await world.events(student)).filter(({ sourceKind }) => sourceKind === 'band_progression');
  assert.equal(
    [event?.occurredAt, event?.localDate, event?.schoolYear, event?.subSkillCode, event?.domainCode],
    [stoppedAt, '2026-02-04', '2025-2026', null, null],
  );
  const [credit] = (await world.rows('xp_transaction', student)).filter(
    ({ masteryEventId, kind }) => masteryEventId === event?.id && kind === 'credit',
  );
  assert.equal([credit?.amount, credit?.sessionKey], [40, `orf:${meets}`]);
  for (const words of [25, 17]) {
    world.days(20);
    await read(words);
  }
  assert.equal(await bands(student), [band(meets, 'meets')]);
  assert.is(await world.waiting(student), 0);
});

test('the newest earlier verdict counts, so that a repeated improvement is recorded twice', async () => {
  const { student, read } = await pupil();
  await read(17);
  world.days(20);
  const up = await read(25);
  world.days(20);
  await read(17);
  world.days(20);
  const again = await read(25);
  assert.equal(await bands(student), [band(up, 'meets'), band(again, 'meets')]);
});

test('stored verdicts are compared across seasons, and not across school years', async () => {
  const { student, read } = await pupil();
  world.app.clock.set(autumn);
  await read(12);
  world.app.clock.set(winter);
  await read(17);
  assert.equal(await bands(student), [], 'approaching by the cuts of either season');
  world.days(20);
  const meets = await read(25);
  assert.equal(await bands(student), [band(meets, 'meets')]);
  const rows = await owner('orf_assessment').where({ studentId: student.id }).orderBy('stoppedAt');
  assert.equal(
    rows.map(({ season }) => season),
    ['BOY', 'MOY', 'MOY'],
  );
  const fallen = await pupil();
  await fallen.read(10);
  world.app.clock.set('2026-10-05T08:00:00.000Z');
  await owner('class').where({ id: fallen.room.classRow.id }).update({ academicYear: '2026-2027' });
  await fallen.read(40);
  assert.equal(await bands(fallen.student), [], 'the first of its year');
});

test('a reading without a verdict is skipped: the verdict before it is compared', async () => {
  const { room, student, read } = await pupil();
  await read(10);
  world.days(20);
  const hands = teacher(world.app, room.teacher);
  const broken = (await hands.start({ studentId: student.id })).body.assessmentId;
  const { body } = await hands.stop(broken, { ...timeUp(1), reason: 'teacher_stop' });
  await world.settle();
  world.days(20);
  const better = await read(17);
  assert.equal(await bands(student), [band(better, 'approaching')], `between them: ${body.status} ${body.verdict}`);
});

test('a passage that was read in the 28 days before, aloud or on paper, mints nothing; after 29 days it does', async () => {
  const rereads: readonly (readonly [number, boolean])[] = [
    [28, false],
    [29, true],
  ];
  for (const [days, isReported] of rereads) {
    const { student, read } = await pupil();
    await read(10, 'ORF-G2-01');
    world.days(days);
    const again = await read(25, 'ORF-G2-01');
    assert.equal(await bands(student), isReported ? [band(again, 'meets')] : [], `aloud ${days} days before`);
    world.app.clock.set(winter);
    const other = await pupil();
    await other.read(10, 'ORF-G2-02');
    await world.probe(other.room, other.student, '2026-01-15', 12, 'ORF-G2-01');
    world.days(days);
    const later = await other.read(25, 'ORF-G2-01');
    assert.equal(await bands(other.student), isReported ? [band(later, 'meets')] : [], `on paper ${days} days before`);
    world.app.clock.set(winter);
  }
});

test('a probe from paper has no verdict: it mints nothing and is compared with nothing', async () => {
  const { room, student, read } = await pupil();
  await read(10);
  world.days(20);
  await world.probe(room, student, '2026-02-04', 40, 'ORF-G2-05');
  await world.settle();
  assert.equal(await bands(student), []);
  world.days(20);
  const better = await read(17, 'ORF-G2-06');
  assert.equal(await bands(student), [band(better, 'approaching')]);
});

test('a reading that contradicts the one before it halts the student: it mints nothing, and nothing of it later', async () => {
  const { student, read } = await pupil();
  await read(5);
  world.days(3);
  await read(25);
  const run = await owner('sse_run').where({ studentId: student.id }).orderBy('seq', 'desc').first();
  assert.is(run.halted, true, 'two readings of equal weight that say opposite things');
  assert.equal([await world.minted(student), await world.waiting(student)], [[], 0]);
  world.days(30);
  await read(25);
  const after = await owner('sse_run').where({ studentId: student.id }).orderBy('seq', 'desc').first();
  assert.equal([after.halted, await bands(student)], [false, []], 'as good as the one that was held back');
});

test.run();
