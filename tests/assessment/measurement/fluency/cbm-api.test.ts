// Probes over HTTP: series, trend, raw signals, and who may see them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cbmRules } from '#assessment/measurement/fluency/engine/cbm-rules.ts';
import { seriesTrend } from '#assessment/measurement/fluency/engine/trend.ts';
import { buildClass, buildStudent, buildTeacher, type ClassRow, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { bundle } from './series.ts';
import { detailOf, teacher, timeUp } from './teacher.ts';

const test = suite('probes over HTTP');
const app = useApp(test);
const { owner } = app.database;
let world: World;
/** A student of grade 2, whose end-of-year benchmark is 32. */
let classRow: ClassRow;
let teacherRow: UserRow;
let hands: ReturnType<typeof teacher>;

test.before(async () => {
  world = await buildWorld(app);
  const { organizationId, school } = world.own;
  classRow = await buildClass(owner, { organizationId, schoolId: school.id, grade: 2, name: '2C' });
  teacherRow = await buildTeacher(owner, classRow);
  hands = teacher(app, teacherRow);
});

test.before.each(() => app.clock.set('2025-11-05T08:00:00.000Z'));

const newStudent = (): Promise<UserRow> => buildStudent(owner, classRow);

/** A paper probe; the passage is the n-th of grade 2. */
const onPaper = (student: UserRow, administeredOn: string, words: number, passage: number) =>
  hands.probe({
    studentId: student.id,
    passageId: `ORF-G2-0${passage}`,
    administeredOn,
    wordsAttempted: words,
    errors: 0,
    elapsedSeconds: 60,
  });

/** Baseline 14, then three weekly probes. */
async function record(student: UserRow, weekly: readonly number[]) {
  await onPaper(student, '2025-10-05', 14, 1);
  await onPaper(student, '2025-10-06', 12, 2);
  let last = await onPaper(student, '2025-10-08', 15, 3);
  for (const [at, words] of weekly.entries()) {
    last = await onPaper(student, ['2025-10-22', '2025-10-29', '2025-11-05'][at] ?? '', words, 4 + at);
  }
  assert.is(last.status, 201, JSON.stringify(last.body));
  return last.body;
}

const eventsOf = async (studentId: number): Promise<[string, Record<string, unknown>][]> => {
  const rows = await owner('outbox')
    .whereLike('topic', 'cbm.%')
    .whereRaw("payload->>'studentId' = ?", [String(studentId)])
    .orderBy('id');
  return rows.map(({ topic, payload }) => [topic, payload]);
};

test('the worked series over HTTP: 17, 18, 20 is above the goal, and the trend reads the same', async () => {
  const student = await newStudent();
  const answer = await record(student, [17, 18, 20]);
  assert.is(answer.role, 'monitoring');
  assert.is(answer.score, 20);
  const { trend } = answer;
  assert.is(trend.formFamily, 'ORF-G2');
  assert.is(trend.baseline?.score, 14);
  assert.equal(trend.goal, { score: 32, date: '2026-06-15' });
  assert.equal([trend.aimSlopePerWeek, trend.slopePerWeek, trend.trendType], [0.504, 1.5, 'trend_above_goal']);
  assert.equal(
    trend.points.slice(3).map(({ aim }) => aim),
    [15.008, 15.512, 16.016],
  );
  assert.equal((await hands.trend(student.id)).body, trend);
  const [[topic, payload] = [], ...others] = await eventsOf(student.id);
  assert.is(topic, 'cbm.trend_changed');
  assert.is(payload?.trendType, 'trend_above_goal');
  assert.equal(others, []);
});

test('the trend of an earlier day uses the data of that day', async () => {
  const student = await newStudent();
  await record(student, [17, 18, 20]);
  const { body } = await hands.trend(student.id, '&asOf=2025-10-29');
  assert.is(body.trendType, 'insufficient_points');
  assert.is(body.asOf, '2025-10-29');
  assert.is(body.points.length, 5);
});

test('no probe yet: an empty series of the student’s grade', async () => {
  const { status, body } = await hands.trend((await newStudent()).id);
  assert.is(status, 200);
  assert.equal([body.formFamily, body.baseline, body.goal, body.points], ['ORF-G2', null, null, []]);
});

test('each probe stores a trend that can be replayed from its row', async () => {
  const student = await newStudent();
  await record(student, [13, 13, 12]);
  const rows = await owner('cbm_trend').where({ studentId: student.id }).orderBy('id');
  assert.is(rows.length, 6);
  const { input, ...last } = rows.at(-1);
  const again = seriesTrend(input, cbmRules(bundle));
  const trendVersion = shippedVersion('cbm/trend');
  const { trendType, ruleId, slope, aimSlope, slopeError, decisionWeek, ruleVersion } = last;
  assert.equal(
    [trendType, ruleId, slope, aimSlope, slopeError, decisionWeek, ruleVersion],
    [
      again.trendType,
      again.ruleId,
      again.slope,
      again.aimSlope,
      again.slopeError,
      again.decisionWeek,
      `cbm/trend@${trendVersion}`,
    ],
  );
  const goal = 'benchmark/orf-wcpm-global-g2-eoy';
  assert.equal(last.ruleVersions, { [goal]: shippedVersion(goal), 'cbm/trend': trendVersion });
});

test('signals open once while their condition holds, and close once when it fails', async () => {
  const student = await newStudent();
  await record(student, [13, 13, 12]);
  app.clock.set('2025-11-12T08:00:00.000Z');
  await onPaper(student, '2025-11-12', 12, 1);
  const open = (await hands.alerts(`?studentId=${student.id}&status=open`)).body.items;
  assert.equal(open.map(({ kind }) => kind).sort(), ['cbm_below_goal', 'cbm_flat']);
  for (const [day, passage] of [
    ['2025-11-26', 4],
    ['2025-12-03', 5],
  ] as const) {
    app.clock.set(`${day}T08:00:00.000Z`);
    await onPaper(student, day, 40, passage);
  }
  assert.equal((await hands.alerts(`?studentId=${student.id}&status=open`)).body.items, []);
  const closed = (await hands.alerts(`?studentId=${student.id}&status=closed`)).body.items;
  assert.equal(closed.map(({ kind, openedAt, closedAt }) => [kind, openedAt, closedAt]).sort(), [
    ['cbm_below_goal', '2025-11-05T08:00:00.000Z', '2025-11-26T08:00:00.000Z'],
    // One good day does not turn a median of slopes.
    ['cbm_flat', '2025-11-05T08:00:00.000Z', '2025-12-03T08:00:00.000Z'],
  ]);
  const topics = (await eventsOf(student.id)).map(([topic, { kind, trendType }]) => `${topic} ${kind ?? trendType}`);
  assert.equal(topics, [
    'cbm.trend_changed trend_below_goal',
    'cbm.alert_opened cbm_below_goal',
    'cbm.alert_opened cbm_flat',
    'cbm.trend_changed trend_mixed',
    'cbm.alert_closed cbm_below_goal',
    'cbm.alert_closed cbm_flat',
  ]);
});

test('probes that arrive at once are recorded one after the other, and open a signal once', async () => {
  const student = await newStudent();
  await record(student, []);
  const days = ['2025-10-22', '2025-10-23', '2025-10-24'];
  const answers = await Promise.all(days.map((day, at) => onPaper(student, day, 5, 4 + at)));
  assert.equal(
    answers.map(({ status }) => status),
    [201, 201, 201],
  );
  const kinds = (await hands.alerts(`?studentId=${student.id}`)).body.items.map(({ kind }) => kind).sort();
  assert.equal(kinds, ['cbm_acute_drop', 'cbm_below_goal', 'cbm_flat']);
});

test('an assessment becomes one probe, of its own day and score', async () => {
  const student = await newStudent();
  const { body: reading } = await hands.start({ studentId: student.id });
  const input = { studentId: student.id, orfAssessmentId: reading.assessmentId };
  const early = await hands.probe(input);
  assert.is(early.status, 409);
  assert.is(detailOf(early.body)?.issue, 'not_scored');
  await hands.stop(reading.assessmentId, timeUp(24));
  app.clock.set('2025-11-07T08:00:00.000Z');
  const { status, body } = await hands.probe(input);
  assert.is(status, 201);
  assert.equal([body.score, body.administeredOn, body.role], [25, '2025-11-05', 'baseline']);
  const again = await hands.probe(input);
  assert.is(again.status, 409);
  assert.is(detailOf(again.body)?.issue, 'assessment_used');
});

test('the date of a reading is the school’s: 22:30 UTC is the next day in Riyadh', async () => {
  app.clock.set('2025-11-05T22:30:00.000Z');
  const student = await newStudent();
  const { body: reading } = await hands.start({ studentId: student.id });
  await hands.stop(reading.assessmentId, timeUp(24));
  const { body } = await hands.probe({ studentId: student.id, orfAssessmentId: reading.assessmentId });
  assert.is(body.administeredOn, '2025-11-06');
  assert.is(body.trend.asOf, '2025-11-06');
});

test('a passage read in an assessment is not comparable on paper 28 days later', async () => {
  const student = await newStudent();
  const { body: reading } = await hands.start({ studentId: student.id, passageId: 'ORF-G2-06' });
  await hands.stop(reading.assessmentId, { ...timeUp(3), reason: 'teacher_stop' });
  app.clock.set('2025-12-10T08:00:00.000Z');
  assert.is((await onPaper(student, '2025-12-03', 20, 6)).body.role, 'not_comparable');
  assert.is((await onPaper(student, '2025-12-10', 20, 5)).body.role, 'baseline');
});

test('another student’s or an unknown assessment is not found', async () => {
  const student = await newStudent();
  const { body: reading } = await hands.start({ studentId: (await newStudent()).id });
  for (const orfAssessmentId of [reading.assessmentId, 'a'.repeat(24)]) {
    assert.is((await hands.probe({ studentId: student.id, orfAssessmentId })).status, 404);
  }
});

test('refused: the future, another school year, more errors than words, another grade, both kinds at once', async () => {
  const student = await newStudent();
  const good = {
    studentId: student.id,
    passageId: 'ORF-G2-01',
    administeredOn: '2025-11-05',
    wordsAttempted: 20,
    errors: 2,
    elapsedSeconds: 60,
  };
  const bad: [object, string][] = [
    [{ administeredOn: '2025-11-06' }, 'administeredOn'],
    [{ administeredOn: '2025-07-31' }, 'administeredOn'],
    [{ errors: 21 }, 'errors'],
    [{ passageId: 'ORF-G1-01' }, 'passageId'],
    [{ passageId: 'none' }, 'passageId'],
  ];
  for (const [wrong, field] of bad) {
    const { status, body } = await hands.probe({ ...good, ...wrong });
    assert.is(status, 422, field);
    assert.is(detailOf(body)?.field, field);
  }
  for (const wrong of [{ elapsedSeconds: 0 }, { measureCode: 'OTHER' }, { orfAssessmentId: 'a'.repeat(24) }]) {
    assert.is((await hands.probe({ ...good, ...wrong })).status, 422, JSON.stringify(wrong));
  }
  assert.is((await owner('cbm_probe').where({ studentId: student.id })).length, 0);
  const { status, body } = await hands.probe(good);
  assert.equal([status, body.score], [201, 18]);
});

test('alerts are seen within reach only, page by page', async () => {
  const student = await newStudent();
  await record(student, [13, 13, 12]);
  const seenBy = async (user: UserRow) => {
    const { status, body } = await teacher(app, user).alerts(`?studentId=${student.id}`);
    assert.is(status, 200);
    return body.items.length;
  };
  const { people } = world.own;
  assert.equal(
    [
      await seenBy(teacherRow),
      await seenBy(people.PRINCIPAL),
      await seenBy(people.ADMIN),
      await seenBy(world.superAdmin),
    ],
    [2, 2, 2, 2],
  );
  for (const name of ['TEACHER', 'TEACHER elsewhere', 'PRINCIPAL elsewhere'] as const) {
    assert.is(await seenBy(people[name]), 0, name);
  }
  assert.is(await seenBy(world.other.people.ADMIN), 0);
  const all = (await hands.alerts(`?classId=${classRow.id}&limit=100`)).body.items.map(({ alertId }) => alertId);
  const first = (await hands.alerts(`?classId=${classRow.id}&limit=1`)).body;
  const second = (await hands.alerts(`?classId=${classRow.id}&limit=1&cursor=${first.nextCursor}`)).body;
  assert.equal([first.items[0]?.alertId, second.items[0]?.alertId], all.slice(0, 2));
  assert.equal((await hands.alerts(`?classId=${world.own.classElsewhere.id}`)).body.items, []);
});

test.run();
