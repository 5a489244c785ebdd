// Retention of each kind: exactly the days of its document in force, from creation, read or unread.
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { purgeExpired } from '#backoffice/operations/retention/purge.ts';
import { kindWords as kindWordsOf } from '#messaging/notifications/services.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import { buildUser } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { aboutAlert, buildSchoolhouse, deskOf, type Schoolhouse } from './desk.ts';
import { buildNotification, type Recipient } from './rows.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
const dayMs = 86_400_000;
let tenant: Schoolhouse;
let reader: Recipient;
const desk = deskOf(app, () => tenant);
test.before(async () => {
  tenant = await buildSchoolhouse(owner);
  reader = await buildUser(owner, 'TEACHER', { organizationId: tenant.organizationId });
});

/** Contract 60, "Notifications". */
const days: Readonly<Record<string, number>> = {
  q5_24h_ack: 90,
  skill_alert_assigned: 180,
  student_alert_assigned: 180,
  benchmark_profile_swap: 365,
  dismissal_expiry: 90,
  plan_modification_suggestion: 90,
  cbm_alert_lifecycle: 180,
  parent_tsp_activation: 90,
  lms_connection_revoked: 180,
};
const kindWords = kindWordsOf(capabilities);
/** An unknown kind is kept as long as the kind with the longest retention. */
const forgotten = 'kind_of_the_past';

const created = (kind: string, ofKind: number, laterMs = 0) => {
  const createdAt = new Date(app.clock.now().getTime() - ofKind * dayMs + laterMs).toISOString();
  return buildNotification(owner, reader, { kind, createdAt });
};

/** Kinds of the remaining rows, and the kinds that the purge reported as removed. */
async function purged() {
  const lines: { table?: string; kind?: string; removed?: number }[] = [];
  const log = pino({ base: {} }, { write: (line) => lines.push(JSON.parse(line)) });
  await purgeExpired({ ...app.services, log }, app.clock.now());
  const notified = lines.filter(({ table }) => table === 'notification').map(({ kind, removed }) => [kind, removed]);
  const rows: { kind: string }[] = await owner('notification').where({ recipientUserId: reader.id }).select('kind');
  return { told: Object.fromEntries(notified) as Record<string, number>, left: rows.map(({ kind }) => kind).sort() };
}

test('each kind has its days, read rows included, and the log has the numbers of removed rows', async () => {
  assert.equal(Object.keys(days).sort(), [...kindWords].sort());
  for (const [kind, ofKind] of [...Object.entries(days), [forgotten, 365] as const]) {
    await created(kind, ofKind, 1);
    const read = await created(kind, ofKind);
    await owner('notification').where({ id: read }).update({ deliveryState: 'read', readAt: app.clock.now() });
    await created(kind, ofKind + 1);
  }
  const { told: notified, left } = await purged();
  assert.equal(left, [...Object.keys(days), forgotten].sort());
  assert.equal(notified, { ...Object.fromEntries(kindWords.map((kind) => [kind, 2])), others: 2 });
});

test('requests are removed with their notifications, and those that wait for language rules stay however old they are', async () => {
  await desk.ask({}, { recipientUserId: 999_999 });
  await desk.pin({ 'language/family': undefined });
  const payload = { studentId: tenant.people.STUDENT.id, assignmentId: 'plan1' };
  await desk.ask({ kind: 'parent_tsp_activation', payload, recipientUserId: tenant.people.PARENT.id });
  await desk.deliver();
  const states = async () => (await desk.requests()).map(({ state }) => state);
  assert.equal(await states(), ['delivered', 'skipped', 'waiting']);
  app.clock.advance(180 * dayMs - 1_000);
  await purged();
  assert.equal(await states(), ['delivered', 'skipped', 'waiting']);
  app.clock.advance(1_000);
  await purged();
  assert.equal([await states(), await desk.notifications()], [['waiting'], []]);
  await desk.pin({ 'language/family': 2 });
  await desk.deliver();
  assert.equal(await states(), ['delivered']);
});

test('the days are those of the version in force', async () => {
  const { kind } = aboutAlert(1);
  const [short, long] = [await created(kind, 20), await created(kind, 19)];
  const document = bundle.documents.find(({ meta }) => meta.key === 'skill-alert-assigned');
  assert.ok(document);
  const shorter = { ...document, meta: { ...document.meta, version: document.meta.version + 1 }, retentionDays: 20 };
  const ids = async () => (await owner('notification').whereIn('id', [short, long]).select('id')).map(({ id }) => id);
  await purged();
  assert.equal((await ids()).length, 2);
  app.clock.advance(-1);
  await putInForce(app, shorter as RuleDocument);
  await purged();
  assert.equal(await ids(), [long]);
});

test.run();
