// Scores that hardly any child reaches are asked for once more; one slip of a finger is a wrong baseline for a school year.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cbmRules } from '#assessment/measurement/fluency/engine/cbm-rules.ts';
import { isImplausible } from '#assessment/measurement/fluency/engine/plausibility.ts';
import { loadRules } from '#rules/rulesets/files.ts';
import { pinBundle } from '#rules/rulesets/index.ts';
import { buildClass, buildStudent, buildTeacher, type ClassRow, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld } from '../../../harness/world.ts';
import { bundle } from './series.ts';
import { detailOf, teacher, timeUp } from './teacher.ts';

const test = suite('plausible scores');
const app = useApp(test);
const { owner } = app.database;
let classRow: ClassRow;
let teacherRow: UserRow;
let hands: ReturnType<typeof teacher>;

test.before(async () => {
  const { own } = await buildWorld(app);
  const { organizationId, school } = own;
  classRow = await buildClass(owner, { organizationId, schoolId: school.id, grade: 2, name: '2P' });
  teacherRow = await buildTeacher(owner, classRow);
  hands = teacher(app, teacherRow);
});

test.before.each(() => app.clock.set('2025-11-05T08:00:00.000Z'));

const newStudent = (): Promise<UserRow> => buildStudent(owner, classRow);

interface Paper {
  readonly words: number;
  readonly seconds?: number;
  readonly on?: string;
  readonly passage?: number;
  readonly confirmed?: boolean;
}

const onPaper = (
  { id: studentId }: UserRow,
  { words, seconds = 60, on = '2025-11-05', passage = 1, confirmed }: Paper,
) =>
  hands.probe({
    ...{ studentId, passageId: `ORF-G2-0${passage}`, administeredOn: on, wordsAttempted: words, errors: 0 },
    elapsedSeconds: seconds,
    ...(confirmed !== undefined && { confirmed }),
  });

async function opened(student: UserRow) {
  const { body, status } = await hands.start({ studentId: student.id });
  assert.is(status, 201, JSON.stringify(body));
  return { id: body.assessmentId, last: body.passage.words.length - 1 };
}

const refusal = ({ status, body }: { status: number; body: unknown }) => {
  const { field, issue } = detailOf(body) ?? {};
  return [status, field, issue];
};
const implausible = [422, 'confirmed', 'implausible'];
const confirmedOf = async (table: string, studentId: number): Promise<boolean[]> =>
  (await owner(table).where({ studentId }).orderBy('id')).map(({ confirmed }) => confirmed);

test('CBM-PLS-01, CBM-PLS-02: 250 words a minute, and 60 above the newest earlier score; both ends are plausible', () => {
  const { plausible } = cbmRules(bundle);
  assert.equal(plausible, { highest: 250, highestGain: 60 });
  const cases: [number, number | null, boolean][] = [
    [250, null, false],
    [250.0001, null, true],
    [80, 20, false],
    [80.0001, 20, true],
    [251, 250, true],
    [3, 80, false],
    [70.3, 10.3, false],
  ];
  for (const [score, earlier, expected] of cases) {
    assert.is(isImplausible(plausible, score, earlier), expected, `${score} after ${earlier}`);
  }
});

test('version 1 has no bounds: what was measured under it stays as it was', async () => {
  const documents = (await loadRules('rules')).flatMap(({ id, document }) => (id === 'cbm/trend@1' ? [document] : []));
  const { plausible } = cbmRules(pinBundle(documents));
  assert.is(plausible, null);
  assert.is(isImplausible(plausible, 24_000, 1), false);
});

test('stop: 600 words a minute are refused, and the reading stays open; confirmed they are scored and say so', async () => {
  const student = await newStudent();
  const { id, last } = await opened(student);
  const fast = { reason: 'finished_early', elapsedSeconds: 6, lastWordIndex: last };
  assert.equal(refusal(await hands.stop(id, fast)), implausible);
  assert.equal(refusal(await hands.stop(id, { ...fast, confirmed: false })), implausible);
  assert.is((await owner('orf_assessment').where({ id }).first('status')).status, 'OPEN');
  const done = await hands.stop(id, { ...fast, confirmed: true });
  assert.is(done.status, 200, JSON.stringify(done.body));
  assert.equal(await confirmedOf('orf_assessment', student.id), [true]);
  assert.equal(await hands.stop(id, { ...fast, confirmed: true }), done, 'the same body again');
  assert.equal(refusal(await hands.stop(id, fast)).slice(0, 1), [409], 'another body');
  const probe = await hands.probe({ studentId: student.id, orfAssessmentId: id });
  assert.is(probe.status, 201, 'a probe of a confirmed reading asks no more');
  assert.equal(await confirmedOf('cbm_probe', student.id), [true]);
});

test('stop: a reading that has no score is not asked for', async () => {
  const { id, last } = await opened(await newStudent());
  const aborted = await hands.stop(id, { reason: 'teacher_stop', elapsedSeconds: 1, lastWordIndex: last });
  assert.equal([aborted.status, aborted.body.status], [200, 'INVALID']);
});

test('probe on paper: more words than the passage has are refused, confirmed or not', async () => {
  const student = await newStudent();
  const { last } = await opened(student);
  for (const more of [{}, { confirmed: true }]) {
    const reply = await onPaper(student, { words: last + 2, ...more });
    assert.equal(refusal(reply).slice(0, 2), [422, 'wordsAttempted']);
    assert.is.not(detailOf(reply.body)?.issue, 'implausible');
  }
  const whole = await onPaper(student, { words: last + 1, seconds: 60 });
  assert.is(whole.status, 201, JSON.stringify(whole.body));
});

test('probe on paper: a minute entered as a second', async () => {
  const student = await newStudent();
  assert.equal(refusal(await onPaper(student, { words: 20, seconds: 1 })), implausible);
  assert.equal(await confirmedOf('cbm_probe', student.id), []);
  const sure = await onPaper(student, { words: 20, seconds: 1, confirmed: true });
  assert.equal([sure.status, sure.body.score], [201, 1200]);
  assert.equal(await confirmedOf('cbm_probe', student.id), [true]);
});

test('the gain is on the newest earlier score of the same forms: marked or on paper, of the day or before', async () => {
  const student = await newStudent();
  await onPaper(student, { words: 10, on: '2025-10-01' });
  await onPaper(student, { words: 45, on: '2025-10-20', passage: 2 });
  const gain = (words: number, seconds: number, on: string) =>
    onPaper(student, { ...{ words, seconds, on, passage: 3 } });
  assert.equal(refusal(await gain(50, 28, '2025-10-30')), implausible, '107.14 is 62.14 above 45');
  assert.is((await gain(50, 29, '2025-10-30')).status, 201, '103.45 is 58.45 above it');
  assert.equal(refusal(await gain(50, 40, '2025-10-10')), implausible, 'later scores do not count: 75 after 10');
  assert.is((await gain(50, 50, '2025-10-10')).status, 201);

  const { id, last } = await opened(student);
  const stopped = await hands.stop(id, { reason: 'finished_early', elapsedSeconds: 25, lastWordIndex: last });
  assert.is(stopped.status, 200, 'after 103.45');
  app.clock.advance(60_000);
  const again = await opened(student);
  assert.equal((await hands.stop(again.id, timeUp(14))).body.wcpm, 15);
  assert.equal(refusal(await gain(50, 36, '2025-11-05')), implausible, '83.33 after 15 of the same day');
});

test('a voided score is no earlier one', async () => {
  const student = await newStudent();
  const first = await onPaper(student, { words: 2, on: '2025-10-20' });
  assert.equal(refusal(await onPaper(student, { words: 50, seconds: 45, passage: 2 })), implausible);
  await owner('evidence_void').insert({
    ...{
      organizationId: student.organizationId,
      studentId: student.id,
      kind: 'cbm',
      refId: String(first.body.probeId),
    },
    ...{ reasonCode: 'wrong_student', at: app.clock.now(), byUserId: teacherRow.id },
  });
  assert.is((await onPaper(student, { words: 50, seconds: 45, passage: 2 })).status, 201);
});

test('scores of another child, of another school year and of other forms are none to compare with', async () => {
  const [one, other] = [await newStudent(), await newStudent()];
  await onPaper(one, { words: 2, on: '2025-10-20' });
  assert.is((await onPaper(other, { words: 50, seconds: 45 })).status, 201, 'another child');
  app.clock.set('2026-09-06T08:00:00.000Z');
  const { organizationId, schoolId } = classRow;
  const ofNextYear = { organizationId, schoolId, grade: 2, name: '2N', academicYear: '2026-2027' };
  const { id: classId } = await buildClass(owner, ofNextYear);
  await owner('class_teacher').insert({ organizationId, classId, teacherUserId: teacherRow.id, role: 'PRIMARY' });
  await owner('enrollment').where({ organizationId, studentId: one.id }).update({ classId });
  const nextYear = await onPaper(one, { words: 50, seconds: 45, on: '2026-09-06' });
  assert.is(nextYear.status, 201, 'another school year');
  app.clock.set('2025-11-05T08:00:00.000Z');
  const third = await newStudent();
  await owner('orf_assessment').insert({
    ...{ id: 'tz4a98xxat96iws9zmbrgj3a', organizationId: third.organizationId, studentId: third.id, status: 'SCORED' },
    ...{ grade: 1, season: 'BOY', schoolYear: '2025-2026', passageId: 'ORF-G1-01', passagesVersion: 2 },
    ...{ benchmarkKey: 'orf-wcpm-global-g1-boy', benchmarkVersion: 1, startedAt: '2025-10-01T08:00:00.000Z' },
    ...{ stoppedAt: '2025-10-01T08:01:00.000Z', readOn: '2025-10-01', stopReason: 'time_up', elapsedSeconds: 60 },
    ...{ lastWordIndex: 1, verdict: 'not_assessed', wcpm: 2, accuracy: 1, wordsAttempted: 2, wordsCorrect: 2 },
    ...{ errors: 0, selfCorrections: 0 },
  });
  assert.is((await onPaper(third, { words: 50, seconds: 45 })).status, 201, 'forms of grade 1');
});

test('a nought too many on the first days does not become the baseline', async () => {
  const student = await newStudent();
  assert.is((await onPaper(student, { words: 16, on: '2025-10-05' })).status, 201);
  assert.equal(refusal(await onPaper(student, { words: 50, seconds: 20, on: '2025-10-06', passage: 2 })), implausible);
});

test.run();
