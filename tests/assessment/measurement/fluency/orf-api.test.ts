// Oral reading over HTTP: start, mark, stop, and the evidence that follows.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { buildClass, buildStudent, buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { detailOf, teacher, timeUp } from './teacher.ts';

const test = suite('oral reading over HTTP');
const app = useApp(test);
const { owner } = app.database;
const middleOfGrade1 = 'orf-wcpm-global-g1-moy';
const benchmarkProfile = { key: middleOfGrade1, version: shippedVersion(`benchmark/${middleOfGrade1}`) };
let world: World;
let hands: ReturnType<typeof teacher>;

test.before(async () => {
  world = await buildWorld(app);
  hands = teacher(app, world.own.people.TEACHER);
});

/** A new student of the teacher's class of grade 1. */
const newStudent = (): Promise<UserRow> => buildStudent(owner, world.own.classRow);

const outboxOf = (topic: string, studentId: number) =>
  owner('outbox')
    .where({ topic })
    .whereRaw("payload->>'studentId' = ?", [String(studentId)]);

async function opened(student: UserRow, more: object = {}) {
  const { status, body } = await hands.start({ studentId: student.id, ...more });
  assert.is(status, 201, JSON.stringify(body));
  return body;
}

test('start: an open reading with its passage, season and benchmark', async () => {
  const body = await opened(await newStudent());
  assert.is(body.status, 'OPEN');
  assert.is(body.season, 'MOY');
  assert.equal(body.benchmarkProfile, benchmarkProfile);
  assert.is(body.passage.passageId, 'ORF-G1-01');
  assert.ok(body.passage.words.length >= 35);
});

test('start: the least used passage, then the smallest id; an open reading is abandoned', async () => {
  const student = await newStudent();
  const first = await opened(student);
  const second = await opened(student);
  assert.is(second.passage.passageId, 'ORF-G1-02');
  await opened(student, { passageId: 'ORF-G1-03' });
  assert.is((await opened(student)).passage.passageId, 'ORF-G1-04');
  const row = await owner('orf_assessment').where({ id: first.assessmentId }).first('status');
  assert.is(row.status, 'ABANDONED');
  assert.is((await owner('orf_assessment').where({ studentId: student.id, status: 'OPEN' })).length, 1);
  const late = await hands.stop(first.assessmentId, timeUp(3));
  assert.is(late.status, 409);
  assert.is(detailOf(late.body)?.issue, 'abandoned');
});

test('20 starts at once leave one open reading', async () => {
  const student = await newStudent();
  const all = await Promise.all(Array.from({ length: 20 }, () => hands.start({ studentId: student.id })));
  assert.ok(all.every(({ status }) => status === 201));
  assert.is((await owner('orf_assessment').where({ studentId: student.id, status: 'OPEN' })).length, 1);
});

test('start: another grade’s or an unknown passage 422; no class 409', async () => {
  const student = await newStudent();
  for (const passageId of ['ORF-G2-01', 'ORF-G1-99']) {
    const { status, body } = await hands.start({ studentId: student.id, passageId });
    assert.is(status, 422);
    assert.is(detailOf(body)?.field, 'passageId');
  }
  const nowhere = await buildUser(owner, 'STUDENT', { organizationId: world.own.organizationId });
  const { status, body } = await teacher(app, world.own.people.ADMIN).start({ studentId: nowhere.id });
  assert.is(status, 409);
  assert.is(detailOf(body)?.issue, 'no_grade');
});

test('a reading that began with the first version of the passages is completed with it; a new one uses the second', async () => {
  const { assessmentId, passage } = await opened(await newStudent(), { passageId: 'ORF-G1-04' });
  const row = { id: assessmentId };
  assert.is((await owner('orf_assessment').where(row).first('passagesVersion')).passagesVersion, 2);
  assert.is(passage.words[17]?.text, 'الطَّيِّبِ.');
  await owner('orf_assessment').where(row).update({ passagesVersion: 99 });
  assert.is((await hands.stop(assessmentId, timeUp(11))).status, 503, 'its own version is what counts');
  await owner('orf_assessment').where(row).update({ passagesVersion: 1 });
  assert.is((await hands.stop(assessmentId, timeUp(11))).body.wordsAttempted, 12);
});

test('mark and stop: scored by the formula, with the verdict of the pinned benchmark', async () => {
  const student = await newStudent();
  const { assessmentId } = await opened(student);
  const marks = [
    { wordIndex: 1, mark: 'incorrect' },
    { wordIndex: 2, mark: 'omitted' },
    { wordIndex: 3, mark: 'self_corrected' },
    { wordIndex: 30, mark: 'incorrect' },
  ];
  assert.equal((await hands.mark(assessmentId, marks)).body, { marked: 4 });
  await hands.mark(assessmentId, [{ wordIndex: 2, mark: 'correct' }]);
  const stopped = await hands.stop(assessmentId, timeUp(11));
  assert.is(stopped.status, 200);
  assert.equal(stopped.body, {
    assessmentId,
    status: 'SCORED',
    wcpm: 11,
    accuracy: 0.9167,
    wordsAttempted: 12,
    wordsCorrect: 11,
    errors: 1,
    selfCorrections: 1,
    verdict: 'meets',
    season: 'MOY',
    benchmarkProfile,
  });
  const [event, ...others] = await outboxOf('orf.scored', student.id);
  assert.equal(event.payload, { studentId: student.id, assessmentId });
  assert.equal(others, []);
});

test('a repeated stop: an equal body gets an equal answer, another one 409; no mark after the stop', async () => {
  const student = await newStudent();
  const { assessmentId } = await opened(student);
  const first = await hands.stop(assessmentId, timeUp(11));
  app.clock.advance(5_000);
  assert.equal((await hands.stop(assessmentId, timeUp(11))).body, first.body);
  assert.is((await hands.stop(assessmentId, timeUp(12))).status, 409);
  assert.is((await hands.mark(assessmentId, [{ wordIndex: 0, mark: 'correct' }])).status, 409);
  assert.is((await outboxOf('orf.scored', student.id)).length, 1);
});

test('two devices that stop differently: one of them scores', async () => {
  const student = await newStudent();
  const { assessmentId } = await opened(student);
  const stops = await Promise.all([5, 6, 7, 8].map((last) => hands.stop(assessmentId, timeUp(last))));
  assert.equal(stops.map(({ status }) => status).sort(), [200, 409, 409, 409]);
});

test('finished early is prorated; discontinued needs the first line missed; a reading stopped by the teacher has no score', async () => {
  const student = await newStudent();
  const early = await opened(student);
  const lastWordIndex = early.passage.words.length - 1;
  const stopEarly = { reason: 'finished_early', elapsedSeconds: 45, lastWordIndex };
  assert.is((await hands.stop(early.assessmentId, { ...stopEarly, lastWordIndex: 5 })).status, 422);
  assert.is((await hands.stop(early.assessmentId, stopEarly)).body.wcpm, (60 * (lastWordIndex + 1)) / 45);

  const hard = await opened(student);
  const firstLine = hard.passage.words.filter(({ line }) => line === 1).map(({ index }) => index);
  const giveUp = { reason: 'discontinued', elapsedSeconds: 20, lastWordIndex: firstLine.length };
  assert.is(detailOf((await hands.stop(hard.assessmentId, giveUp)).body)?.field, 'reason');
  await hands.mark(
    hard.assessmentId,
    firstLine.map((wordIndex) => ({ wordIndex, mark: 'incorrect' })),
  );
  const { wcpm, accuracy, verdict } = (await hands.stop(hard.assessmentId, giveUp)).body;
  assert.equal([wcpm, accuracy, verdict], [0, 0, 'severe']);

  const broken = await opened(student);
  const { body } = await hands.stop(broken.assessmentId, { ...timeUp(3), reason: 'teacher_stop' });
  assert.equal(
    [body.status, body.wcpm, body.accuracy, body.errors, body.verdict],
    ['INVALID', null, null, null, 'not_assessed'],
  );
  assert.is((await outboxOf('orf.scored', student.id)).length, 2);
});

test('an impossible reading is 422 and changes nothing', async () => {
  const { assessmentId, passage } = await opened(await newStudent());
  const beyond = passage.words.length;
  for (const marks of [[], [{ wordIndex: beyond, mark: 'correct' }], [{ wordIndex: 0, mark: 'good' }]]) {
    assert.is((await hands.mark(assessmentId, marks)).status, 422);
  }
  const bad = [timeUp(beyond), { ...timeUp(3), elapsedSeconds: 30 }, { ...timeUp(3), elapsedSeconds: 61 }, timeUp(-2)];
  for (const body of bad) assert.is((await hands.stop(assessmentId, body)).status, 422);
  assert.is((await owner('orf_mark').where({ assessmentId })).length, 0);
  assert.is((await hands.stop(assessmentId, timeUp(3))).status, 200);
});

test('grade 1 at the beginning of the year has no cut: a score without a verdict', async () => {
  app.clock.set('2025-09-15T08:00:00.000Z');
  const { assessmentId, season } = await opened(await newStudent());
  assert.is(season, 'BOY');
  const { body } = await hands.stop(assessmentId, timeUp(9));
  assert.equal([body.wcpm, body.verdict], [10, 'not_assessed']);
});

test('a scored reading is five units of text fluency in the recompute', async () => {
  app.clock.set('2026-01-20T08:00:00.000Z');
  const classRow = await buildClass(owner, {
    organizationId: world.own.organizationId,
    schoolId: world.own.school.id,
    grade: 2,
  });
  const student = await buildStudent(owner, classRow);
  const admin = teacher(app, world.own.people.ADMIN);
  const { body } = await admin.start({ studentId: student.id });
  // 9 words a minute in grade 2, middle of the year: at the cut of "below", 2 of 5 units wrong.
  assert.is((await admin.stop(body.assessmentId, timeUp(8))).body.verdict, 'below');
  await recomputeStudents(app.services, world.own.organizationId, [student.id], 'orf_scored');
  const [row] = await owner('sse_skill_snapshot').where({ studentId: student.id });
  assert.is(row.subSkillCode, 'FLU_TEXT');
  assert.equal([row.facts.distinctItems, row.facts.rawRate], [5, 0.4]);
  assert.is(row.newestUnitRef, `${body.assessmentId}/${body.assessmentId}#5`);
});

test('a new diagnostic pins the benchmark of its grade and season', async () => {
  const student = await newStudent();
  const token = await signIn(app, student);
  const { body } = await app.post<{ sessionId: string }>('/api/diagnostic-sessions/start', {}, { token });
  const row = await owner('diagnostic_session').where({ id: body.sessionId }).first('pinned');
  assert.equal(row.pinned.benchmarkProfile, benchmarkProfile);
});

test.run();
