// Notifications of one source within a minute: equal texts are one row with the newest payload; another reason, state, child or
// skill is a row of its own (contract 60 §2).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildStudent, buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { aboutAlert, buildSchoolhouse, deskOf, type Schoolhouse } from '../desk.ts';

const app = useApp(test, { rules: true });
const { clock } = app;
const { owner } = app.database;
let tenant: Schoolhouse;
const desk = deskOf(app, () => tenant);

test.before.each(async () => {
  tenant = await buildSchoolhouse(owner);
});

/** The tenant's notifications as the inbox shows them, newest first. */
const shown = async () =>
  (await desk.notifications())
    .toReversed()
    .map(({ renderedBodyAr, payload, count }) => ({ renderedBodyAr, payload, count }));

test('another reason about the same assignment within the minute is a row of its own, in one batch and in two', async () => {
  await owner('app_user').where({ id: tenant.people.STUDENT.id }).update({ fullNameAr: 'سارة خالد' });
  const about = (suggestionCode: string) => ({
    ...{ kind: 'plan_modification_suggestion', sourceType: 'bundle_assignment', sourceId: 'plan1' },
    payload: { studentId: tenant.people.STUDENT.id, assignmentId: 'plan1', suggestionCode },
  });
  await desk.ask(about('off_track_no_delivery'), about('low_fidelity'), about('low_fidelity'));
  await desk.deliver();
  clock.advance(10_000);
  await desk.ask(about('step_goal_not_met'), about('off_track_no_delivery'));
  await desk.deliver();
  clock.advance(10_000);
  await desk.ask(about('below_aim_line'));
  await desk.deliver();
  assert.equal(
    (await shown()).map(({ renderedBodyAr, count }) => `${renderedBodyAr} ${count}`).sort(),
    [
      'خطة سارة خالد: قُدِّم من حصص الخطة أقل من المقرر. 2',
      'خطة سارة خالد: لم تُقدَّم حصص الخطة في الأسابيع الأخيرة. 2',
      'خطة سارة خالد: لم يتحقق بعد هدف إحدى خطوات الخطة. 1',
      'خطة سارة خالد: نقاط القياس دون خط الهدف. 1',
    ].sort(),
  );
});

test('a signal that opens and closes within the minute gives both notifications, each with its payload', async () => {
  const state = (word: string) => ({
    ...{ kind: 'cbm_alert_lifecycle', sourceType: 'cbm_alert', sourceId: 'a1' },
    payload: {
      ...{ studentId: tenant.people.STUDENT.id, alertId: 'a1', alertKind: 'cbm_flat', measureCode: 'ORF_WCPM' },
      ...{ trend: 'trend_mixed', state: word },
    },
  });
  await desk.ask(state('opened'));
  await desk.deliver();
  clock.advance(5_000);
  await desk.ask(state('closed'));
  await desk.deliver();
  const rows = await shown();
  assert.equal(
    rows.map(({ renderedBodyAr, payload }) => [
      String(renderedBodyAr).split(' ')[0],
      (payload as { state: string }).state,
    ]),
    [
      ['أُغلقت', 'closed'],
      ['فُتحت', 'opened'],
    ],
  );
});

test('the same words again: the row stays where it is and shows the newest payload, whichever event is looked at last', async () => {
  const { id: recipientUserId } = await buildUser(owner, 'ADMIN', { organizationId: tenant.organizationId });
  const swapped = (fromVersion: number, toVersion: number, more: object = {}) => ({
    ...{ kind: 'benchmark_profile_swap', sourceType: 'benchmark_profile', sourceId: 'orf', recipientUserId },
    payload: { benchmarkProfileKey: 'orf', fromVersion, toVersion },
    ...more,
  });
  await desk.ask(swapped(1, 2));
  await desk.deliver();
  const [before] = await desk.notifications();
  clock.advance(5_000);
  await desk.ask(swapped(2, 1));
  await desk.deliver();
  const after = async () =>
    (await desk.notifications()).map(({ id, createdAt, payload, count }) => [id, createdAt, payload, count]);
  const kept = [before?.id, before?.createdAt];
  assert.equal(await after(), [[...kept, { benchmarkProfileKey: 'orf', fromVersion: 2, toVersion: 1 }, 2]]);
  // An older event that is dispatched later, because rule changes wait, does not replace the payload.
  await desk.ask(swapped(7, 8, { eventId: 999 }));
  await desk.deliver();
  assert.equal(await after(), [[...kept, { benchmarkProfileKey: 'orf', fromVersion: 2, toVersion: 1 }, 3]]);
});

test('two children of one first name and two skills of one child have different texts', async () => {
  const { organizationId, people } = tenant;
  const { classId } = await owner('enrollment').where({ studentId: people.STUDENT.id }).first('classId');
  const other = await buildStudent(owner, await owner('class').where({ id: classId }).first(), {
    fullNameAr: 'أحمد سالم',
  });
  await owner('app_user').where({ organizationId, id: people.STUDENT.id }).update({ fullNameAr: 'أحمد خالد' });
  const skill = (studentId: number, subSkillCode: string) => ({
    payload: { studentId, alertId: 'a1', subSkillCode },
  });
  const alert = (studentId: number) => ({
    ...{ kind: 'student_alert_assigned', payload: { studentId, alertId: 'a1', alertKind: 'Student_Alert' } },
  });
  await desk.ask(
    skill(people.STUDENT.id, 'DEC_WORD'),
    skill(people.STUDENT.id, 'PA_BLEND'),
    skill(other.id, 'DEC_WORD'),
  );
  await desk.ask(alert(people.STUDENT.id), alert(other.id));
  await desk.deliver();
  const rows = await desk.notifications();
  const texts = rows.map(({ renderedTitleAr, renderedBodyAr }) => `${renderedTitleAr} ${renderedBodyAr}`);
  assert.is(new Set(texts).size, 5, texts.join('\n'));
  for (const text of texts) assert.match(text, /أحمد (خالد|سالم)/);
});

test('a row of an earlier version of its kind keeps its text, and is joined only by an equal text', async () => {
  const same = { sourceId: 'one', ...aboutAlert(tenant.people.STUDENT.id) };
  await desk.pin({ 'notification/skill-alert-assigned': 1 });
  await desk.ask(same);
  await desk.deliver();
  await desk.pin({ 'notification/skill-alert-assigned': 2 });
  await desk.ask(same);
  await desk.deliver();
  const rows = await desk.notifications();
  assert.equal(
    rows.map(({ renderedTitleAr, ruleVersions }) => [
      renderedTitleAr,
      (ruleVersions as Record<string, number>)['notification/skill-alert-assigned'],
    ]),
    [
      ['تنبيه مهارة', 1],
      [rows[1]?.renderedTitleAr, 2],
    ],
  );
  assert.match(String(rows[1]?.renderedTitleAr), /^تنبيه مهارة: /);
});

test.run();
