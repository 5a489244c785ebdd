// Lesson papers over HTTP: requested by permitted people in a permitted state, rendered by a worker, listed, and the offline
// pack as one PDF.
import { unzipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runReport } from '#messaging/documents/runs/run.ts';
import {
  buildPrincipal,
  buildSuperAdmin,
  buildTeacher,
  buildUser,
  type SchoolRow,
  signIn,
} from '../../../harness/factories.ts';
import { reported } from '../../../support/interventions/workflow/draft-bodies.ts';
import { useLesson } from '../lesson.ts';

const test = suite('papers of a session');
const lesson = useLesson(test);

const services = () => lesson().plans.shell.app.services;
const ask = (id: string, variants: readonly string[], token?: string) =>
  lesson().post(`/api/sessions/${id}/generate-pdfs`, { variants }, token);
const run = (jobId: unknown) =>
  runReport(services(), { organizationId: lesson().one.organizationId, id: String(jobId) });
const stateOf = async (jobId: unknown) => (await lesson().get(`/api/report-jobs/${jobId}`)).body;
const recent = (query = '', token?: string) =>
  lesson().get(`/api/sessions/recently-generated?classId=${lesson().one.classRow.id}${query}`, token);

test('only accepted lessons are printed: 404, 422, then 409; principals cannot request papers', async () => {
  const { session } = lesson();
  const draft = await session();
  assert.equal(reported(await ask('tz4a98xxat96iws9zmbrgj3a', ['answer_key'])), [404, 'NOT_FOUND']);
  for (const variants of [[], ['letter'], ['answer_key', 'answer_key']])
    assert.is((await ask(draft, variants)).status, 422);
  assert.equal(reported(await ask(draft, ['answer_key'])), [409, 'CONFLICT', 'state invalid_transition']);
  const file = await lesson().get(`/api/sessions/${draft}/offline-pack/file`);
  assert.equal(reported(file), [409, 'CONFLICT', 'state invalid_transition']);
});

test('equal requests share a job: queued, rendered, returned with the lesson, and listed for its class', async () => {
  const { session, get, one, rows } = lesson();
  const id = await session(['accept'], { scheduledOn: '2026-01-14' });
  const first = await ask(id, ['answer_key', 'student_sheet']);
  assert.equal([first.status, first.body.state], [202, 'queued']);
  assert.is(first.headers.get('location'), `/api/report-jobs/${first.body.jobId}`);
  assert.equal((await ask(id, ['student_sheet', 'answer_key'])).body, first.body);
  lesson().plans.shell.app.clock.advance(1_000);
  const other = await ask(id, ['teacher_guide']);
  assert.is.not(other.body.jobId, first.body.jobId);
  assert.equal((await recent()).body.items, []);
  await run(first.body.jobId);
  const done = await stateOf(first.body.jobId);
  assert.equal([done.kind, done.target, done.state], ['session_pdf', { sessionId: id }, 'done']);
  assert.is((await ask(id, ['answer_key', 'student_sheet'])).body.state, 'done');
  const { body: view } = await get(`/api/sessions/${id}`);
  assert.equal(view.pdfJobs, [
    { jobId: first.body.jobId, variants: ['student_sheet', 'answer_key'], state: 'done' },
    { jobId: other.body.jobId, variants: ['teacher_guide'], state: 'queued' },
  ]);
  assert.equal((await recent()).body, {
    items: [
      {
        ...{ sessionId: id, jobId: first.body.jobId, variants: ['student_sheet', 'answer_key'] },
        ...{ finishedAt: done.finishedAt, fileUrl: `/api/report-jobs/${first.body.jobId}/file` },
      },
    ],
    nextCursor: null,
  });
  const named = (await rows('report_file_student')).map(({ studentId }) => studentId).sort();
  assert.equal(named, [one.id, lesson().two.id].sort());
  const acts = (await get(`/api/sessions/${id}/audit`)).body.items as { action: string }[];
  assert.is(acts.filter(({ action }) => action === 'pdf_requested').length, 4);
});

test('the file: one PDF or an archive of several; its name contains no person; another schedule is another document', async () => {
  const { session, edit } = lesson();
  const id = await session(['accept']);
  const { body: single } = await ask(id, ['student_sheet']);
  const { body: several } = await ask(id, ['student_sheet', 'teacher_guide', 'answer_key']);
  const { app } = lesson().plans.shell;
  const token = await signIn(app, lesson().one.teacher);
  for (const [job, type, name] of [
    [single, 'application/pdf', 'session-2026-01-12.pdf'],
    [several, 'application/zip', 'session-2026-01-12.zip'],
  ] as const) {
    await run(job.jobId);
    const file = await app.get<string>(`/api/report-jobs/${job.jobId}/file`, { token });
    assert.is(file.headers.get('content-type'), type);
    assert.is(file.headers.get('content-disposition'), `attachment; filename="${name}"`);
  }
  const [row] = await app.database.owner('report_file').where({ jobId: several.jobId });
  assert.equal(Object.keys(unzipSync(row.bytes)), ['student-sheets.pdf', 'teacher-guide.pdf', 'answer-key.pdf']);
  await edit(id, { scheduledOn: '2026-01-19' });
  assert.is.not((await ask(id, ['student_sheet'])).body.jobId, single.jobId);
});

test('papers requested by one teacher of the class can be read by the other, not by principals and other staff', async () => {
  const { session, one, plans } = lesson();
  const { app } = plans.shell;
  const { owner } = app.database;
  const { organizationId, classRow } = one;
  const id = await session(['accept']);
  const { body } = await ask(id, ['teacher_guide']);
  await run(body.jobId);
  const colleague = await signIn(app, await buildTeacher(owner, classRow, 'SECONDARY'));
  assert.is((await ask(id, ['teacher_guide'], colleague)).body.jobId, body.jobId);
  const path = `/api/report-jobs/${body.jobId}`;
  const statuses = async (token: string) => [
    (await app.get(path, { token })).status,
    (await app.get(`${path}/file`, { token })).status,
  ];
  assert.equal(await statuses(colleague), [200, 200]);
  assert.equal(await statuses(await plans.admin(one)), [200, 200]);
  const principal = await buildPrincipal(owner, { id: classRow.schoolId, organizationId } as SchoolRow);
  const elsewhere = await buildUser(owner, 'TEACHER', { organizationId });
  for (const other of [principal, elsewhere]) assert.equal(await statuses(await signIn(app, other)), [403, 403]);
  const stranger = await buildTeacher(owner);
  assert.equal(await statuses(await signIn(app, stranger)), [404, 404]);
  await owner('class_teacher').where({ organizationId, teacherUserId: one.teacher.id, classId: classRow.id }).delete();
  assert.equal(await statuses(await signIn(app, one.teacher)), [403, 403], 'the requester no longer teaches the class');
  await owner('class_teacher').insert({
    ...{ organizationId, classId: classRow.id, teacherUserId: one.teacher.id, role: 'PRIMARY' },
  });
});

test('an erased student is on no paper: files are deleted immediately, and later papers omit the name', async () => {
  const { session, rows, plans, one } = lesson();
  const { app } = plans.shell;
  const erased = await plans.classmate(one);
  await plans.given(erased);
  const id = await session(['accept'], { recipientStudentIds: [one.id, erased.id] });
  const { body: printed } = await ask(id, ['student_sheet']);
  await run(printed.jobId);
  const { body: waiting } = await ask(id, ['teacher_guide']);
  const token = await plans.admin(one);
  assert.is((await app.post(`/api/students/${erased.id}/erasure`, undefined, { token })).status, 200);
  assert.is((await stateOf(printed.jobId)).state, 'expired');
  await run(waiting.jobId);
  assert.is((await stateOf(waiting.jobId)).state, 'done');
  assert.equal(
    (await rows('report_file_student')).filter(({ studentId }) => studentId === erased.id),
    [],
  );
});

test('the offline pack as PDF: complete for everyone who may read the class, with the same bytes each time', async () => {
  const { session, get, plans } = lesson();
  const id = await session(['accept', 'distribute-online']);
  const first = await get(`/api/sessions/${id}/offline-pack/file`);
  assert.equal([first.status, first.headers.get('content-type')], [200, 'application/pdf']);
  assert.is(first.headers.get('content-disposition'), 'attachment; filename="session-2026-01-12.pdf"');
  assert.equal((await get(`/api/sessions/${id}/offline-pack/file`)).body, first.body);
  const { app } = plans.shell;
  const stranger = await signIn(app, await buildTeacher(app.database.owner));
  assert.is((await get(`/api/sessions/${id}/offline-pack/file`, stranger)).status, 404);
  assert.is((await recent('', stranger)).status, 404);
});

test('without language rules nothing is printed: 503 for the request, language_unavailable for the job', async () => {
  const { session, plans, get } = lesson();
  const { app } = plans.shell;
  const id = await session(['accept']);
  const { body: job } = await ask(id, ['answer_key']);
  const token = await signIn(app, await buildSuperAdmin(app.database.owner));
  const { items } = (await get('/api/language-rules', token)).body as { items: { id: string; key: string }[] };
  const student = items.find(({ key }) => key === 'student');
  assert.is((await app.patch(`/api/language-rules/${student?.id}/deactivate`, {}, { token })).status, 200);
  assert.equal(reported(await ask(id, ['student_sheet'])).slice(0, 2), [503, 'ENGINE_UNAVAILABLE']);
  assert.is((await get(`/api/sessions/${id}/offline-pack/file`)).status, 503);
  for (let tries = 0; tries < 3; tries++) {
    await run(job.jobId);
    await app.database.owner('report_job').where({ id: job.jobId }).update({ heldUntil: null });
  }
  assert.is((await stateOf(job.jobId)).failureCode, 'language_unavailable');
});

test.run();
