// The report for a board over HTTP and through its worker: published counts alone, hidden ones marked as hidden, and no one
// named.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { runReport } from '#messaging/documents/runs/run.ts';
import { appendRelease, type NewCell } from '#outcomes/aggregates/releases/rows/publish.ts';
import { pageCount, readsPages, textOf } from '../../core/platform/pdf/pdf-text.ts';
import { buildSchool, buildStudent } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { installShippedRules } from '../../harness/rules.ts';
import { buildTenant, type Person, type Tenant } from '../../harness/world.ts';

const test = suite('board report as PDF');
const readTest = readsPages(test);
const app = useApp(test);
const { owner } = app.database;
const { services, clock } = app;
let tenant: Tenant;
let stranger: Tenant;
test.before(async () => {
  await installShippedRules(owner);
  tenant = await buildTenant(app);
  stranger = await buildTenant(app);
});

const asks = (by: Person, of: Tenant = tenant) =>
  app.post<{ jobId: string }>(`/api/reports/orgs/${of.organizationId}/board-pdf`, {}, { token: by.token });

async function rendered(): Promise<{ jobId: string; bytes: Buffer }> {
  const { organizationId, people } = tenant;
  const { jobId } = (await asks(people.MANAGER)).body;
  await runReport(services, { organizationId, id: jobId });
  return { jobId, bytes: (await owner('report_file').where({ jobId }).first())?.bytes };
}

type Counts = Readonly<Record<string, number | null>>;
const cellOf = (unit: 'school' | 'organization', unitId: string, students: number, counts: Counts): NewCell => ({
  ...{ unit, unitId, space: 'tile', subject: 'FLUENCY', students, counts },
});

async function release(unit: 'school' | 'organization', unitId: string, season: 'BOY' | 'MOY', cells: NewCell[]) {
  const { organizationId } = tenant;
  await inContext(services.db, { organizationId }, (trx) =>
    appendRelease(
      trx,
      {
        ...{ organizationId, unit, unitId, schoolYear: '2025-2026', season, releasedAt: clock.now() },
        ...{ asOf: clock.now(), ruleVersions: { 'dsm/dsm': 2 } },
      },
      { cells, counts: [] },
    ),
  );
  clock.advance(60_000);
}

readTest('before the first release: one page that says what will be published and when', async () => {
  const { jobId, bytes } = await rendered();
  const text = textOf(bytes);
  assert.is(pageCount(bytes), 1);
  for (const printed of ['سري –', 'فترة القياس: لم يُنشر بعد', 'ما سيُنشر وموعده', 'عدد المدارس: 2', 'نسبة من قيسوا ('])
    assert.ok(text.includes(printed), printed);
  assert.match(text, /بعد انتهائها، في 20\d\d\/(4|8|12)\/1\./);
  const { body } = await app.get<Record<string, unknown>>(`/api/report-jobs/${jobId}`, {
    token: tenant.people.MANAGER.token,
  });
  assert.equal([body.kind, body.target, body.state], ['board_report', { orgId: tenant.organizationId }, 'done']);
  const { finishedAt, expiresAt } = body as { finishedAt: string; expiresAt: string };
  assert.is(Date.parse(expiresAt) - Date.parse(finishedAt), 7 * 86_400_000, 'a file is kept for 7 days');
});

readTest(
  'published cells, the trend of seasons and schools in alphabetical order, in the order of the contract',
  async () => {
    const { organizationId, school } = tenant;
    const small = await buildSchool(owner, { organizationId, name: 'أبجد' });
    await owner('school').where({ id: school.id }).update({ name: 'ياسمين' });
    const first = { Meets: 40, Approaching: 30, Below: 20, Severe: 5, More_Data: 5 };
    const now = { Meets: 61, Approaching: null, Below: null, Severe: 9, More_Data: 8 };
    await release('organization', organizationId, 'BOY', [cellOf('organization', organizationId, 100, first)]);
    const ofSchool = { Meets: 50, Approaching: 10, Below: 13, Severe: 9, More_Data: 8 };
    const ofSmall = { Meets: 7, Approaching: 5, Below: null, Severe: null, More_Data: 6 };
    await release('school', school.id, 'MOY', [cellOf('school', school.id, 90, ofSchool)]);
    await release('school', small.id, 'MOY', [cellOf('school', small.id, 25, ofSmall)]);
    await release('organization', organizationId, 'MOY', [cellOf('organization', organizationId, 115, now)]);
    const text = textOf((await rendered()).bytes);
    const inOrder = [
      ...['تقرير المجلس', 'فترة القياس: منتصف العام 2025-2026', 'عدد الطلبة: 115', 'عدد المدارس: 3', 'مجالات القراءة'],
      ...['المسار عبر فترات القياس', 'بداية العام 2025-2026', 'المدارس بالترتيب الهجائي', 'أبجد', 'ياسمين'],
      ...['كيف حُسبت الأرقام', 'تُحجب الأعداد الصغيرة حتى لا يُعرف منها طالب بعينه.'],
    ];
    let from = 0;
    for (const words of inOrder) {
      const at = text.indexOf(words, from);
      assert.ok(at >= from, `${words}\n${text}`);
      from = at + words.length;
    }
    assert.ok(text.includes('24.4%'), 'Below and Severe of the school: 22 of 90');
    for (const part of ['61', 'DSM@2', 'band-descriptions/manager@1']) assert.ok(text.includes(part), part);
    assert.not.ok(text.includes('مستخدم للاختبار'), 'no one is named');
  },
);

test('what happens to children after a release changes nothing of it, and the same facts give the same bytes', async () => {
  const first = await rendered();
  await buildStudent(owner, tenant.classRow);
  clock.advance(1_000);
  const again = await rendered();
  assert.is.not(again.jobId, first.jobId);
  assert.ok(first.bytes.equals(again.bytes));
  assert.equal(await owner('report_file_student').where({ jobId: first.jobId }), []);
});

test('only managers and administrators of the organization may request it', async () => {
  const { people } = tenant;
  const { MANAGER, ADMIN, PRINCIPAL, TEACHER, PARENT } = people;
  for (const by of [MANAGER, ADMIN]) assert.is((await asks(by)).status, 202);
  for (const by of [PRINCIPAL, TEACHER, PARENT]) assert.is((await asks(by)).status, 403);
  assert.is((await asks(stranger.people.MANAGER)).status, 404);
  const { jobId } = (await asks(MANAGER)).body;
  const read = async (by: Person) => (await app.get(`/api/report-jobs/${jobId}`, { token: by.token })).status;
  assert.equal([await read(MANAGER), await read(ADMIN), await read(PRINCIPAL)], [200, 200, 403]);
  assert.is(await read(stranger.people.ADMIN), 404);
  assert.is((await asks(ADMIN)).body.jobId, (await asks(ADMIN)).body.jobId);
});

test.run();
