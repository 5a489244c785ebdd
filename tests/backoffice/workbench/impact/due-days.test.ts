// timeout: 120s
// The report of a draft with due days says how many open alerts would be overdue today, before anybody approves it.
// The weekend is Friday and Saturday; a Student_Alert is due on the tenth school day, a Skill_Alert on the fifteenth.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ImpactScope } from '#backoffice/workbench/impact/input.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { buildUser } from '../../../harness/factories.ts';
import { deskOf } from '../../../messaging/notifications/desk.ts';
import { buildAlert } from '../../../support/rti/alerts/rows.ts';
import { edited, impactOf, type Report, setConstant } from './world.ts';

const test = suite('the impact of due days');
const shell = useShell(test);
const { app } = shell;
const { owner } = app.database;
const { pin } = deskOf(app, () => {
  throw new Error('no request is inserted');
});

const opened = (day: string) => ({ openedAt: `${day}T08:00:00.000Z`, openedOn: day });
const alerts = [
  // Due on 2026-01-18, and on the day itself.
  { ...opened('2026-01-04') },
  { ...opened('2026-01-11') },
  // Due on 2026-01-25 only: the fifteenth school day.
  { ...opened('2026-01-04'), kind: 'Skill_Alert', severity: 1 },
  {
    ...opened('2026-01-04'),
    state: 'closed',
    closedAt: '2026-01-05T08:00:00.000Z',
    closedOn: '2026-01-05',
    closeReason: 'condition_cleared',
  },
] as const;

let first: Student;
let asOf = '';

/** None of them was ever measured. */
test.before(async () => {
  app.clock.set('2026-01-25T09:00:00.000Z');
  asOf = app.clock.now().toISOString();
  first = await shell.student();
  for (const [at, alert] of alerts.entries())
    await buildAlert(owner, at === 0 ? first : await shell.classmate(first), alert);
});

const unchanged = (): RuleDocument => edited('rti/decision-packet', () => {});
const shorter = (): RuleDocument => edited('rti/decision-packet', (draft) => setConstant(draft, 'ALT-DUE-05', 5));

async function overdueIn(
  draft: RuleDocument,
  scope: ImpactScope,
  more: { readonly asOf?: string } = {},
): Promise<Report> {
  return (await impactOf(shell, draft, { scope, ...more })).report.alertsOverdue;
}
const whole = (): ImpactScope => ({ organizationId: first.organizationId });

test('from a version without due days: none before, and after those whose day has passed', async () => {
  await pin({ 'rti/decision-packet': 1 });
  assert.equal(await overdueIn(unchanged(), whole()), { before: 0, after: 1 });
  assert.equal(await overdueIn(shorter(), whole()), { before: 0, after: 2 });
  await pin({ 'rti/decision-packet': 2 });
});

test('from one with due days to another: both as of the instant of the report', async () => {
  assert.equal(await overdueIn(unchanged(), whole()), { before: 1, after: 1 });
  assert.equal(await overdueIn(shorter(), whole()), { before: 1, after: 2 });
  const { report } = await impactOf(shell, shorter(), { scope: { classId: first.classRow.id } });
  assert.equal(report.alertsOverdue, { before: 1, after: 2 });
  assert.is(report.students.changed, 0);
});

test('today counts, not the day of the alert alone', async () => {
  app.clock.set('2026-01-26T09:00:00.000Z');
  assert.equal(await overdueIn(unchanged(), whole()), { before: 3, after: 3 });
  app.clock.set('2026-01-25T10:00:00.000Z');
  assert.equal(await overdueIn(unchanged(), whole(), { asOf: '2026-01-19T09:00:00.000Z' }), { before: 1, after: 1 });
  assert.equal(await overdueIn(unchanged(), whole(), { asOf: '2026-01-18T09:00:00.000Z' }), { before: 0, after: 0 });
});

test('held alerts are not overdue, and what was open is counted from the first daily run', async () => {
  const teacher = await buildUser(owner, 'TEACHER', { organizationId: first.organizationId });
  await owner('decision_packet').insert({
    ...{ id: 'packetofthefirstalert', organizationId: first.organizationId, studentId: first.id },
    ...{ reviewType: 'tier_escalation', status: 'under_review', openedBy: teacher.id, openedAt: asOf },
    ...{ timeZone: 'Asia/Riyadh', evidence: '[]', gates: '[]', ruleVersions: '{}' },
    ...{
      assembledAt: asOf,
      fromTier: 1,
      evidenceFrom: '2026-01-01',
      evidenceHash: 'x',
      recommendation: '{}',
      facts: '{}',
    },
  });
  assert.equal(await overdueIn(shorter(), whole()), { before: 0, after: 1 });
  await owner('due_start').insert({ organizationId: first.organizationId, firstRunAt: '2026-01-20T03:00:00.000Z' });
  assert.equal(await overdueIn(shorter(), whole()), { before: 0, after: 0 });
});

test('null for a draft of other rules, and zero on a demo', async () => {
  assert.is(
    await overdueIn(
      edited('rti/reason-codes', () => {}),
      whole(),
    ),
    null,
  );
  const demo = await shell.student();
  await buildAlert(owner, demo, opened('2025-10-05'));
  assert.equal(await overdueIn(unchanged(), { organizationId: demo.organizationId }), { before: 1, after: 1 });
  await owner('organization').where({ id: demo.organizationId }).update({ isDemo: true });
  assert.equal(await overdueIn(unchanged(), { organizationId: demo.organizationId }), { before: 0, after: 0 });
});

test.run();
