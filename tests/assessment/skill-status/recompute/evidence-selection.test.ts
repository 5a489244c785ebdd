// Evidence of a student: which sessions and responses count, and the facts derived from them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { answersOf, testBanks } from '../evidence.ts';
import { useShell } from '../shell.ts';

const test = suite('evidence of a run');
const shell = useShell(test);
const { app, services } = shell;

const january = (day: number) => `2026-01-${String(day).padStart(2, '0')}T07:00:00.000Z`;

interface Cautioned {
  readonly facts: { readonly behaviourCaution: boolean };
  readonly pacRuleId: string;
}

test.before.each(() => app.clock.set(january(15)));

test('facts come from the pinned items, the clamped times and the behaviour log', async () => {
  const student = await shell.student();
  const answers = answersOf({ DEC_WORD: 'CLQA', VOC_MEANING: 'U!U!EC' });
  await shell.diagnostic(student, answers, { finishedAt: january(10) });
  await shell.recompute(student);
  const codes = await shell.rows<{ code: string }>('sse_response_code', student);
  assert.equal(
    codes.map(({ code }) => code),
    [
      ...['CORRECT_SECURE', 'CORRECT_SLOW', 'ERROR_PREREQUISITE', 'ERROR_ACCURACY_MARK'],
      ...['ERROR_UNSPECIFIC', 'ERROR_UNSPECIFIC', 'ERROR_AFTER_EFFORT', 'CORRECT_SECURE'],
    ],
  );
  const [, vocabulary] = await shell.rows<Cautioned>('sse_skill_snapshot', student);
  assert.is(vocabulary?.facts.behaviourCaution, true);
  assert.is(vocabulary?.pacRuleId, 'PAC-10');
});

test('a new school year begins on 1 August of the organization and excludes the evidence of the last', async () => {
  const student = await shell.student();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt: '2026-07-31T20:59:59.999Z' });
  app.clock.set('2026-07-31T20:59:59.999Z');
  await shell.recompute(student);
  app.clock.set('2026-07-31T21:00:00.000Z');
  await shell.recompute(student);
  const runs = await shell.rows<{ schoolYear: string; evaluatedSubSkills: string[]; windowFrom: string }>(
    'sse_run',
    student,
  );
  assert.equal(
    runs.map(({ schoolYear, evaluatedSubSkills }) => `${schoolYear} ${evaluatedSubSkills}`),
    ['2025-2026 LK_SOUND', '2026-2027 '],
  );
  assert.is(runs[1]?.windowFrom, '2026-07-31T21:00:00.000Z', 'midnight in Riyadh');
});

test('only the newest three sessions of a sub-skill count (DTH-WIN-01)', async () => {
  const student = await shell.student();
  for (const day of [1, 2, 3, 4]) {
    const letters = day === 1 ? 'UUUUU' : 'CCCC';
    await shell.diagnostic(student, answersOf({ LK_SOUND: letters }, day * 5), { finishedAt: january(day) });
  }
  await shell.recompute(student);
  const [skill] = await shell.rows<{ status: string; facts: { sessionCount: number } }>('sse_skill_snapshot', student);
  assert.is(skill?.status, 'adequate');
  assert.is(skill?.facts.sessionCount, 3);
});

test('sessions that are not finished, and those after the moment of the run, are no evidence', async () => {
  const student = await shell.student();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt: january(16) });
  await shell.recompute(student);
  const [run] = await shell.rows<{ evaluatedSubSkills: string[] }>('sse_run', student);
  assert.equal(run?.evaluatedSubSkills, []);
});

test('another grade is another run; a sub-skill beyond the grade stays in scope with enough items', async () => {
  const student = await shell.student({ grade: 1 });
  await shell.diagnostic(student, answersOf({ LK_NAME: 'CCCC', PA_RHYME: 'CCC' }), { finishedAt: january(10) });
  await shell.recompute(student);
  await app.database.owner('class').where({ id: student.classRow.id }).update({ grade: 4 });
  await shell.recompute(student);
  const runs = await shell.rows<{ grade: number; evaluatedSubSkills: string[] }>('sse_run', student);
  assert.equal(
    runs.map(({ grade, evaluatedSubSkills }) => [grade, ...evaluatedSubSkills]),
    [
      [1, 'PA_RHYME', 'LK_NAME'],
      [4, 'LK_NAME'],
    ],
  );
});

test('a withdrawn item does not count from its withdrawal on', async () => {
  const student = await shell.student();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCCU' }), { finishedAt: january(10) });
  const banks = testBanks(new Map([['LK_SOUND-005', january(12)]]));
  const recomputeAt = async (day: number) => {
    app.clock.set(january(day));
    await recomputeStudents({ ...services, itemBanks: banks }, student.organizationId, [student.id]);
  };
  await recomputeAt(11);
  await recomputeAt(12);
  const codes = await shell.rows<{ code: string }>('sse_response_code', student);
  assert.is(codes[4]?.code, 'ERROR_UNSPECIFIC');
  assert.is(codes[9]?.code, 'VOID_NOT_ANALYSABLE');
});

test('the rows mark sub-skills with provisionally calibrated items', async () => {
  const student = await shell.student();
  const options = { finishedAt: january(10), provisional: false };
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), options);
  await shell.diagnostic(student, answersOf({ DEC_WORD: 'CCCC' }), { finishedAt: january(11), provisional: true });
  await shell.recompute(student);
  const skills = await shell.rows<{ calibrationProvisional: boolean }>('sse_skill_snapshot', student);
  assert.equal(
    skills.map(({ calibrationProvisional }) => calibrationProvisional),
    [false, true],
  );
});

test('a student without any class has no grade: the request is served without a run', async () => {
  const student = await shell.student();
  await inContext(app.database.owner, 'SUPER', (trx) => trx('enrollment').where({ studentId: student.id }).delete());
  await shell.recompute(student);
  assert.is((await shell.rows('sse_run', student)).length, 0);
  assert.is((await shell.request(student))?.processedSeq, 1);
});

test.run();
