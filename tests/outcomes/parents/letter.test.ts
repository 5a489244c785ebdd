// The letter to a family, on paper and on a screen: who may have it, what it says, in which order, and the same bytes for the
// same facts (contract 70 §1, §7).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { findStudent } from '#identity/people/index.ts';
import { letterPart, printLetters } from '#outcomes/parents/letter/paper.ts';
import { prepareLetter } from '#outcomes/parents/letter/prepare-letter.ts';
import { letterRoutes } from '#outcomes/parents/letter/routes.ts';
import { pageCount, pdfInfo, rawText, readsPages } from '../../core/platform/pdf/pdf-text.ts';
import {
  buildClass,
  buildPrincipal,
  buildStudent,
  buildSuperAdmin,
  buildTeacher,
  buildUser,
  signIn,
  type UserRow,
} from '../../harness/factories.ts';
import { sentStatements } from '../../harness/statements/sent-statements.ts';
import { decodingNeed, halting, type Room, useClassroom } from '../../support/interventions/classroom.ts';
import { type Family, familyOf, halt, labels } from './family.ts';

const test = suite('letter to a family');
const readTest = readsPages(test);
const classroom = useClassroom(test);
const { app, http } = classroom;
const { owner } = app.database;
let room: Room;

test.before(async () => {
  room = await classroom.room({ name: 'الثاني (2ب)' });
  await owner('organization').where({ id: room.organizationId }).update({ name: 'مؤسسة البيان' });
  await owner('school').where({ id: room.classRow.schoolId }).update({ name: 'مدرسة النور' });
  await owner('app_user').where({ id: room.teacher.id }).update({ fullNameAr: 'سارة القحطاني' });
});
test.before.each(() => app.clock.set('2026-01-15T08:00:00.000Z'));

const family = async (fullNameAr = 'هند العتيبي'): Promise<Family> =>
  familyOf(classroom, await buildStudent(owner, room.classRow, { fullNameAr }));

/** As the route prints it; the client of tests reads text alone. */
async function letter({ student }: Family): Promise<Buffer> {
  const now = app.clock.now();
  const say = await inReadOnlyContext(app.services.db, { organizationId: room.organizationId }, async (trx) => {
    const { row: scope } = await findStudent(trx, student.id);
    return prepareLetter({ services: classroom.services, trx, scope, now }, 'renderParentPdf');
  });
  const { content, localDay } = await say();
  return printLetters(content.titleAr, [letterPart(content)], localDay);
}

const teacherToken = () => signIn(app, room.teacher);

const plain = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const printed = (bytes: Buffer) => plain(rawText(bytes));
const page = async ({ childId, parent }: Family) => {
  const answer = await http.get<string>(`/api/parent/children/${childId}/letter`, { token: await signIn(app, parent) });
  assert.equal([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.is(answer.headers.get('cache-control'), 'private, no-store');
  return answer.body;
};

/** In their order. */
const inOrder = (text: string, parts: readonly string[]) => {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    assert.ok(at >= 0, `«${part}» after ${from} in ${text}`);
    from = at + part.length;
  }
};

const print = (childId: string | number, token: string, body: unknown = {}) =>
  http.post<string>(`/api/parent/pdf/${childId}`, body, { token });

test('the letter is printed only for teachers of the child and administrators', async () => {
  const one = await family();
  const { organizationId, classRow } = room;
  const elsewhere = await buildClass(owner, { organizationId, schoolId: classRow.schoolId, grade: 2 });
  const asked: readonly (readonly [string, UserRow, number])[] = [
    ['PRIMARY', room.teacher, 200],
    ['SECONDARY', await buildTeacher(owner, classRow, 'SECONDARY'), 200],
    ['ADMIN', await buildUser(owner, 'ADMIN', { organizationId }), 200],
    ['SUPER', await buildSuperAdmin(owner), 200],
    ['another teacher', await buildTeacher(owner, elsewhere), 403],
    ['PRINCIPAL', await buildPrincipal(owner, { id: classRow.schoolId, organizationId }), 403],
    ['MANAGER', await buildUser(owner, 'MANAGER', { organizationId }), 403],
    ['PARENT', one.parent, 403],
    ['STUDENT', one.student, 403],
    ['another organization', await buildTeacher(owner), 404],
  ];
  for (const [who, user, expected] of asked) {
    const token = await signIn(app, user);
    const answer = await print(one.student.id, token);
    assert.is(answer.status, expected, `${who}: ${JSON.stringify(answer.body).slice(0, 200)}`);
    const readable = { PARENT: 200 }[who] ?? expected;
    assert.is((await http.get(`/api/parent/children/${one.student.id}/letter`, { token })).status, readable, who);
    if (expected !== 200) continue;
    assert.is((await print(one.childId, token)).status, 200, `${who} by the handle`);
    assert.is(answer.headers.get('content-type'), 'application/pdf');
    assert.is(answer.headers.get('content-disposition'), 'inline; filename="parent-letter.pdf"');
    assert.is(answer.headers.get('cache-control'), 'private, no-store');
  }
  const token = await teacherToken();
  assert.is((await print(room.teacher.id, token)).status, 404, 'an adult');
  assert.is((await print(one.student.id, token, { window: 'BOY' })).status, 422);
});

const letterSections = [
  ...[
    'مدرسة النور',
    'الثاني (2ب)',
    'هند العتيبي',
    'الخميس، ١٥ يناير ٢٠٢٦',
    'رسالة إلى الأسرة',
    'إلى أسرة هند الكريمة،',
  ],
  ...['ما لاحظناه في المدرسة', 'قراءة الكلمات', 'قراءة الكلمة تبدأ من حروفها وعلاماتها.'],
  ...['ما يمكن أن نفعله معًا في البيت', 'نركّب الكلمة', 'نقرّب الأصوات بعضها من بعض حتى نقرأ كلمة قصيرة.'],
  ...['قراءة مشتركة', 'كلمات من حولنا', 'ما يأتي بعد ذلك', 'نواصل المتابعة في الصف، ونخبركم بكل جديد.'],
  ...[
    'المعلم أو المعلمة: سارة القحطاني',
    'قصاصة تُعاد إلى المدرسة',
    'هند العتيبي',
    'الثاني (2ب)',
    'اسم ولي الأمر وتوقيعه',
    'ملاحظات الأسرة',
    'توقيع المعلم أو المعلمة: سارة القحطاني',
  ],
];

readTest(
  'a letter: its sections in order on one page, the same sentences on a screen, no digit but its date',
  async () => {
    const one = await family();
    await classroom.measure([one.student], decodingNeed);
    const bytes = await letter(one);
    assert.is(pageCount(bytes), 1);
    assert.ok(bytes.length < 60_000, `${bytes.length} bytes`);
    const text = printed(bytes);
    inOrder(text, letterSections);
    for (const printedText of [labels.support, labels.more, 'بداية الطريق', 'منتصف العام: ', 'سري –'])
      assert.ok(text.includes(printedText), printedText);
    const ownWords = text.replaceAll('الثاني (2ب)', '').replaceAll('الخميس، ١٥ يناير ٢٠٢٦', '');
    assert.not.match(ownWords, /[\p{N}%A-Za-z]/u);
    const html = await page(one);
    assert.match(html, /^<!doctype html>\n<html lang="ar" dir="rtl">/);
    assert.not.match(html, /<script|<img|<link|href=|src=|url\(|\son[a-z]+=/);
    for (const tag of ['<h1>', '<h2>', '<ul', '<li>', '@media print']) assert.ok(html.includes(tag), tag);
    inOrder(plain(html.replace(/<style>[\s\S]*<\/style>/, '').replaceAll(/<[^>]*>/g, ' ')), letterSections);
    const sentences = [...html.matchAll(/<(p|h1|h2|h3|strong|span|li)[^>]*>([^<]+)</g)].map(([, , printedText = '']) =>
      plain(printedText),
    );
    for (const printedText of sentences.filter((one) => one !== ''))
      assert.ok(text.includes(printedText), `«${printedText}» on paper`);
    const info = pdfInfo(bytes);
    assert.not.match(info, /هند|سارة/, 'no one in what the file says of itself');
  },
);

readTest('the same facts on the same local day give the same bytes; another day is another letter', async () => {
  const one = await family('نُورَةُ الشَّمَّرِيُّ');
  await classroom.measure([one.student], decodingNeed, '2026-01-15T07:00:00.000Z');
  const first = await letter(one);
  app.clock.set('2026-01-15T20:59:59.000Z');
  assert.ok((await letter(one)).equals(first));
  app.clock.set('2026-01-15T21:00:00.000Z');
  assert.not.ok((await letter(one)).equals(first), 'midnight in Riyadh');
  assert.ok(printed(first).includes('نُورَةُ'.normalize('NFC')), 'marks are read as they were written');
});

readTest('in a halt, or never measured: the page that says that more is needed, and not one label', async () => {
  const [halted, fresh] = [await family(), await family()];
  await classroom.measure([halted.student], decodingNeed);
  await classroom.measure([halted.student], halting);
  for (const one of [halted, fresh]) {
    for (const text of [printed(await letter(one)), plain((await page(one)).replaceAll(/<[^>]*>/g, ' '))]) {
      inOrder(text, [
        'مدرسة النور',
        'إلى أسرة هند الكريمة،',
        'أنشطة أكثر قبل أن نقترح',
        halt,
        'ما يأتي بعد ذلك',
        'ملاحظات الأسرة',
      ]);
      for (const silent of [labels.meets, labels.support, labels.approaching, 'ما لاحظناه', 'في البيت']) {
        assert.not.ok(text.includes(silent), silent);
      }
    }
    assert.is(pageCount(await letter(one)), 1);
  }
});

readTest('names are data: they are shown as they are, and never break out of the page', async () => {
  const one = await family('عبد الله بن سعد');
  await owner('class').where({ id: room.classRow.id }).update({ name: '<b>1A</b> & "٣"' });
  const html = await page(one);
  assert.ok(
    html.includes('<p>&lt;b&gt;1A&lt;/b&gt; &amp; &quot;٣&quot;</p>') && html.includes('إلى أسرة عبد الله الكريمة،'),
  );
  await owner('class').where({ id: room.classRow.id }).update({ name: 'الثاني (2ب)' });
});

test('a link that is removed while the letter is made closes it', async () => {
  const one = await family();
  const route = letterRoutes.find(({ operation }) => operation === 'readParentLetter');
  const { organizationId } = room;
  const actor = { userId: one.parent.id, organizationId, persona: 'PARENT' };
  const asking = { services: classroom.services, actor, params: { childId: one.childId }, now: app.clock.now() };
  const looked = () =>
    inReadOnlyContext(app.services.db, { organizationId }, async (trx) => {
      const { row: scope } = (await route?.resolve?.({ ...asking, trx } as never)) ?? { row: undefined };
      return { scope, made: await route?.prepare?.({ ...asking, trx, scope } as never) };
    });
  const { made } = await looked();
  await owner('parent_student').where({ childId: one.childId }).delete();
  await made?.();
  const refused = await looked().catch((error: unknown) => error);
  assert.ok(refused instanceof AppError && refused.code === 'NOT_FOUND');
});

test('the number of statements does not grow with what was measured', async () => {
  const one = await family();
  const token = await signIn(app, one.parent);
  const count = async () =>
    (await sentStatements(app.database.app, () => http.get(`/api/parent/children/${one.childId}/letter`, { token })))
      .length;
  await classroom.measure([one.student], decodingNeed);
  await count();
  const before = await count();
  await classroom.measure([one.student], decodingNeed);
  assert.is(await count(), before);
});

test.run();
