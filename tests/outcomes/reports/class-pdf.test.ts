// The report on a class as a document, over HTTP and through its worker: what it says, who gets it, and what happens to it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { reportRows } from '#messaging/documents/rows/lease.ts';
import { runReport } from '#messaging/documents/runs/run.ts';
import { reportKindOf } from '#messaging/documents/services.ts';
import { bandDescriptions } from '#outcomes/aggregates/index.ts';
import { buildBackoffice } from '../../backoffice/workbench/backoffice.ts';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import { readsPages, textOf } from '../../core/platform/pdf/pdf-text.ts';
import {
  buildPrincipal,
  buildSuperAdmin,
  buildTeacher,
  buildUser,
  type SchoolRow,
  signIn,
} from '../../harness/factories.ts';
import { shippedRules } from '../../rules/language/sets.ts';
import {
  allRight,
  monday,
  type Pupil,
  usePlans,
  wordsWrong,
} from '../../support/interventions/workflow/draft-bodies.ts';

const test = suite('class report as PDF');
const readTest = readsPages(test);
const plans = usePlans(test);
const { app } = plans.shell;
const { owner } = app.database;
const { services } = app;

const asks = (of: Pupil, token = of.token) =>
  app.post<{ jobId: string }>(`/api/reports/classes/${of.classRow.id}/pdf`, {}, { token });
const job = (of: Pupil, jobId: string, token = of.token) =>
  app.get<Record<string, unknown>>(`/api/report-jobs/${jobId}`, { token });

/** The worker's way, without the queue. */
async function rendered(of: Pupil): Promise<{ jobId: string; bytes: Buffer }> {
  const { body, status, headers } = await asks(of);
  assert.is(status, 202, JSON.stringify(body));
  assert.is(headers.get('location'), `/api/report-jobs/${body.jobId}`);
  await runReport(services, { organizationId: of.organizationId, id: body.jobId });
  const row = await owner('report_file').where({ jobId: body.jobId }).first();
  return { jobId: body.jobId, bytes: row?.bytes };
}

/** As a worker that has read the facts and has let go of the database. */
async function preparedOf({ organizationId }: Pupil, id: string) {
  const kind = reportKindOf(services, 'class_report');
  return inContext(services.db, { organizationId }, async (trx) => {
    const row = await trx('report_job').where({ organizationId, id }).first();
    return kind.prepare(services, trx, row);
  });
}

const named = (pupil: Pupil, fullNameAr: string) => owner('app_user').where({ id: pupil.id }).update({ fullNameAr });

readTest('all sections in order, students in Arabic alphabetical order, statuses in words', async () => {
  const strong = await plans.pupil(allRight);
  const weak = await plans.classmate(strong, wordsWrong);
  const halted = await plans.classmate(strong, { ...allRight, LK_FORM: 'CC' });
  const never = await plans.classmate(strong, null);
  await Promise.all([named(strong, 'ياسر علي'), named(weak, 'أحمد سعيد'), named(halted, 'هند'), named(never, 'باسم')]);
  const { jobId, bytes } = await rendered(strong);
  const text = textOf(bytes);
  const inOrder = [
    ...['تقرير الصف', 'دليل المستويات', 'مجالات القراءة في الصف', 'الطلبة ومجالات القراءة', 'أحمد سعيد'],
    ...[
      'باسم',
      'هند',
      'ياسر علي',
      'طلبة يلزم قياسهم',
      'الدقائق اللازمة للصف كله',
      'باسم',
      'كل المجالات',
      'بدء الاختبار التشخيصي',
      'هند',
    ],
    ...['استكمال فقرات الاختبار', 'لا قياسات من الفترة السابقة.', 'لا مجموعات حالية.', 'نسخ القواعد:'],
  ];
  let from = 0;
  for (const words of inOrder) {
    const at = text.indexOf(words, from);
    assert.ok(at >= from, `${words} after ${text.slice(Math.max(0, from - 40), from)}\n${text}`);
    from = at + words.length;
  }
  for (const words of [
    'البيانات حتى 2026/1/12، الساعة 11:00',
    'سري –',
    'صفحة 1 من',
    'SSR@1',
    'band-descriptions/teacher@1',
    'دون المتوقع',
  ])
    assert.ok(text.includes(words), words);
  const { body } = await job(strong, jobId);
  const { target, state, progress } = body;
  assert.equal([target, state, progress], [{ classId: strong.classRow.id }, 'done', { done: 1, total: 1 }]);
  const { finishedAt, expiresAt } = await owner('report_job').where({ id: jobId }).first('finishedAt', 'expiresAt');
  assert.is(Date.parse(expiresAt) - Date.parse(finishedAt), 7 * 86_400_000, 'a file is kept for 7 days');
  const file = await app.get<string>(`/api/report-jobs/${jobId}/file`, { token: strong.token });
  assert.is(file.headers.get('content-disposition'), 'attachment; filename="class-report-2026-01-12.pdf"');
  assert.equal(
    (await owner('report_file_student').where({ jobId }).orderBy('studentId')).map(({ studentId }) => studentId),
    [strong.id, weak.id, halted.id, never.id],
  );
});

test('a repeated request gets the open job; equal facts give equal bytes', async () => {
  const pupil = await plans.pupil();
  const [one, other] = [(await asks(pupil)).body.jobId, (await asks(pupil)).body.jobId];
  assert.is(one, other);
  assert.is.not((await asks(pupil, await plans.admin(pupil))).body.jobId, one, 'another caller');
  const first = await rendered(pupil);
  assert.is(first.jobId, one);
  app.clock.advance(60_000);
  const second = await rendered(pupil);
  assert.is.not(second.jobId, one);
  assert.ok(first.bytes.equals(second.bytes));
  await plans.classmate(pupil, allRight);
  assert.not.ok(first.bytes.equals((await rendered(pupil)).bytes));
});

test('its teacher, its principal and administrators ask for it; parents, managers and others do not', async () => {
  const pupil = await plans.pupil();
  const { organizationId, classRow } = pupil;
  const persona = async (name: 'MANAGER' | 'TEACHER' | 'PARENT') =>
    signIn(app, await buildUser(owner, name, { organizationId }));
  const principal = await buildPrincipal(owner, { id: classRow.schoolId, organizationId } as SchoolRow);
  const expected: [string, string, number][] = [
    ['its principal', await signIn(app, principal), 202],
    ['an administrator', await plans.admin(pupil), 202],
    ['a manager', await persona('MANAGER'), 403],
    ['a teacher elsewhere', await persona('TEACHER'), 403],
    ['a parent', await persona('PARENT'), 403],
    ['a stranger', (await plans.pupil()).token, 404],
  ];
  for (const [who, token, status] of expected) assert.is((await asks(pupil, token)).status, status, who);
  const path = `/api/reports/classes/${classRow.id}/pdf`;
  assert.is((await app.post(path, { all: true }, { token: pupil.token })).status, 422);
  const key = { 'idempotency-key': 'once' };
  const [first, again] = [
    await app.post(path, {}, { token: pupil.token, headers: key }),
    await app.post(path, {}, { token: pupil.token, headers: key }),
  ];
  assert.equal([again.body, again.headers.get('idempotency-replayed')], [first.body, 'true']);
});

test('every caller who may request the report of a class may read it', async () => {
  const pupil = await plans.pupil();
  const { organizationId, classRow } = pupil;
  const { jobId } = await rendered(pupil);
  const principal = await buildPrincipal(owner, { id: classRow.schoolId, organizationId } as SchoolRow);
  const colleague = await buildTeacher(owner, classRow, 'SECONDARY');
  const elsewhere = await signIn(app, await buildUser(owner, 'TEACHER', { organizationId }));
  const manager = await signIn(app, await buildUser(owner, 'MANAGER', { organizationId }));
  for (const token of [await signIn(app, colleague), await signIn(app, principal), await plans.admin(pupil)])
    assert.is((await job(pupil, jobId, token)).status, 200);
  for (const token of [elsewhere, manager]) assert.is((await job(pupil, jobId, token)).status, 403);
  assert.is((await job(pupil, jobId, (await plans.pupil()).token)).status, 404);
});

test('a class that is out of reach by now keeps its report from who asked for it', async () => {
  const pupil = await plans.pupil();
  const { jobId } = await rendered(pupil);
  await owner('class_teacher').where({ classId: pupil.classRow.id }).delete();
  assert.is((await job(pupil, jobId)).status, 403);
  assert.is((await job(pupil, jobId, await plans.admin(pupil))).status, 200);
});

readTest(
  'a worker that is killed leaves a job that runs again, and an erasure in between takes the name away',
  async () => {
    const pupil = await plans.pupil();
    const gone = await plans.classmate(pupil, allRight);
    await named(gone, 'زينب الراحلة');
    const { jobId } = (await asks(pupil)).body;
    const key = { organizationId: pupil.organizationId, id: jobId };
    assert.ok(await reportRows.claim(services, key));
    const admin = await plans.admin(pupil);
    assert.is((await app.post(`/api/students/${gone.id}/erasure`, undefined, { token: admin })).status, 200);
    await owner('report_job')
      .where({ id: jobId })
      .update({ heldUntil: new Date(0) });
    await runReport(services, key);
    const row = await owner('report_file').where({ jobId }).first();
    assert.not.ok(textOf(row.bytes).includes('زينب'));
    assert.ok(textOf(row.bytes).includes('عدد الطلبة: 1'));
  },
);

readTest('rules that come into force after the facts were read change nothing in the document', async () => {
  const pupil = await plans.pupil();
  const { jobId } = (await asks(pupil)).body;
  const prepared = await preparedOf(pupil, jobId);
  const { rules } = await services.rules.at(app.database.app, app.clock.now());
  const document = rules.documents.find(({ meta }) => meta.family === 'band-descriptions' && meta.key === 'teacher');
  const { meta, bands } = document as unknown as { meta: { version: number }; bands: { labelAr: string }[] };
  const other = bands.map((one) => ({ ...one, labelAr: 'كلمة أخرى' }));
  await putInForce(app, { meta: { ...meta, version: 2 }, bands: other } as never);
  const text = textOf(Buffer.from(await prepared.render(async () => {})));
  assert.ok(text.includes('band-descriptions/teacher@1') && !text.includes('كلمة أخرى'));
});

test('a benchmark that is activated while the document is rendered changes nothing in it', async () => {
  const pupil = await plans.pupil();
  const { jobId } = (await asks(pupil)).body;
  const prepared = await preparedOf(pupil, jobId);
  const before = Buffer.from(await prepared.render(async () => {}));
  const office = await buildBackoffice(app);
  const path = '/api/admin/benchmark-profiles';
  const cell = { country: null, grade: 2, measureCode: 'ORF_WCPM', season: null };
  const values = { cuts: null, source: 'A norm of a country.', titleAr: 'معيار الطلاقة' };
  const made = await office.author.post(path, { ...cell, ...values });
  assert.is(made.status, 201, JSON.stringify(made.body));
  assert.is((await office.author.post(`${path}/${made.body.id}/publish`, {})).status, 200);
  assert.is((await office.approver.post(`${path}/${made.body.id}/activate`, {})).status, 200, 'another person');
  assert.ok(before.equals(await prepared.render(async () => {})), 'rendered after the activation');
  await runReport(services, { organizationId: pupil.organizationId, id: jobId });
  assert.is((await job(pupil, jobId)).body.state, 'done');
});

readTest('movement is counted from the last run of the season before to where each student stands now', async () => {
  app.clock.set('2025-10-13T08:00:00.000Z');
  const rose = await plans.pupil(wordsWrong);
  const alike = await plans.classmate(rose, wordsWrong);
  app.clock.set(monday);
  await plans.measure(rose, allRight);
  await plans.classmate(rose, allRight);
  const status = async ({ id }: Pupil, before: boolean) => {
    const run = await owner('sse_run')
      .where({ studentId: id })
      .orderBy('seq', before ? 'asc' : 'desc')
      .first('tiles');
    const tiles: { tileCode: string; status: string }[] = run.tiles;
    return tiles.find(({ tileCode }) => tileCode === 'WORD_READING')?.status ?? '';
  };
  const [from, to] = [await status(rose, true), await status(rose, false)];
  assert.is.not(from, to, 'the sample moves');
  const token = await signIn(app, rose.teacher);
  const { bytes } = await rendered({ ...rose, token });
  const text = textOf(bytes, '-layout');
  const { rules } = await services.rules.at(app.database.app, app.clock.now());
  const labels = new Map(bandDescriptions(rules, 'teacher').map(({ band, labelAr }) => [String(band), labelAr]));
  const movement = text.slice(text.indexOf('التغيّر منذ'), text.indexOf('مجموعات الدعم'));
  const rows = movement.split('قراءة الكلمات').slice(1);
  const words = (band: string) => labels.get(band) ?? band;
  assert.is(rows.length, 2, 'who moved, and who did not; who has no season before is not counted');
  assert.ok(
    rows.some((one) => one.includes(words(from)) && one.includes(words(to)) && /1/.test(one)),
    movement,
  );
  assert.is(await status(alike, false), from);
});

test('without language rules, or with a sentence that they refuse, there is no file but a code', async () => {
  const pupil = await plans.pupil();
  const token = await signIn(app, await buildSuperAdmin(owner));
  const ends = async (): Promise<string> => {
    const { jobId } = (await asks(pupil)).body;
    for (let attempt = 0; attempt < 3; attempt++) {
      await owner('report_job')
        .where({ id: jobId })
        .update({ heldUntil: new Date(0) });
      await runReport(services, { organizationId: pupil.organizationId, id: jobId });
    }
    assert.equal(await owner('report_file').where({ jobId }), []);
    return (await owner('report_job').where({ id: jobId }).first('failureCode')).failureCode;
  };
  const rule = {
    id: 'NEW-92',
    tiers: ['reports'],
    match: { phrases: ['تقرير الصف'] },
    action: 'block',
    reasonCode: 'blame',
  };
  const posted = await app.post(
    '/api/language-rules',
    { key: 'staff', rules: [...shippedRules('staff'), rule] },
    { token },
  );
  assert.is(posted.status, 201, JSON.stringify(posted.body));
  assert.is(await ends(), 'language_unsafe');
  app.clock.advance(60_000);
  const { body } = await app.get<{ items: { id: string; key: string; state: string }[] }>('/api/language-rules', {
    token,
  });
  const active = body.items.find(({ key, state }) => key === 'staff' && state === 'active');
  assert.is((await app.patch(`/api/language-rules/${active?.id}/deactivate`, {}, { token })).status, 200);
  assert.is(await ends(), 'language_unavailable');
});

test.run();
