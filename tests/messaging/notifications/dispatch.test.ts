// Dispatch of requests: each is delivered once with a filtered text, or given up with a reason.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { buildParent, buildUser } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { sentStatements } from '../../harness/statements/sent-statements.ts';
import { aboutAlert, buildSchoolhouse, deskOf, type Schoolhouse } from './desk.ts';

const app = useApp(test, { rules: true });
const { clock } = app;
const { owner } = app.database;
let tenant: Schoolhouse;
const desk = deskOf(app, () => tenant);

test.before.each(async () => {
  tenant = await buildSchoolhouse(owner);
});

const states = async () => (await desk.requests()).map(({ state, refusal, waitsFor }) => [state, refusal, waitsFor]);
const alerts = () =>
  owner('platform_alert')
    .where({ organizationId: tenant.organizationId })
    .orderBy('id')
    .select('code', 'severity', 'details');
const toParent = () => ({
  kind: 'parent_tsp_activation',
  payload: { studentId: tenant.people.STUDENT.id, assignmentId: 'plan1' },
  recipientUserId: tenant.people.PARENT.id,
});

test('a notification has the text of its template, with the present name of the child', async () => {
  await owner('app_user').where({ id: tenant.people.STUDENT.id }).update({ fullNameAr: 'عبد الله سالم' });
  await desk.ask(toParent(), {});
  await desk.deliver();
  const rows = await desk.notifications();
  assert.equal(
    rows
      .map(({ kind, severity, renderedTitleAr, renderedBodyAr, tier, deliveryState, ruleVersions }) => [
        ...[kind, severity, tier, renderedTitleAr, renderedBodyAr, deliveryState, ruleVersions],
      ])
      .sort(),
    [
      [
        ...['parent_tsp_activation', 'info', 'parent_stricter', 'بداية خطة الدعم'],
        ...['بدأت المدرسة خطة دعم قصيرة مع عبد الله.', 'delivered_in_app'],
        { 'language/family': 2, 'notification/parent-tsp-activation': 1 },
      ],
      [
        ...['skill_alert_assigned', 'action_required', 'ui', 'تنبيه مهارة: عبد الله سالم (جديد)'],
        ...['تنبيه بشأن عبد الله سالم في مهارة «قراءة الكلمات القصيرة المشكولة»: جديد.', 'delivered_in_app'],
        { 'language/staff': 2, 'notification/skill-alert-assigned': 3 },
      ],
    ],
  );
  assert.not.match(JSON.stringify(rows.map(({ payload }) => payload)), /عبد/);
});

test('a request from before stages is about something new', async () => {
  await desk.ask({});
  await desk.deliver();
  const [row] = await desk.notifications();
  assert.match(JSON.stringify(row?.payload), '"stage":"opened"');
});

test('a document without stages tells what is new as before, and no other stage', async () => {
  await desk.pin({ 'notification/skill-alert-assigned': 2 });
  const { payload } = aboutAlert(tenant.people.STUDENT.id);
  for (const stage of ['opened', 'reminder', 'overdue']) await desk.ask({ payload: { ...payload, stage } });
  await desk.deliver();
  assert.equal(await states(), [
    ['delivered', null, null],
    ['skipped', null, null],
    ['skipped', null, null],
  ]);
  const [row] = await desk.notifications();
  assert.equal(row?.payload, payload);
  assert.equal(await alerts(), []);
  await desk.pin({ 'notification/skill-alert-assigned': 3 });
});

test('an unknown kind, an unfit payload and an unsafe text are given up: one alert an event, however many recipients', async () => {
  const other = await buildUser(owner, 'TEACHER', { organizationId: tenant.organizationId });
  const [unknown = 0] = await desk.ask({ kind: 'no_such_kind', payload: {} });
  await desk.ask({ kind: 'no_such_kind', payload: {}, eventId: unknown, recipientUserId: other.id });
  const [unfit] = await desk.ask({ payload: { studentId: 1, alertId: 'free text', subSkillCode: 'DEC_WORD' } });
  await desk.ask({ payload: { ...aboutAlert(1).payload, note: 'x' } });
  await desk.deliver();
  await desk.deliver();
  assert.equal(await states(), [
    ['refused', 'UnknownKind', null],
    ['refused', 'UnknownKind', null],
    ['refused', 'PayloadInvalid', null],
    ['refused', 'PayloadInvalid', null],
  ]);
  const found = await alerts();
  assert.equal(
    found.map(({ code, severity }) => [code, severity]),
    [...Array(3)].map(() => ['NOTIFICATION_REFUSED', 'high']),
  );
  assert.equal(found[0]?.details, { eventId: unknown, kind: 'no_such_kind', refusal: 'UnknownKind' });
  assert.is(found[1]?.details.eventId, unfit);
  assert.equal(await desk.notifications(), []);
});

test('a template that the filter of a parent does not let through is not sent, also where staff may read it', async () => {
  await newVersion('skill-alert-assigned', { bodyTemplateAr: 'أُسند إليكم تنبيه ٣ في {{subSkillNameAr}}.' }, 4);
  await desk.pin({ 'notification/skill-alert-assigned': 4 });
  await desk.ask({}, { recipientUserId: tenant.people.PARENT.id });
  await desk.deliver();
  assert.equal(await states(), [
    ['delivered', null, null],
    ['refused', 'LanguageUnsafe', null],
  ]);
  assert.equal(
    (await alerts()).map(({ code, severity }) => [code, severity]),
    [['LANGUAGE_UNSAFE', 'critical']],
  );
  await newVersion('skill-alert-assigned', { active: false }, 5);
  await desk.pin({ 'notification/skill-alert-assigned': 5 });
  await desk.ask({});
  await desk.deliver();
  assert.equal((await states()).at(-1), ['refused', 'UnknownKind', null]);
  await desk.pin({ 'notification/skill-alert-assigned': 2 });
});

test('a request without a language set for its reader waits, others are delivered, and it is delivered once there is one', async () => {
  await desk.ask({});
  await desk.pin({ 'language/family': undefined });
  await desk.ask(toParent(), {});
  await desk.deliver();
  await desk.deliver();
  assert.equal(await states(), [
    ['delivered', null, null],
    ['waiting', null, 'language/family'],
    ['delivered', null, null],
  ]);
  await desk.pin({ 'language/family': 2 });
  await Promise.all([desk.deliver(), desk.deliver()]);
  assert.equal((await states())[1], ['delivered', null, null]);
  assert.is((await desk.notifications()).filter(({ kind }) => kind === 'parent_tsp_activation').length, 1);
  assert.equal(await alerts(), []);
});

test('who is not active at the delivery is passed over for good', async () => {
  const { id } = tenant.people.TEACHER;
  await desk.ask({}, { recipientUserId: 999_999 });
  await owner('app_user').where({ id }).update({ status: 'inactive' });
  await desk.deliver();
  await owner('app_user').where({ id }).update({ status: 'active' });
  await desk.deliver();
  assert.equal(await states(), [
    ['skipped', null, null],
    ['skipped', null, null],
  ]);
  assert.equal([await desk.notifications(), await alerts()], [[], []]);
});

test('a parent whose link was removed before the delivery gets nothing about the child, a linked parent does', async () => {
  const { organizationId, people } = tenant;
  const other = await buildParent(owner, { ...people.STUDENT, organizationId } as never);
  const [eventId = 0] = await desk.ask(toParent());
  await desk.ask({ ...toParent(), eventId, recipientUserId: other.id });
  await owner('parent_student').where({ parentUserId: people.PARENT.id }).delete();
  await desk.deliver();
  assert.equal((await states()).toSorted(), [
    ['delivered', null, null],
    ['skipped', null, null],
  ]);
  assert.equal(
    (await desk.notifications()).map(({ recipientUserId }) => recipientUserId),
    [other.id],
  );
});

test('equal source, kind and text within a minute give one row with a count; after reading there is a new row', async () => {
  const same = { sourceId: 'one', ...aboutAlert(tenant.people.STUDENT.id) };
  const other = await buildUser(owner, 'TEACHER', { organizationId: tenant.organizationId });
  await desk.ask(same, same, { ...same, recipientUserId: other.id }, { ...same, sourceId: 'two' });
  await desk.deliver();
  clock.advance(60_000);
  await desk.ask(same);
  await desk.deliver();
  const counts = async () =>
    (await desk.notifications())
      .map(({ recipientUserId, sourceId, count }) => [recipientUserId === other.id, sourceId, count])
      .sort();
  const first = [
    [false, 'one', 3],
    [false, 'two', 1],
    [true, 'one', 1],
  ];
  assert.equal(await counts(), first);
  clock.advance(1);
  await desk.ask(same);
  await desk.deliver();
  assert.equal(await counts(), [[false, 'one', 1], ...first]);
  await owner('notification')
    .where({ organizationId: tenant.organizationId })
    .update({ deliveryState: 'read', readAt: clock.now() });
  await desk.ask(same);
  await desk.deliver();
  assert.equal(await counts(), [[false, 'one', 1], [false, 'one', 1], ...first]);
});

test('two workers at once deliver each once, and a repeated event adds no request', async () => {
  const { PARENT } = tenant.people;
  const events = await desk.ask(...Array.from({ length: 30 }, () => ({})));
  await desk.ask(...events.map((eventId) => ({ eventId })));
  await desk.ask(...events.slice(0, 5).map((eventId) => ({ ...toParent(), eventId, recipientUserId: PARENT.id })));
  await Promise.all([desk.deliver(), desk.deliver(), desk.deliver()]);
  assert.is((await desk.requests()).length, 35);
  const rows = await desk.notifications();
  assert.is(rows.filter(({ kind }) => kind === 'skill_alert_assigned').length, 30);
  assert.equal(
    rows.filter(({ kind }) => kind === 'parent_tsp_activation').reduce((sum, { count }) => sum + Number(count), 0),
    5,
  );
});

test('what has just been done comes before what a change of rules has brought about', async () => {
  await desk.ask({ lane: 1 }, ...Array.from({ length: 499 }, () => ({ lane: 1 })), { lane: 0, sourceId: 'fresh' });
  const read: string[] = [];
  const note = ({ sql, bindings = [] }: { readonly sql: string; readonly bindings?: readonly unknown[] }) => {
    if (/insert into "?notification"? /.test(sql)) read.push(JSON.stringify(bindings));
  };
  app.services.db.on('query', note);
  await desk.deliver();
  app.services.db.removeListener('query', note);
  assert.is(read.length, 2);
  assert.match(read[0] ?? '', /fresh/);
});

test('of two hundred as many statements as of ten', async () => {
  const counted = async (size: number) => {
    const parents: number[] = [];
    for (let at = 0; at < 3; at++) parents.push((await buildParent(owner, tenant.people.STUDENT)).id);
    await desk.ask(
      ...Array.from({ length: size }, (_, at) => ({
        ...toParent(),
        recipientUserId: parents[at % 3] as number,
        sourceId: `s${at}`,
      })),
    );
    return (await sentStatements(app.services.db, () => desk.deliver())).length;
  };
  assert.is(await counted(200), await counted(10));
});

/** Publishes a version like the workbench. */
async function newVersion(key: string, changes: object, version: number): Promise<void> {
  const row = await owner('rule_version').where({ family: 'notification', key, version: 1 }).first();
  const document = JSON.parse(row.document);
  const text = canonicalJson({ ...document, ...changes, meta: { ...document.meta, version } });
  const { id: _id, ledgerNo: _no, ...rest } = row;
  await owner('rule_version').insert({
    ...rest,
    version,
    document: text,
    sha256: sha256Hex(text),
    cases: null,
    goldenSha256: null,
  });
}

test.run();
