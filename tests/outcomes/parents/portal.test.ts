// What parents read of their children: whose child, which words, and nothing that is not on the list of fields (contract 70 §1).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkJson } from '#core/http/checks/validation.ts';
import { newId } from '#core/platform/ids.ts';
import { OutsideSchema, renderGuarded } from '#outcomes/parents/alerts.ts';
import { ChildList, FamilyText } from '#outcomes/parents/portal/schemas.ts';
import { buildClass, buildStudent, buildSuperAdmin, buildUser, signIn } from '../../harness/factories.ts';
import { sentStatements } from '../../harness/statements/sent-statements.ts';
import { shippedRules } from '../../rules/language/sets.ts';
import {
  decodingNeed,
  firstPart,
  halting,
  languageNeed,
  type Room,
  useClassroom,
} from '../../support/interventions/classroom.ts';
import { type Family, familyOf, halt, labels, newFamily, read } from './family.ts';
import { addRun } from './runs.ts';

const test = suite('parent portal');
const classroom = useClassroom(test);
const { app, http } = classroom;
const { owner } = app.database;
let room: Room;
let superToken: string;

test.before(async () => {
  room = await classroom.room();
  superToken = await signIn(app, await buildSuperAdmin(owner));
});
test.before.each(() => app.clock.set('2026-01-15T08:00:00.000Z'));

interface Growth {
  readonly tiles: readonly {
    readonly macroDomainAr: string;
    readonly trajectoryLabelAr: string;
    readonly points: readonly { readonly periodAr: string; readonly labelAr: string }[];
  }[];
}
interface Diagnostics {
  readonly items: readonly { readonly completedOn: string; readonly statusLabelAr: string }[];
}

const status = async (childId: string | number, token: string, rest = 'growth') =>
  (await http.get(`/api/parent/children/${childId}/${rest}`, { token })).status;

test('a child is found by the handle of the own link or its own id, and by nothing else', async () => {
  const family = await newFamily(classroom, room);
  const other = await newFamily(classroom, room);
  const far = await familyOf(classroom, await buildStudent(owner));
  const adult = await buildUser(owner, 'TEACHER', { organizationId: room.organizationId });
  const asked: readonly (readonly [string | number, number])[] = [
    [family.childId, 200],
    [family.student.id, 200],
    [other.student.id, 403],
    [other.childId, 404],
    [far.childId, 404],
    [far.student.id, 404],
    [adult.id, 404],
    ['abcdefghijklmnopqrstuvwx', 404],
    ['0', 404],
    ['12.5', 404],
    [Number.MAX_SAFE_INTEGER, 404],
  ];
  for (const rest of ['diagnostics', 'growth', 'recommendations', 'letter']) {
    for (const [childId, expected] of asked)
      assert.is(await status(childId, family.token, rest), expected, `${childId} ${rest}`);
    for (const one of [family, other, far]) {
      assert.is(await status(one.childId, superToken, rest), 200, 'any live handle for the backoffice');
      assert.is(await status(one.student.id, superToken, rest), 200);
    }
  }
});

test('an unlinked child is closed at once, by both of its names', async () => {
  const family = await newFamily(classroom, room);
  await owner('parent_student').where({ parentUserId: family.parent.id }).delete();
  assert.equal([await status(family.childId, family.token), await status(family.student.id, family.token)], [404, 403]);
});

test('children are listed in the order of linking, with a name, a grade, a school and when they were last seen', async () => {
  const { owner: rows } = app.database;
  const student = await buildStudent(owner, room.classRow, { fullNameAr: 'عبد الله\u202E بن سعد' });
  const family = await familyOf(classroom, student);
  const { organizationId } = room;
  const second = await buildUser(owner, 'STUDENT', { organizationId, fullNameAr: 'راسب العتيبي' });
  const link = { organizationId, parentUserId: family.parent.id };
  await rows('parent_student').insert({ ...link, studentId: second.id, childId: 'aaaaaaaaaaaaaaaaaaaaaaaa' });
  await rows('school').where({ id: room.classRow.schoolId }).update({ name: 'مدرسة النور 2\u202E' });
  app.clock.set('2026-01-14T06:00:00.000Z');
  await signIn(app, student);
  const list = async () => (await http.get('/api/parent/children', { token: family.token })).body;
  const [one, two] = [
    { childId: family.childId, firstNameAr: 'عبد الله', gradeLevel: 2, schoolName: 'مدرسة النور 2' },
    {
      childId: 'aaaaaaaaaaaaaaaaaaaaaaaa',
      firstNameAr: 'راسب',
      gradeLevel: null,
      schoolName: null,
      lastActiveAt: null,
    },
  ];
  assert.equal(await list(), { items: [{ ...one, lastActiveAt: '2026-01-14T06:00:00.000Z' }, two] });
  await rows('enrollment').where({ studentId: student.id }).update({ enrolledTo: '2026-01-15' });
  await classroom.measure([student], firstPart(), '2026-01-15T07:00:00.000Z');
  const { items } = (await list()) as { items: readonly { gradeLevel: number; lastActiveAt: string }[] };
  assert.is(items[0]?.gradeLevel, 2, 'between classes that of the last one');
  assert.ok((items[0]?.lastActiveAt ?? '') > '2026-01-14T06:00:00.000Z', 'an answered item');
});

test('without linked children: an empty list, for the backoffice too', async () => {
  const token = await signIn(app, await buildUser(owner, 'PARENT', { organizationId: room.organizationId }));
  for (const one of [token, superToken]) {
    assert.equal((await http.get('/api/parent/children', { token: one })).body, { items: [] });
  }
});

test('a diagnostic has its day and the label of the first run after it, whatever later runs find', async () => {
  const family = await newFamily(classroom, room);
  await classroom.measure([family.student], decodingNeed, '2026-01-14T21:30:00.000Z');
  const reported = () => read<Diagnostics>(classroom, family, 'diagnostics');
  const first = { completedOn: '2026-01-15', statusLabelAr: labels.support };
  assert.equal(await reported(), { items: [first] }, 'the day is that of Riyadh');
  app.clock.set('2026-01-15T09:00:00.000Z');
  await addRun(app, family.student, { asOf: '2026-01-15T08:30:00.000Z', tiles: { WORD_READING: 'Meets' } });
  assert.equal((await reported()).items, [first]);
  const halted = await newFamily(classroom, room);
  await classroom.measure([halted.student], { ...firstPart(), ...halting });
  assert.is((await read<Diagnostics>(classroom, halted, 'diagnostics')).items[0]?.statusLabelAr, labels.more);
});

test('the label is the worst ordered value of several areas, never that of the overall tile', async () => {
  const family = await newFamily(classroom, room);
  await classroom.measure([family.student], firstPart(), '2026-01-15T07:00:00.000Z');
  const { tiles } = await owner('sse_run').where({ studentId: family.student.id }).first('tiles');
  const values = new Map(tiles.map(({ tileCode, status }: { tileCode: string; status: string }) => [tileCode, status]));
  assert.is(values.get('GLOBAL'), 'Partial');
  const worst = ['Severe', 'Below', 'Approaching', 'Meets'].find((value) => [...values.values()].includes(value));
  const expected = { Meets: labels.meets, Approaching: labels.approaching }[worst ?? ''] ?? labels.more;
  assert.is((await read<Diagnostics>(classroom, family, 'diagnostics')).items[0]?.statusLabelAr, expected);
});

const tile = ({ tiles }: Growth, at: number) => {
  const { trajectoryLabelAr, points } = tiles[at] ?? { trajectoryLabelAr: '', points: [] };
  return [trajectoryLabelAr, ...points.map(({ periodAr, labelAr }) => `${periodAr}: ${labelAr}`)];
};

/** WORD_READING is the second tile. */
const wordReading = async (family: Family) => tile(await read<Growth>(classroom, family, 'growth'), 1);

test('growth: the last run of each season of the school year, oldest first, and where it leads', async () => {
  const family = await newFamily(classroom, room);
  const growth = await read<Growth>(classroom, family, 'growth');
  assert.equal(
    growth.tiles.map(({ points, trajectoryLabelAr }) => [points.length, trajectoryLabelAr]),
    growth.tiles.map(() => [0, labels.more]),
  );
  assert.is(growth.tiles.length, 6, 'all areas of grade 2, never measured');
  app.clock.set('2025-09-10T08:00:00.000Z');
  await classroom.measure([family.student], decodingNeed);
  const add = (asOf: string, value: string, more = {}) =>
    addRun(app, family.student, { asOf, tiles: { WORD_READING: value }, ...more });
  await add('2025-10-10T08:00:00.000Z', 'Below');
  assert.equal(await wordReading(family), ['بداية الطريق', `بداية العام: ${labels.support}`]);
  // 22:30 in London is the first of December in Riyadh.
  await add('2025-11-30T22:30:00.000Z', 'Approaching', { trigger: 'rule_activation' });
  assert.equal((await wordReading(family)).length, 2, 'rules alone give no point of a season that has no other');
  await add('2026-01-10T08:00:00.000Z', 'Severe');
  app.clock.set('2026-01-15T08:00:00.000Z');
  assert.equal(await wordReading(family), [
    'دعم إضافي مفيد الآن',
    `بداية العام: ${labels.support}`,
    `منتصف العام: ${labels.support}`,
  ]);
  await add('2026-01-11T08:00:00.000Z', 'Approaching', { trigger: 'rule_activation' });
  const rising = ['تقدّم', `بداية العام: ${labels.support}`, `منتصف العام: ${labels.approaching}`];
  assert.equal(await wordReading(family), rising);
  app.clock.set('2026-04-15T08:00:00.000Z');
  await add('2026-04-10T08:00:00.000Z', 'Partial');
  assert.equal(await wordReading(family), [...rising, `نهاية العام: ${labels.more}`], 'not on the scale, and reported');
  await add('2026-04-11T08:00:00.000Z', 'Approaching');
  assert.is((await wordReading(family))[0], 'استمرار');
  await add('2026-04-12T08:00:00.000Z', 'Meets', { halted: true });
  const inHalt = await wordReading(family);
  assert.equal([inHalt[0], inHalt[3]], [labels.more, `نهاية العام: ${labels.more}`]);
  assert.is(inHalt[2], rising[2], 'older points stay');
  app.clock.set('2026-09-15T08:00:00.000Z');
  assert.equal(await wordReading(family), [labels.more], 'the next school year begins without');
});

test('areas are those of the grade, the last one between classes; a child who never was in a class has none', async () => {
  const { organizationId } = room;
  const child = await familyOf(classroom, await buildUser(owner, 'STUDENT', { organizationId }));
  assert.equal(await read(classroom, child, 'growth'), { tiles: [] });
  const first = await familyOf(classroom, await buildStudent(owner, await buildClass(owner, { grade: 1 })));
  const { tiles } = await read<Growth>(classroom, first, 'growth');
  assert.ok(tiles.length > 0 && tiles.every(({ macroDomainAr }) => !/[\p{N}A-Za-z]/u.test(macroDomainAr)));
});

test('suggestions are those of the profile; without one, in a halt or without an approved text it is exactly the halt', async () => {
  const family = await newFamily(classroom, room);
  const ask = (query = '') => read(classroom, family, `recommendations${query}`);
  assert.equal(await ask(), { halt: true, messageAr: halt });
  await classroom.measure([family.student], decodingNeed);
  const suggestions = [
    { titleAr: 'نركّب الكلمة', bodyAr: 'نقرّب الأصوات بعضها من بعض حتى نقرأ كلمة قصيرة.' },
    { titleAr: 'قراءة مشتركة', bodyAr: 'نقرأ سطرًا بهدوء ثم يقرأ طفلكم السطر نفسه.' },
    { titleAr: 'كلمات من حولنا', bodyAr: 'نسمّي الأشياء من حولنا ونصفها بجمل كاملة.' },
  ];
  assert.equal(await ask(), { windowLabelAr: 'بداية العام', suggestions });
  assert.equal(await ask('?window=EOY'), { windowLabelAr: 'نهاية العام', suggestions });
  for (const wrong of ['boy', 'ANY', '']) {
    assert.is(await status(family.childId, family.token, `recommendations?window=${wrong}`), 422);
  }
  const silent = await newFamily(classroom, room);
  await classroom.measure([silent.student], languageNeed);
  await owner('profile_narrative')
    .where({ audience: 'parent', profileCode: 'LANGUAGE_NEED' })
    .update({ state: 'superseded' });
  assert.equal(await read(classroom, silent, 'recommendations'), { halt: true, messageAr: halt });
  await classroom.measure([family.student], halting);
  assert.equal(await ask(), { halt: true, messageAr: halt });
});

test('the number of statements does not grow with children or runs', async () => {
  const family = await newFamily(classroom, room);
  const { childId, token, student, parent } = family;
  const rests = ['growth', 'recommendations', 'diagnostics'].map((rest) => `/${childId}/${rest}`);
  const counts = async () => {
    const found: number[] = [];
    for (const rest of ['', ...rests]) {
      const sent = await sentStatements(app.database.app, () => http.get(`/api/parent/children${rest}`, { token }));
      found.push(sent.length);
    }
    return found;
  };
  await classroom.measure([student], decodingNeed);
  await counts();
  const before = await counts();
  for (const more of [1, 2, 3]) {
    const link = { organizationId: room.organizationId, parentUserId: parent.id, childId: `b${'0'.repeat(22)}${more}` };
    await owner('parent_student').insert({ ...link, studentId: (await classroom.student(room)).id });
  }
  await classroom.measure([student], firstPart());
  assert.equal(await counts(), before);
});

test('who asks for a child asks in one organization, by either name of the child', async () => {
  const { childId, token, student } = await newFamily(classroom, room);
  const admin = await signIn(app, await buildUser(owner, 'ADMIN', { organizationId: room.organizationId }));
  for (const [asker, name] of [
    [token, childId],
    [token, student.id],
    [admin, childId],
    [admin, student.id],
  ]) {
    const sent = await sentStatements(app.database.app, () =>
      http.get(`/api/parent/children/${name}/letter`, { token: String(asker) }),
    );
    const ofChild = sent.filter((sql) => /parent_student|"primary_persona" = /.test(sql));
    assert.ok(ofChild.length > 0);
    for (const sql of ofChild) {
      const read = sql.match(/from "(parent_student|app_user)"/g) ?? [];
      const held = sql.match(/"organization_id" = [$?]/g) ?? [];
      assert.ok(held.length >= read.length, sql);
    }
  }
});

/** A further rule of the set for families, in force at once. */
async function refuse(phrase: string): Promise<void> {
  app.clock.advance(60_000);
  const rule = { id: 'NEW-91', tiers: ['parent'], match: { phrases: [phrase] }, action: 'block', reasonCode: 'blame' };
  const body = { key: 'family', rules: [...shippedRules('family'), rule] };
  const answer = await http.post('/api/language-rules', body, { token: superToken });
  assert.is(answer.status, 201, JSON.stringify(answer.body));
}

const alerts = (): Promise<{ severity: string; details: { textId: string } }[]> =>
  owner('platform_alert').where({ code: 'PARENT_STRING_UNSAFE' }).select('severity', 'details');

test('a rule that catches a name changes no sentence: names are data; one that is unsafe with any stops the answer', async () => {
  const named = await familyOf(classroom, await buildStudent(owner, room.classRow, { fullNameAr: 'نجلاء العتيبي' }));
  const other = await familyOf(classroom, await buildStudent(owner, room.classRow, { fullNameAr: 'هند العتيبي' }));
  await classroom.measure([named.student, other.student], decodingNeed);
  const suggestions = [{ suggestionCode: 'HS-90', titleAr: 'وقت القراءة', bodyAr: 'نقرأ معًا قصة مع {{firstNameAr}}.' }];
  await owner('profile_narrative').insert({
    ...{ id: newId(), profileCode: 'DECODING_NEED', audience: 'parent', season: 'BOY', version: 1, state: 'approved' },
    ...{ suggestions: JSON.stringify(suggestions), authorUserId: 1, reviewerUserId: 2 },
    ...{ createdAt: app.clock.now(), decidedAt: app.clock.now() },
  });
  const reported = async (family: Family) =>
    (await read<{ suggestions: { bodyAr: string }[] }>(classroom, family, 'recommendations')).suggestions[0]?.bodyAr;
  assert.is(await reported(named), 'نقرأ معًا قصة مع نجلاء.');
  await refuse('مع نجلاء');
  assert.is(await reported(named), 'نقرأ معًا قصة مع نجلاء.');
  assert.is(await reported(other), 'نقرأ معًا قصة مع هند.');
  assert.equal(await alerts(), []);
  await refuse('بداية الطريق');
  for (let times = 0; times < 2; times++) {
    const stopped = await http.get(`/api/parent/children/${named.childId}/growth`, { token: named.token });
    assert.equal([stopped.status, (stopped.body as { code: string }).code], [500, 'INTERNAL']);
    assert.not.match(JSON.stringify(stopped.body), /بداية|trajectory|growth/);
  }
  const [alert, ...more] = await alerts();
  assert.equal([alert?.severity, alert?.details.textId], ['critical', 'growth-trend/tile/trajectory.starting']);
  assert.equal(more, [], 'once for a text and a set of rules');
  assert.is(await status(named.childId, named.token, 'diagnostics'), 200, 'other answers go on');
});

test('a response with an unlisted field is stopped and raises an alert', async () => {
  const say = () => ({ items: [], theta: 1 });
  const reported = { operation: 'listChildren', versions: { 'a/b': 1 } };
  const error = await renderGuarded(app.services, reported, ChildList, say).catch((thrown: unknown) => thrown);
  assert.instance(error, OutsideSchema);
  const rows = await owner('platform_alert').where({ code: 'PARENT_RESPONSE_OUTSIDE_SCHEMA' }).select('severity');
  assert.equal(rows, [{ severity: 'critical' }]);
  for (const sentence of ['12 كلمة', '٣ من ٥', 'نسبة %', ''])
    assert.not.equal(checkJson(FamilyText)(sentence), [], sentence);
});

test('without rules for families 503, after the checks of permission, child and reach', async () => {
  const family = await newFamily(classroom, room);
  const other = await newFamily(classroom, room);
  app.clock.set('2026-01-15T08:05:00.000Z');
  const { body } = await http.get<{ items: { id: string; key: string; state: string }[] }>('/api/language-rules', {
    token: superToken,
  });
  const active = body.items.find(({ key, state }) => key === 'family' && state === 'active');
  await http.patch(`/api/language-rules/${active?.id}/deactivate`, {}, { token: superToken });
  const rests = ['diagnostics', 'growth', 'recommendations', 'letter'];
  for (const rest of rests) {
    assert.is(await status(family.childId, family.token, rest), 503, rest);
    assert.is(await status(other.childId, family.token, rest), 404);
    assert.is(await status(other.student.id, family.token, rest), 403);
    assert.is(await status(family.childId, await signIn(app, family.student), rest), 403);
  }
  assert.is(await status(family.childId, family.token, 'recommendations?window=x'), 422);
  assert.is((await http.get('/api/parent/children', { token: family.token })).status, 503);
});

test.run();
