// timeout: 180s
// Evidence is voided, restored and voided anew over HTTP: what stands afterwards, who may do it and until when.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import {
  buildClass,
  buildStudent,
  buildTeacher,
  buildUser,
  type ClassRow,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { answersOf, buildDiagnostic } from '../../skill-status/evidence.ts';
import { detailOf, teacher, timeUp } from '../fluency/teacher.ts';

const test = suite('voids over HTTP');
const app = useApp(test);
const { owner } = app.database;
const readOn = '2025-11-05T08:00:00.000Z';
let world: World;
let classRow: ClassRow;
let teacherRow: UserRow;
let adminRow: UserRow;
let hands: ReturnType<typeof teacher>;

test.before(async () => {
  world = await buildWorld(app);
  const { organizationId, school } = world.own;
  classRow = await buildClass(owner, { organizationId, schoolId: school.id, grade: 2, name: '2V' });
  teacherRow = await buildTeacher(owner, classRow);
  adminRow = await buildUser(owner, 'ADMIN', { organizationId });
  hands = teacher(app, teacherRow);
});
test.before.each(() => app.clock.set(readOn));

const student = () => buildStudent(owner, classRow);

interface VoidBody {
  readonly voidId: number;
  readonly studentId: number;
  readonly kind: string;
  readonly refId: string;
  readonly reasonCode: string;
  readonly at: string;
  readonly byUserId: number;
  readonly restoredAt: string | null;
  readonly restoredByUserId: number | null;
}

/** Signed in at the clock's time. */
const as = async (user: UserRow) => ({ token: await signIn(app, user) });
const post = async <Body>(user: UserRow, path: string, body: object) => app.post<Body>(path, body, await as(user));
const get = async <Body>(user: UserRow, path: string) => app.get<Body>(path, await as(user));
const takeBack = (path: string, user = teacherRow, reasonCode = 'wrong_student') =>
  post<VoidBody>(user, `${path}/void`, { reasonCode });
const restore = (voidId: number, user = teacherRow) =>
  post<VoidBody>(user, `/api/evidence-voids/${voidId}/restore`, {});
const voidsOf = async ({ id }: UserRow, user = teacherRow) =>
  (await get<{ items: VoidBody[] }>(user, `/api/students/${id}/evidence-voids`)).body.items;
const issueOf = (answer: { readonly body: unknown }) => detailOf(answer.body)?.issue;

async function read({ id: studentId }: UserRow, lastWordIndex = 20): Promise<string> {
  const { assessmentId } = (await hands.start({ studentId })).body;
  assert.is((await hands.stop(assessmentId, timeUp(lastWordIndex))).status, 200);
  return assessmentId;
}

const onPaper = async ({ id: studentId }: UserRow, administeredOn: string, words: number, passage: number) => {
  const passageId = `ORF-G2-0${passage}`;
  const { status, body } = await hands.probe({
    ...{ studentId, passageId, administeredOn, wordsAttempted: words, errors: 0, elapsedSeconds: 60 },
  });
  assert.is(status, 201, JSON.stringify(body));
  return body.probeId;
};

const reading = (id: string) => `/api/orf/assessments/${id}`;
const probe = (id: number) => `/api/cbm/probes/${id}`;

test('the life of a void: a reading with its probe is voided, restored and voided anew', async () => {
  const reader = await student();
  const assessmentId = await read(reader);
  const made = (await hands.probe({ studentId: reader.id, orfAssessmentId: assessmentId })).body;
  app.clock.advance(60_000);
  const first = await takeBack(probe(made.probeId));
  assert.is(first.status, 201, JSON.stringify(first.body));
  const { voidId, ...said } = first.body;
  assert.equal(said, {
    ...{ studentId: reader.id, kind: 'orf', refId: assessmentId, reasonCode: 'wrong_student' },
    ...{ at: '2025-11-05T08:01:00.000Z', byUserId: teacherRow.id, restoredAt: null, restoredByUserId: null },
  });
  assert.is(issueOf(await takeBack(reading(assessmentId))), 'voided', 'whichever path names it');
  assert.is(issueOf(await takeBack(probe(made.probeId))), 'voided');
  const { points, baseline } = (await hands.trend(reader.id)).body;
  assert.equal(
    points.map((point) => [point.probeIds, point.role, (point as { voidId?: number | null }).voidId]),
    [[[made.probeId], 'not_comparable', voidId]],
  );
  assert.is(baseline, null);
  const back = await restore(voidId);
  assert.is(back.status, 200, JSON.stringify(back.body));
  assert.equal([back.body.restoredAt, back.body.restoredByUserId], ['2025-11-05T08:01:00.000Z', teacherRow.id]);
  assert.is(issueOf(await restore(voidId)), 'restored');
  const [point] = (await hands.trend(reader.id)).body.points;
  assert.equal([point?.role, (point as { voidId?: number | null } | undefined)?.voidId], ['baseline', null]);
  app.clock.advance(60_000);
  const second = await takeBack(reading(assessmentId), teacherRow, 'disturbed');
  assert.is(second.status, 201);
  assert.equal(
    (await voidsOf(reader)).map((row) => [row.voidId, row.reasonCode, row.restoredAt !== null]),
    [
      [second.body.voidId, 'disturbed', false],
      [voidId, 'wrong_student', true],
    ],
  );
  const told = await owner('outbox').where({ topic: 'evidence.corrected' }).orderBy('id');
  assert.equal(
    told.map(({ payload }) => payload).filter(({ studentId }) => studentId === reader.id),
    [
      { studentId: reader.id, correction: 'voided', correctionId: voidId },
      { studentId: reader.id, correction: 'restored', correctionId: voidId },
      { studentId: reader.id, correction: 'voided', correctionId: second.body.voidId },
    ],
  );
});

test('a voided baseline gives another goal, and a signal that stood on it closes', async () => {
  const reader = await student();
  // Baseline 40: 13, 13 and 12 are far below the aim line. Without the wrong 40s it is 12.
  const wrong = [await onPaper(reader, '2025-10-05', 40, 1), await onPaper(reader, '2025-10-06', 40, 2)];
  await onPaper(reader, '2025-10-08', 41, 3);
  await onPaper(reader, '2025-10-22', 13, 4);
  await onPaper(reader, '2025-10-29', 13, 5);
  await onPaper(reader, '2025-11-05', 12, 6);
  const open = async () =>
    (await hands.alerts(`?studentId=${reader.id}&status=open`)).body.items.map(({ kind }) => kind).sort();
  assert.equal(await open(), ['cbm_below_goal', 'cbm_flat']);
  assert.is((await hands.trend(reader.id)).body.baseline?.score, 40);
  for (const id of wrong) assert.is((await takeBack(probe(id))).status, 201);
  const { baseline, trendType, points } = (await hands.trend(reader.id)).body;
  // 41, 13, 13 are left as the first three comparable probes, whose median is 13.
  assert.equal([baseline?.score, baseline?.anchorDate, trendType], [13, '2025-10-29', 'insufficient_points']);
  assert.equal(
    points.map(({ score, role }) => `${score} ${role}`),
    ['40 not_comparable', '40 not_comparable', '41 baseline', '13 baseline', '13 baseline', '12 monitoring'],
  );
  assert.equal(await open(), [], 'one monitoring point is left');
});

test('what was known on an earlier day stays so in the trend of that day', async () => {
  const reader = await student();
  const probeId = await onPaper(reader, '2025-11-04', 20, 1);
  app.clock.set('2025-11-06T08:00:00.000Z');
  const before = (await hands.trend(reader.id, '&asOf=2025-11-05')).body;
  assert.is((await takeBack(probe(probeId))).status, 201);
  assert.equal((await hands.trend(reader.id, '&asOf=2025-11-05')).body, before);
  const voids = (await hands.trend(reader.id, '&asOf=2025-11-06')).body.points.map(
    (point) => (point as { voidId?: number | null }).voidId,
  );
  assert.type(voids[0], 'number');
});

test('a voided passage counts as not read, and a voided reading makes no probe', async () => {
  const reader = await student();
  const { passage, assessmentId } = (await hands.start({ studentId: reader.id })).body;
  assert.is((await hands.stop(assessmentId, timeUp(20))).status, 200);
  assert.is((await takeBack(reading(assessmentId))).status, 201);
  assert.is((await hands.start({ studentId: reader.id })).body.passage.passageId, passage.passageId);
  const used = await hands.probe({ studentId: reader.id, orfAssessmentId: assessmentId });
  assert.equal([used.status, detailOf(used.body)?.issue], [409, 'voided']);
});

test('a voided part of a diagnostic may be taken again; practice from it is replaced and not seeded', async () => {
  const child = await student();
  const finishedAt = '2025-11-05T07:00:00.000Z';
  const sessionId = await buildDiagnostic(owner, child, answersOf({ LK_SOUND: 'CCUU' }), { finishedAt });
  await owner('diagnostic_session').where({ id: sessionId }).update({ formCode: 'DIAG-G2-P1', season: 'BOY' });
  const seed = () => post<{ queueId: string }>(teacherRow, `/api/practice/queues/seed/${sessionId}`, {});
  const queueId = (await seed()).body.queueId;
  assert.is(issueOf(await takeBack(`/api/practice/queues/${queueId}`)), 'state', 'the queue is active');
  const start = async () =>
    (await post<{ formCode: string; sessionId: string }>(child, '/api/diagnostic-sessions/start', {})).body;
  const { sessionId: next, formCode } = await start();
  assert.is(formCode, 'DIAG-G2-P2');
  assert.is(issueOf(await takeBack(`/api/diagnostic-sessions/${next}`)), 'state', 'the session is open');
  await owner('diagnostic_session').where({ id: next }).update({ status: 'EXPIRED' });
  const { status, body } = await takeBack(`/api/diagnostic-sessions/${sessionId}`);
  assert.is(status, 201, JSON.stringify(body));
  assert.is((await start()).formCode, 'DIAG-G2-P1');
  assert.equal(await owner('practice_queue').where({ id: queueId }).first('status'), { status: 'REPLACED' });
  assert.is(issueOf(await seed()), 'voided');
  const sessions = await get<{ items: { sessionId: string; voidId: number | null }[] }>(
    teacherRow,
    `/api/engine/sessions/by-student/${child.id}`,
  );
  const voidIds = new Map(sessions.body.items.map((session) => [session.sessionId, session.voidId]));
  assert.equal([voidIds.get(sessionId), voidIds.get(next)], [body.voidId, null]);
  const one = await get<{ voidId: number | null }>(teacherRow, `/api/engine/sessions/${next}`);
  assert.equal([one.status, one.body.voidId], [200, null]);
  const queue = await takeBack(`/api/practice/queues/${queueId}`);
  assert.equal([queue.status, queue.body.kind], [201, 'practice']);
});

test('a reading that is not scored is no evidence', async () => {
  const reader = await student();
  const { assessmentId } = (await hands.start({ studentId: reader.id })).body;
  const { status, body } = await takeBack(reading(assessmentId));
  assert.equal([status, detailOf(body)?.issue], [409, 'state']);
});

test('teachers have seven days, administrators the school year', async () => {
  const [one, other] = [await read(await student()), await read(await student())];
  app.clock.set('2025-11-12T08:00:00.001Z');
  const late = await takeBack(reading(one));
  assert.equal([late.status, detailOf(late.body)?.issue], [409, 'too_late']);
  app.clock.set('2025-11-12T08:00:00.000Z');
  const { voidId } = (await takeBack(reading(one))).body;
  app.clock.set('2025-11-19T08:00:00.001Z');
  assert.is(issueOf(await restore(voidId)), 'too_late');
  app.clock.set('2026-07-31T20:59:59.000Z');
  assert.is((await takeBack(reading(other), adminRow)).status, 201, 'the last second of the year in Riyadh');
  app.clock.set('2026-07-31T21:00:00.000Z');
  assert.is(issueOf(await restore(voidId, adminRow)), 'too_late');
  const { organizationId, school } = world.own;
  const ofNextYear = { organizationId, schoolId: school.id, grade: 3, name: '3V', academicYear: '2026-2027' };
  const { id: classId, ...nextClass } = await buildClass(owner, ofNextYear);
  await owner('class_teacher').insert({ organizationId, classId, teacherUserId: teacherRow.id, role: 'PRIMARY' });
  const third = await read(await buildStudent(owner, { id: classId, ...nextClass }));
  app.clock.set('2027-08-02T08:00:00.000Z');
  assert.is(issueOf(await takeBack(reading(third), adminRow)), 'too_late');
});

/** The newest trend of a school year. */
const trendIn = (schoolYear: string, { id: studentId }: UserRow) =>
  owner('cbm_trend').where({ studentId, schoolYear }).orderBy('id', 'desc').first();
const scoresOf = (trend: { input: { probes: { score: number }[] } }) => trend.input.probes.map(({ score }) => score);
const openSignalsOf = async ({ id }: UserRow) =>
  (await hands.alerts(`?studentId=${id}&status=open`)).body.items.map(({ kind }) => kind).sort();

/** Two probes of 40 were another child's; without them the series begins at 13. Entered in the last week of a year. */
async function lastYearsSeries(reader: UserRow): Promise<number[]> {
  app.clock.set('2026-07-30T08:00:00.000Z');
  const wrong = [await onPaper(reader, '2026-05-05', 40, 1), await onPaper(reader, '2026-05-06', 40, 2)];
  await onPaper(reader, '2026-05-08', 41, 3);
  await onPaper(reader, '2026-07-07', 13, 4);
  await onPaper(reader, '2026-07-14', 13, 5);
  await onPaper(reader, '2026-07-21', 12, 6);
  return wrong;
}

test('evidence of the year before that is voided in a new one: the series of its year is evaluated anew', async () => {
  const reader = await student();
  const wrong = await lastYearsSeries(reader);
  assert.is((await trendIn('2025-2026', reader)).trendType, 'trend_below_goal');
  assert.equal(await openSignalsOf(reader), ['cbm_below_goal', 'cbm_flat']);
  app.clock.set('2026-08-03T08:00:00.000Z');
  const before = (await hands.trend(reader.id, '&asOf=2026-07-31')).body;
  const voidIds: number[] = [];
  for (const id of wrong) voidIds.push((await takeBack(probe(id))).body.voidId);
  const { byCorrection, asOf, trendType, ...row } = await trendIn('2025-2026', reader);
  assert.equal([byCorrection, asOf, trendType], [true, '2026-07-31', 'insufficient_points']);
  assert.equal(scoresOf(row), [41, 13, 13, 12]);
  assert.equal(await openSignalsOf(reader), [], 'no series has followed, so its signals are those of today');
  assert.is(await trendIn('2026-2027', reader), undefined);
  assert.equal((await hands.trend(reader.id, '&asOf=2026-07-31')).body, before, 'what was known on that day');
  for (const voidId of voidIds) assert.is((await restore(voidId)).status, 200);
  assert.equal(scoresOf(await trendIn('2025-2026', reader)), [40, 40, 41, 13, 13, 12]);
  assert.equal(await openSignalsOf(reader), ['cbm_below_goal', 'cbm_flat']);
});

test('a series of the new year stays its own: none of its probes counts before, and only it has signals', async () => {
  const reader = await student();
  const wrong = await lastYearsSeries(reader);
  app.clock.set('2026-08-02T08:00:00.000Z');
  await repeat(reader);
  const own = await onPaper(reader, '2026-08-02', 20, 3);
  assert.equal(await openSignalsOf(reader), [], 'one probe has no signal');
  const voidIds: number[] = [];
  for (const id of wrong) voidIds.push((await takeBack(probe(id))).body.voidId);
  assert.equal(scoresOf(await trendIn('2025-2026', reader)), [41, 13, 13, 12]);
  for (const voidId of voidIds) assert.is((await restore(voidId)).status, 200);
  const { trendType, ...row } = await trendIn('2025-2026', reader);
  assert.equal([trendType, scoresOf(row)], ['trend_below_goal', [40, 40, 41, 13, 13, 12]]);
  const signals = await owner('cbm_alert').where({ studentId: reader.id });
  assert.equal(
    signals.map(({ kind, closedInSchoolYear }) => [kind, closedInSchoolYear]).sort(),
    [
      ['cbm_acute_drop', '2025-2026'],
      ['cbm_below_goal', '2026-2027'],
      ['cbm_flat', '2026-2027'],
    ],
    'closed by the first probe of the new year, and none was opened since',
  );
  const { probeId, byCorrection, ...now } = await trendIn('2026-2027', reader);
  assert.equal([probeId, byCorrection, scoresOf(now)], [own, true, [20]]);
});

/** Takes the student into a class of the same grade of the next school year, with the same teacher. */
async function repeat({ id: studentId }: UserRow): Promise<void> {
  const { organizationId, school } = world.own;
  const ofNextYear = {
    organizationId,
    schoolId: school.id,
    grade: 2,
    name: `2R${studentId}`,
    academicYear: '2026-2027',
  };
  const { id: classId } = await buildClass(owner, ofNextYear);
  await owner('class_teacher').insert({ organizationId, classId, teacherUserId: teacherRow.id, role: 'PRIMARY' });
  await owner('enrollment').where({ studentId }).update({ enrolledTo: '2026-08-02' });
  await owner('enrollment').insert({ organizationId, studentId, classId, enrolledFrom: '2026-08-02' });
}

test('others may not: elsewhere, another organization, another teacher’s void, a demo, an unknown id or reason', async () => {
  const reader = await student();
  const assessmentId = await read(reader);
  const status = async (user: UserRow, path = reading(assessmentId), body: object = { reasonCode: 'none_fits' }) =>
    (await post(user, `${path}/void`, body)).status;
  assert.is(await status(world.own.people['TEACHER elsewhere']), 403);
  assert.is(await status(world.own.people.PRINCIPAL), 403);
  assert.is(await status(world.other.people.ADMIN), 404);
  assert.is(await status(teacherRow, reading(newId())), 404);
  assert.is(await status(teacherRow, probe(4_000_000)), 404);
  assert.is(await status(teacherRow, reading(assessmentId), { reasonCode: 'because' }), 422);
  const byAdmin = await takeBack(reading(assessmentId), adminRow);
  assert.is(byAdmin.status, 201);
  assert.is((await restore(byAdmin.body.voidId)).status, 403, 'a teacher restores the own voids only');
  assert.is((await restore(byAdmin.body.voidId, world.other.people.ADMIN)).status, 404);
  assert.is((await restore(byAdmin.body.voidId, world.superAdmin)).status, 200);
  assert.is(
    (await get(world.own.people['TEACHER elsewhere'], `/api/students/${reader.id}/evidence-voids`)).status,
    403,
  );
  assert.is((await voidsOf(reader, world.own.people.PRINCIPAL)).length, 1);
});

test('of two who void at once one is told that it is voided', async () => {
  const assessmentId = await read(await student());
  const answers = await Promise.all([takeBack(reading(assessmentId)), takeBack(reading(assessmentId), adminRow)]);
  assert.equal(answers.map(({ status }) => status).sort(), [201, 409]);
  assert.is(
    answers.map(issueOf).find((issue) => issue !== undefined),
    'voided',
  );
  const [{ voidId } = { voidId: 0 }] = answers.flatMap(({ status, body }) => (status === 201 ? [body] : []));
  const restored = await Promise.all([restore(voidId, adminRow), restore(voidId, world.superAdmin)]);
  assert.equal(restored.map(({ status }) => status).sort(), [200, 409]);
});

test.run();
