// Letters of a whole class in one file: each on a sheet of its own, in the order of the class list, whatever happens to the
// worker on its way (contract 70 §1, §6).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { forgetReportFiles } from '#messaging/documents/personal-data.ts';
import { reportRows } from '#messaging/documents/rows/lease.ts';
import { runReport } from '#messaging/documents/runs/run.ts';
import { letterText, pdfInfo, readsPages } from '../../core/platform/pdf/pdf-text.ts';
import {
  buildPrincipal,
  buildStudent,
  buildSuperAdmin,
  buildTeacher,
  buildUser,
  signIn,
  type UserRow,
} from '../../harness/factories.ts';
import { shippedRules } from '../../rules/language/sets.ts';
import { decodingNeed, type Room, useClassroom } from '../../support/interventions/classroom.ts';

const test = suite('letters of a class');
const readTest = readsPages(test);
const classroom = useClassroom(test);
const { app, http, services } = classroom;
const { owner } = app.database;
const size = 60;
let room: Room;
let students: UserRow[];

const names = ['هند', 'عبد الرحمن', 'نُورَةُ', 'محمد', 'ليان'];

test.before(async () => {
  room = await classroom.room();
  students = [];
  for (let at = 0; at < size; at++) {
    students.push(await buildStudent(owner, room.classRow, { fullNameAr: `${names[at % names.length]} القحطاني` }));
  }
  await classroom.measure(students.slice(0, 5), decodingNeed);
});

interface Batch {
  readonly batchId: string;
  readonly state: string;
  readonly fileUrl?: string;
}

const start = (token: string, classId = room.classRow.id) =>
  http.post<{ batchId: string }>('/api/parent/pdf-batches', { classId }, { token });
const look = (id: string, token = room.token) => http.get<Batch>(`/api/parent/pdf-batches/${id}`, { token });
const run = (id: string) => runReport(services, { organizationId: room.organizationId, id });
const issueOf = ({ body }: { body: unknown }) => (body as { details?: { issue: string }[] }).details?.[0]?.issue;
const bytesOf = async (jobId: string): Promise<Buffer> =>
  (await owner('report_file').where({ jobId }).first('bytes')).bytes;
const textOf = (bytes: Buffer, page: number) => letterText(bytes, '-f', String(page), '-l', String(page));

readTest(
  'sixty letters: asked for, followed, read; each begins on the front of a sheet, with a line that leads to it',
  async () => {
    const asked = await start(room.token);
    assert.is(asked.status, 202, JSON.stringify(asked.body));
    const { batchId } = asked.body;
    assert.is(asked.headers.get('location'), `/api/parent/pdf-batches/${batchId}`);
    assert.is((await start(room.token)).body.batchId, batchId, 'the same while it is on its way');
    const early = await http.get(`/api/parent/pdf-batches/${batchId}/file`, { token: room.token });
    assert.equal([early.status, issueOf(early)], [409, 'not_ready']);
    // A worker that dies in the middle leaves the job held, and nothing stored.
    await reportRows.claim(services, { organizationId: room.organizationId, id: batchId });
    await run(batchId);
    assert.is((await look(batchId)).body.state, 'running');
    await owner('report_job')
      .where({ id: batchId })
      .update({ heldUntil: new Date(0) });
    await run(batchId);
    const now = app.clock.now();
    assert.equal((await look(batchId)).body, {
      ...{ batchId, classId: room.classRow.id, state: 'done', progress: { done: size, total: size } },
      ...{ counts: { letters: size, needsMoreData: size - 5 }, createdAt: now.toISOString() },
      ...{ finishedAt: now.toISOString(), expiresAt: new Date(now.getTime() + 7 * 86_400_000).toISOString() },
      ...{ failureCode: null, fileUrl: `/api/parent/pdf-batches/${batchId}/file` },
    });
    const file = await http.get(`/api/parent/pdf-batches/${batchId}/file`, { token: room.token });
    assert.equal([file.status, file.headers.get('content-type')], [200, 'application/pdf']);
    assert.is(file.headers.get('content-disposition'), 'attachment; filename="parent-letters-2026-01-15.pdf"');
    assert.is(file.headers.get('cache-control'), 'private, no-store');
    const bytes = await bytesOf(batchId);
    assert.ok(bytes.length < 3_000_000, `${bytes.length} bytes`);
    const info = pdfInfo(bytes);
    assert.match(info, new RegExp(`Pages:\\s+${size * 2 - 1}\\n`));
    assert.not.match(info, /القحطاني/);
    for (const at of [0, 1, 2, 4, 58, 59]) {
      assert.ok(
        textOf(bytes, at * 2 + 1).includes(`إلى أسرة ${names[at % names.length]?.normalize('NFC')}`),
        `letter ${at}`,
      );
    }
    assert.is(textOf(bytes, 2).trim(), '', 'the back of the first sheet');
    const sheet = (at: number) => textOf(bytes, at * 2 + 1).replaceAll(/\s+/g, ' ');
    for (const [at, name] of [
      [0, 'هند القحطاني (أ)'],
      [5, 'هند القحطاني (ب)'],
    ] as const)
      assert.is(sheet(at).split(name).length - 1, 2, `${name} in the address line and on the slip`);
    assert.is(bytes.toString('latin1').match(/\/Dest \[/g)?.length, size, 'a line each that leads to its letter');
    assert.is.not((await start(room.token)).body.batchId, batchId, 'later there are later facts');
  },
);

test('a batch is of the teachers of the class and of administrators', async () => {
  const { batchId } = (await start(room.token)).body;
  const { organizationId, classRow } = room;
  const asked: readonly (readonly [UserRow, number])[] = [
    [await buildTeacher(owner, classRow, 'SECONDARY'), 200],
    [await buildUser(owner, 'ADMIN', { organizationId }), 200],
    [await buildSuperAdmin(owner), 200],
    [await buildUser(owner, 'TEACHER', { organizationId }), 403],
    [await buildPrincipal(owner, { id: classRow.schoolId, organizationId }), 403],
    [await buildUser(owner, 'MANAGER', { organizationId }), 403],
    [await buildTeacher(owner), 404],
  ];
  for (const [user, expected] of asked) {
    const token = await signIn(app, user);
    assert.is((await look(batchId, token)).status, expected);
    assert.is((await start(token)).status, expected === 200 ? 202 : expected);
  }
  assert.is(
    (await http.get(`/api/report-jobs/${batchId}`, { token: room.token })).status,
    404,
    'it has addresses of its own',
  );
});

test('an empty class: no_students; erasing a student deletes the file', async () => {
  const empty = await classroom.room();
  const refused = await start(empty.token, empty.classRow.id);
  assert.equal([refused.status, issueOf(refused)], [409, 'no_students']);
  const small = await classroom.room();
  const child = await classroom.student(small);
  const { batchId } = (await start(small.token, small.classRow.id)).body;
  await runReport(services, { organizationId: small.organizationId, id: batchId });
  assert.is((await look(batchId, small.token)).body.state, 'done');
  const { organizationId } = small;
  await inContext(owner, { organizationId }, (trx) =>
    forgetReportFiles(trx, { organizationId, id: child.id } as never),
  );
  assert.is((await look(batchId, small.token)).body.state, 'expired');
  assert.is((await http.get(`/api/parent/pdf-batches/${batchId}/file`, { token: small.token })).status, 404);
});

readTest('a rule that catches a child’s name changes no greeting, and no letter is missing', async () => {
  const mixed = await classroom.room();
  for (const fullNameAr of ['هند القحطاني', 'ليان القحطاني']) await buildStudent(owner, mixed.classRow, { fullNameAr });
  const token = await signIn(app, await buildSuperAdmin(owner));
  const rule = {
    id: 'NEW-90',
    tiers: ['parent'],
    match: { phrases: ['أسرة ليان'] },
    action: 'block',
    reasonCode: 'blame',
  };
  const rules = [...shippedRules('family'), rule];
  assert.is((await http.post('/api/language-rules', { key: 'family', rules }, { token })).status, 201);
  const { batchId } = (await start(mixed.token, mixed.classRow.id)).body;
  await runReport(services, { organizationId: mixed.organizationId, id: batchId });
  assert.is((await look(batchId, mixed.token)).body.state, 'done');
  const bytes = await bytesOf(batchId);
  assert.ok(textOf(bytes, 1).includes('إلى أسرة هند'));
  assert.ok(textOf(bytes, 3).includes('إلى أسرة ليان'), textOf(bytes, 3).slice(0, 300));
  app.clock.advance(60_000);
});

test('a refused sentence, and no rules at all: no file and no job', async () => {
  const small = await classroom.room();
  await classroom.student(small);
  const token = await signIn(app, await buildSuperAdmin(owner));
  const { batchId } = (await start(small.token, small.classRow.id)).body;
  const rule = { id: 'NEW-91', tiers: ['parent'], match: { phrases: ['قصاصة'] }, action: 'block', reasonCode: 'blame' };
  const posted = await http.post(
    '/api/language-rules',
    { key: 'family', rules: [...shippedRules('family'), rule] },
    { token },
  );
  assert.is(posted.status, 201);
  for (let attempt = 0; attempt < 3; attempt++) {
    await owner('report_job')
      .where({ id: batchId })
      .update({ heldUntil: new Date(0) });
    await runReport(services, { organizationId: small.organizationId, id: batchId });
  }
  const row = await owner('report_job').where({ id: batchId }).first('state', 'failureCode');
  assert.equal(row, { state: 'failed', failureCode: 'language_unsafe' });
  assert.equal(await owner('platform_alert').where({ code: 'PARENT_STRING_UNSAFE' }).pluck('severity'), ['critical']);
  app.clock.advance(60_000);
  const { body } = await http.get<{ items: { id: string; key: string; state: string }[] }>('/api/language-rules', {
    token,
  });
  const active = body.items.find(({ key, state }) => key === 'family' && state === 'active');
  await http.patch(`/api/language-rules/${active?.id}/deactivate`, {}, { token });
  assert.is((await start(small.token, small.classRow.id)).status, 503);
});

test.run();
