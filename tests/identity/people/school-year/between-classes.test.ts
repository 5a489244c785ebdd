// A class of another school year gives no grade (contract 12 §3, field case 49): nothing is started, and reads go by the last grade.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildStudent, buildTeacher, signIn, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { type Refusal, september } from './school.ts';

const test = suite('between classes');
const app = useApp(test, { rules: true });
const { owner } = app.database;

test.before.each(() => app.clock.set(september));

const as = async (user: UserRow) => ({ token: await signIn(app, user) });
const noGrade = (body: Refusal) => body.details.map(({ issue }) => issue);

async function inClassOf(academicYear: string) {
  const home = await buildClass(owner, { academicYear, grade: 1 });
  return { home, child: await buildStudent(owner, home), teacher: await buildTeacher(owner, home) };
}

for (const academicYear of ['2025-2026', '2027-2028', '1448-1449']) {
  test(`in a class of ${academicYear} no diagnostic, warm-up, reading or probe begins`, async () => {
    const { home, child, teacher } = await inClassOf(academicYear);
    const passageId = (await app.services.passages.current()).ofGrade(1)[0]?.passageId;
    const score = { passageId, administeredOn: '2026-09-01', wordsAttempted: 20, errors: 1, elapsedSeconds: 60 };
    const refused = await Promise.all([
      app.post<Refusal>('/api/diagnostic-sessions/start', {}, await as(child)),
      app.post<Refusal>('/api/diagnostic-sessions/start', { formCode: 'DIAG-G1-P1' }, await as(child)),
      app.post<Refusal>('/api/orf/assessments/start', { studentId: child.id }, await as(teacher)),
      app.post<Refusal>('/api/orf/assessments/start', { studentId: child.id, passageId }, await as(teacher)),
      app.post<Refusal>(
        '/api/cbm/probes',
        { studentId: child.id, measureCode: 'ORF_WCPM', ...score },
        await as(teacher),
      ),
      app.post<Refusal>(`/api/cluster/recompute/${home.id}`, {}, await as(teacher)),
    ]);
    assert.equal(
      refused.map(({ status }) => status),
      refused.map(() => 409),
    );
    for (const { body } of refused) assert.equal(noGrade(body), ['no_grade']);
  });
}

test('reads go by the last grade, and nothing of a grade is planned', async () => {
  const { child, teacher } = await inClassOf('2025-2026');
  const token = await as(teacher);
  const report = await app.get<{ student: { grade: number } }>(
    `/api/reports/students/${child.id}/sub-skill-report`,
    token,
  );
  assert.equal([report.status, report.body.student?.grade], [200, 1]);
  const status = await app.get(`/api/sse/students/${child.id}/skill-status`, token);
  assert.is(status.status, 200);
});

test('at midnight of the school’s first day the class of last year gives no grade any more', async () => {
  const { child } = await inClassOf('2025-2026');
  app.clock.set('2026-07-31T20:59:00.000Z');
  const before = await app.post<{ formCode: string }>('/api/diagnostic-sessions/start', {}, await as(child));
  assert.is(before.body.formCode, 'DIAG-G1-P1');
  const other = (await inClassOf('2025-2026')).child;
  app.clock.set('2026-07-31T21:00:00.000Z');
  assert.is((await app.post('/api/diagnostic-sessions/start', {}, await as(other))).status, 409);
});

test.run();
