// timeout: 240s
// What a draft of a kind of notification would have stated in the last four weeks, to whom not, and what it would no longer keep.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildOrganization, buildStudent, buildUser, type UserRow } from '../../../harness/factories.ts';
import { buildSchoolhouse, deskOf, type Schoolhouse } from '../../../messaging/notifications/desk.ts';
import { edited, impactOf, type WholeReport } from './world.ts';

const test = suite('the impact of kinds of notification');
const shell = useShell(test);
const { app } = shell;
const { owner } = app.database;
let tenant: Schoolhouse;
const desk = deskOf(app, () => tenant);

/** Three children of one class. The name of the second ends a phrase that families must not read. */
const names = ['سارة سالم', 'أمل سالم', 'ضعيف سالم'];
const swap = { benchmarkProfileKey: 'orf-wcpm-global-g2-boy', fromVersion: 1, toVersion: 2 };
let children: UserRow[];
let admin: UserRow;

const plan = (child: UserRow, more: object = {}) => ({
  ...{ kind: 'parent_tsp_activation', payload: { studentId: child.id, assignmentId: 'plan1' } },
  ...{ recipientUserId: tenant.people.PARENT.id, ...more },
});

test.before(async () => {
  app.clock.set('2025-11-20T08:00:00.000Z');
  tenant = await buildSchoolhouse(owner);
  const { organizationId } = tenant;
  const { classId } = await owner('enrollment').where({ studentId: tenant.people.STUDENT.id }).first('classId');
  const classRow = await owner('class').where({ id: classId }).first();
  children = [tenant.people.STUDENT, await buildStudent(owner, classRow), await buildStudent(owner, classRow)];
  for (const [at, { id }] of children.entries())
    await owner('app_user').where({ id }).update({ fullNameAr: names[at] });
  const links = children.slice(1).map(({ id: studentId }) => ({
    ...{ childId: newId(), organizationId, parentUserId: tenant.people.PARENT.id, studentId },
  }));
  await owner('parent_student').insert(links);
  admin = await buildUser(owner, 'ADMIN', { organizationId });
  // Long ago: it is kept for ninety days, and not looked at.
  await desk.ask(plan(children[0] as UserRow));
  await desk.deliver();
  app.clock.set('2026-01-20T08:00:00.000Z');
  const gone = await buildUser(owner, 'PARENT', { organizationId, status: 'inactive' });
  await desk.ask(...children.map((child) => plan(child)), plan(children[0] as UserRow, { recipientUserId: gone.id }));
  await desk.ask({ kind: 'benchmark_profile_swap', payload: swap, recipientUserId: admin.id });
  await desk.deliver();
  app.clock.advance(60_000);
});

type Report = Omit<WholeReport, 'reportHash'>;

const simulated = async (
  draft: RuleDocument,
  scope: object = { organizationId: tenant.organizationId },
): Promise<Report> => (await impactOf(shell, draft, { scope: scope as { organizationId: string } })).report;

// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents freely
const template = (change: (document: any) => void) => edited('notification/parent-tsp-activation', change);

const transitions = ({ layers }: Report) =>
  layers[0]?.transitions.map(({ from, to, count, direction }) => `${from} > ${to}: ${count} ${direction}`);

test('other words are evaluated with no one’s name: no child’s name makes them a phrase that families must not read', async () => {
  const report = await simulated(
    template((document) => {
      document.bodyTemplateAr = 'بدأت خطة بلا خيبة {{firstNameAr}}.';
    }),
  );
  assert.equal(
    report.layers.map(({ layer }) => layer),
    ['NOTIFICATION'],
  );
  assert.equal(transitions(report), [
    'recipient_inactive > recipient_inactive: 1 same',
    'told > told_otherwise: 3 lateral',
  ]);
  assert.not.match(JSON.stringify(report), /سارة|أمل|سالم/u, 'no name leaves');
});

test('other words, a phrase that families must not read', async () => {
  const report = await simulated(
    template((document) => {
      document.bodyTemplateAr = 'بدأت خطة بلا خيبة أمل مع {{firstNameAr}}.';
    }),
  );
  assert.equal(transitions(report), [
    'recipient_inactive > recipient_inactive: 1 same',
    'told > LanguageUnsafe: 3 worse',
  ]);
  assert.equal(report.notices, {
    ...{ windowDays: 28, kind: 'parent_tsp_activation', requests: 4 },
    outcomes: [
      { outcome: 'LanguageUnsafe', before: 0, after: 3 },
      { outcome: 'recipient_inactive', before: 1, after: 1 },
      { outcome: 'told', before: 3, after: 0 },
    ],
    retention: { daysBefore: 90, daysAfter: 90, removedAtOnce: 0 },
  });
  const { total, evaluated, changed } = report.students;
  assert.equal([total, evaluated, changed, report.recomputes, report.rewards], [3, 3, 3, 0, null]);
  const exemplars = report.layers[0]?.transitions.find(({ to }) => to === 'LanguageUnsafe')?.exemplars ?? [];
  const exemplar = exemplars.find(({ studentId }) => studentId === children[1]?.id);
  const reported = (await desk.notifications()).find(({ studentId }) => studentId === children[1]?.id);
  assert.equal([exemplars.length > 0, exemplar?.stampId], [true, `notification:${reported?.id}`]);
  assert.not.match(JSON.stringify(report), /سارة|أمل|سالم/u, 'no name leaves');
});

test('a payload that the draft no longer takes, and a kind that is not active', async () => {
  const wider = await simulated(
    template((document) => {
      document.payloadSchema.required.push('startOn');
      document.payloadSchema.properties.startOn = { type: 'string', format: 'date' };
    }),
  );
  assert.equal(transitions(wider), [
    'recipient_inactive > PayloadInvalid: 1 lateral',
    'told > PayloadInvalid: 3 worse',
  ]);
  const off = await simulated(
    template((document) => {
      document.active = false;
    }),
  );
  assert.equal(transitions(off), ['recipient_inactive > UnknownKind: 1 lateral', 'told > UnknownKind: 3 worse']);
});

test('a shorter retention: the rows that it would take at once', async () => {
  const report = await simulated(
    template((document) => {
      document.retentionDays = 30;
    }),
  );
  assert.equal(report.notices?.retention, { daysBefore: 90, daysAfter: 30, removedAtOnce: 1 });
  assert.equal(report.students.changed, 0, 'what is reported is the same');
});

test('what is about no child is counted where a whole organization is looked at, once', async () => {
  const draft = edited('notification/benchmark-profile-swap', (document) => {
    document.bodyTemplateAr = `${document.bodyTemplateAr} شكرا لكم.`;
  });
  const outcomes = [
    { outcome: 'told', before: 1, after: 0 },
    { outcome: 'told_otherwise', before: 0, after: 1 },
  ];
  const report = await simulated(draft);
  assert.equal([report.notices?.outcomes, report.students.evaluated], [outcomes, 0]);
  assert.equal((await simulated(draft, { platform: true })).notices?.outcomes, outcomes);
  const { id: organizationId } = await buildOrganization(owner);
  const { id: recipientUserId } = await buildUser(owner, 'ADMIN', { organizationId });
  await owner('notification_request').insert({
    ...{ organizationId, eventId: 7, recipientUserId, lane: 0, kind: 'benchmark_profile_swap', payload: swap },
    ...{ sourceType: 'benchmark', sourceId: 'b', requestedAt: app.clock.now() },
  });
  assert.equal((await simulated(draft, { organizationId })).notices?.outcomes, outcomes, 'without any student');
  const { classId } = await owner('enrollment').where({ studentId: children[0]?.id }).first('classId');
  assert.equal((await simulated(draft, { classId })).notices?.outcomes, []);
});

test.run();
