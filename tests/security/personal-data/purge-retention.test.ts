// Rows are deleted daily when their period has passed, and not a moment before. The periods are those of the contract.
import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { purgeExpired } from '#backoffice/operations/retention/purge.ts';
import { jobsOf } from '#core/module/capability.ts';
import { newId } from '#core/platform/ids.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import { buildClass, buildOrganization, buildUser } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildPreview } from '../../integrations/lms/rows.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
const dayMs = 86_400_000;

/** Period in days, and a function that inserts a row whose period begins at the given time. */
const kept: Readonly<Record<string, { days: number; insert: (since: Date) => Promise<unknown> }>> = {
  teaser_session: { days: 30, insert: (startedAt) => owner('teaser_session').insert(teaserSession(startedAt)) },
  teaser_lead: {
    days: 365,
    insert: (at) => owner('teaser_lead').insert({ sessionId: newId(), email: 'x', createdAt: at, updatedAt: at }),
  },
  refresh_token: { days: 90, insert: (endedAt) => endedSession(endedAt, 'expired') },
  auth_session: { days: 90, insert: (endedAt) => endedSession(endedAt, 'revoked') },
  idempotent_answer: {
    days: 1,
    insert: (keptAt) =>
      owner('idempotent_answer').insert({
        ...{ caller: 'user:1', operation: 'x', key: newId(), requestHash: 'h', encryptedAnswer: 's', keptAt },
      }),
  },
  security_event: {
    days: 400,
    insert: (at) =>
      owner('security_event').insert({ organizationId: platformOrganizationId, kind: 'erasure', details: '{}', at }),
  },
  client_log: {
    days: 90,
    insert: async (at) => owner('client_log').insert({ ...(await clientLogger()), at, level: 'warn', message: 'x' }),
  },
  client_log_batch: {
    days: 90,
    insert: async (acceptedAt) => owner('client_log_batch').insert({ ...(await clientLogger()), acceptedAt }),
  },
  cluster_generation: {
    days: 0,
    insert: (expiresAt) => owner('cluster_generation').insert(generation(expiresAt)),
  },
  workflow_draft: { days: 0, insert: async (expiresAt) => owner('workflow_draft').insert(await draft(expiresAt)) },
  live_client_event: {
    days: 0,
    insert: async (expiresAt) => owner('live_client_event').insert(await clientEvent(expiresAt)),
  },
  lms_preview: { days: 30, insert: (createdAt) => rosterRow('lms_preview', createdAt) },
  lms_source_row: { days: 30, insert: (storedAt) => rosterRow('lms_source_row', storedAt) },
  lms_change: { days: 30, insert: (changedAt) => rosterRow('lms_change', changedAt) },
  lms_oauth_state: { days: 0, insert: (expiresAt) => oauthState(expiresAt) },
  lms_connection: { days: 0, insert: (expiresAt) => waitingConnection(expiresAt) },
  report_file: { days: 0, insert: (expiresAt) => reportFile(expiresAt) },
  report_job: { days: 0, insert: (keptUntil) => owner('report_job').insert(reportJob(keptUntil)) },
  notification: {
    days: 90,
    insert: async (createdAt) => owner('notification').insert(await notificationRow(createdAt)),
  },
  notification_request: {
    days: 90,
    insert: (requestedAt) => owner('notification_request').insert(skippedRequest(requestedAt)),
  },
  org_daily_class: { days: 0, insert: (keptUntil) => owner('org_daily_class').insert(classDay(keptUntil)) },
  org_daily_rollup: { days: 0, insert: (keptUntil) => owner('org_daily_rollup').insert(tileDay(keptUntil)) },
};

/** A kind that is kept for 90 days. Every kind is tested in tests/messaging/notifications/purge.test.ts. */
const about = { kind: 'q5_24h_ack', payload: '{}', sourceType: 'rti_alert', sourceId: 'x' };
async function notificationRow(createdAt: Date) {
  const { id: recipientUserId, organizationId } = await buildUser(owner, 'TEACHER');
  return {
    ...{ ...about, organizationId, id: newId(), recipientUserId, severity: 'info', tier: 'ui', ruleVersions: '{}' },
    ...{ renderedTitleAr: 'x', renderedBodyAr: 'x', createdAt },
  };
}
const skippedRequest = (requestedAt: Date) => ({
  ...{ ...about, organizationId: platformOrganizationId, eventId: requestedAt.getTime(), recipientUserId: 1, lane: 0 },
  ...{ requestedAt, state: 'skipped', settledAt: requestedAt },
});

/** One class, counted on the date of the given time. */
const dayOf = (keptUntil: Date) => ({
  ...{
    organizationId: platformOrganizationId,
    day: keptUntil,
    classId: keptUntil.getTime() % 1_000_000_000,
    keptUntil,
  },
});
const classDay = (keptUntil: Date) => ({
  ...{ ...dayOf(keptUntil), schoolId: newId(), students: 1, measured: '{}', ruleVersions: '{}' },
  ...{ sufficient: 1, insufficient: 0, contextual: 0 },
});
const tileDay = (keptUntil: Date) => ({
  ...{ ...dayOf(keptUntil), tileCode: 'FLUENCY', students: 1 },
  ...{ meets: 1, approaching: 0, below: 0, severe: 0, moreData: 0 },
});

/** Document job and file, each with one row. */
const reportJob = (keptUntil: Date) => ({
  ...{ organizationId: platformOrganizationId, id: newId(), kind: 'session_pdf', subject: newId(), input: '{}' },
  ...{ contentKey: newId(), requestedBy: 1, state: 'queued', total: 1, createdAt: new Date(0), keptUntil },
});

async function reportFile(expiresAt: Date): Promise<void> {
  const job = reportJob(new Date('2100-01-01'));
  await owner('report_job').insert(job);
  const { organizationId, id: jobId } = job;
  await owner('report_file').insert({
    ...{ organizationId, jobId, bytes: Buffer.from('%PDF-'), contentType: 'x', fileName: 'x', expiresAt },
  });
}

/** A client that has sent log entries. */
async function clientLogger() {
  const { id: userId, organizationId } = await buildUser(owner, 'TEACHER');
  return { organizationId, userId };
}

async function clientEvent(expiresAt: Date) {
  const { id: classId, organizationId } = await buildClass(owner);
  const { id: userId } = await buildUser(owner, 'TEACHER', { organizationId });
  const [id, at] = [newId(), new Date(0)];
  await owner('live_session').insert({
    ...{ id, organizationId, schoolYear: '2025-2026', timeZone: 'UTC', classId, state: 'draft', joinCode: '000000' },
    ...{ controlVersion: 0, playlistNo: 0, createdBy: userId, createdAt: at },
  });
  const event = { clientEventId: newId(), type: 'segment_started', receivedAt: at };
  return { ...event, organizationId, liveSessionId: id, userId, expiresAt };
}

/** A draft that expires at the given time. */
async function draft(expiresAt: Date) {
  const { id: classId, organizationId } = await buildClass(owner);
  const { id: teacherUserId } = await buildUser(owner, 'TEACHER', { organizationId });
  return { organizationId, classId, teacherUserId, draft: '{}', savedAt: new Date(0), expiresAt };
}

/** Its row contains its own expiry time. */
/** In a new organization, because only one state may wait for each provider. */
/** The connection and its run are kept. */
async function rosterRow(table: 'lms_preview' | 'lms_source_row' | 'lms_change', at: Date) {
  const { id: organizationId } = await buildOrganization(owner);
  const preview = await buildPreview(owner, { organizationId });
  const { connectionId } = preview;
  await owner('lms_preview').where({ organizationId }).update({ createdAt: at });
  await owner('lms_source_row').where({ organizationId }).update({ storedAt: at });
  if (table !== 'lms_preview') await owner('lms_preview').where({ organizationId }).delete();
  if (table !== 'lms_source_row') await owner('lms_source_row').where({ organizationId }).delete();
  if (table !== 'lms_change') return;
  const [runId, started] = [newId(), '2026-01-01T00:00:00.000Z'];
  await owner('lms_sync_run').insert({
    ...{ organizationId, id: runId, connectionId, provider: 'oneroster', trigger: 'commit', state: 'succeeded' },
    ...{ createdAt: started, startedAt: started, endedAt: started },
  });
  const row = { organizationId, runId, position: 0, rowId: newId(), before: '{}', after: '{}', changedAt: at };
  await owner('lms_change').insert(row);
}

async function waitingConnection(expiresAt: Date): Promise<{ organizationId: string; connectionId: string }> {
  const { id: organizationId } = await buildOrganization(owner);
  const connectionId = newId();
  await owner('lms_connection').insert({
    ...{ organizationId, id: connectionId, provider: 'google_classroom', kind: 'oauth', status: 'pending' },
    ...{ connectedBy: 1, createdAt: expiresAt, expiresAt },
  });
  return { organizationId, connectionId };
}

async function oauthState(expiresAt: Date): Promise<void> {
  const connection = await waitingConnection(new Date('2100-01-01T00:00:00Z'));
  await owner('lms_oauth_state').insert({
    ...{ ...connection, stateHash: newId(), cookieHash: 'c', nonce: 'n' },
    ...{ encryptedVerifier: 'v', redirectUri: 'https://a.example', expiresAt },
  });
}

const generation = (expiresAt: Date) => ({
  ...{ id: newId(), organizationId: platformOrganizationId, classId: 1, schoolYear: '2025-2026', contentHash: 'h' },
  ...{ ruleVersions: '{}', minimumSize: 2, groups: '{}', facts: '{}', createdAt: new Date(0), expiresAt },
});

const teaserSession = (startedAt: Date) => ({
  ...{ id: newId(), itemSetId: 'TEASER-G1@1', itemSetVersion: 1, itemIds: ['a'], ruleVersion: 'scoring/measurement@1' },
  ...{ tokenHash: newId(), status: 'started', startedAt },
});

/** A session of an active account with a token, ended by a logout or by expiry. */
async function endedSession(endedAt: Date, how: 'revoked' | 'expired'): Promise<void> {
  const { id: userId, organizationId } = await buildUser(owner, 'TEACHER');
  const later = new Date(endedAt.getTime() + 50 * dayMs);
  const id = newId();
  const end =
    how === 'revoked' ? { revokedAt: endedAt, revokedReason: 'logout', expiresAt: later } : { expiresAt: endedAt };
  await owner('auth_session').insert({ id, organizationId, userId, createdAt: endedAt, ...end });
  const token = { tokenHash: newId(), organizationId, sessionId: id, issuedAt: endedAt, expiresAt: endedAt };
  await owner('refresh_token').insert(token);
}

const counts = async () =>
  Object.fromEntries(
    await Promise.all(Object.keys(kept).map(async (table) => [table, (await owner(table).select('*')).length])),
  );

const purge = () => purgeExpired(app.services, app.clock.now());

/** Sums the removed rows of all kinds. */
const removedIn = (lines: readonly { table?: string; removed?: number }[], name: string): number =>
  lines.reduce((sum, { table, removed = 0 }) => (table === name ? sum + removed : sum), 0);

test('every table with a period is covered', () => {
  assert.equal(
    Object.keys(kept).sort(),
    capabilities.flatMap(({ retention = [] }) => retention.map(({ table }) => table)).sort(),
  );
});

test('a row is deleted when its period has passed, and not a millisecond before', async () => {
  const { services } = app;
  for (const { days, insert } of Object.values(kept)) {
    await insert(new Date(app.clock.now().getTime() - days * dayMs));
    await insert(new Date(app.clock.now().getTime() - days * dayMs + 1));
  }
  const twice = {
    teaser_session: 2,
    teaser_lead: 2,
    idempotent_answer: 2,
    security_event: 2,
    client_log: 2,
    client_log_batch: 2,
    cluster_generation: 2,
    workflow_draft: 2,
    live_client_event: 2,
    lms_preview: 2,
    lms_source_row: 2,
    lms_change: 2,
    lms_oauth_state: 2,
    report_file: 2,
    notification: 2,
    notification_request: 2,
    org_daily_class: 2,
    org_daily_rollup: 2,
  };
  assert.equal(await counts(), { ...twice, report_job: 4, lms_connection: 10, refresh_token: 4, auth_session: 4 });
  const lines: { table?: string; removed?: number }[] = [];
  const log = pino({ base: {} }, { write: (line) => lines.push(JSON.parse(line)) });
  await purgeExpired({ ...services, log }, app.clock.now());
  const once = {
    teaser_session: 1,
    teaser_lead: 1,
    idempotent_answer: 1,
    security_event: 1,
    client_log: 1,
    client_log_batch: 1,
    cluster_generation: 1,
    workflow_draft: 1,
    live_client_event: 1,
    lms_preview: 1,
    lms_source_row: 1,
    lms_change: 1,
    lms_oauth_state: 1,
    lms_connection: 1,
    report_file: 1,
    notification: 1,
    notification_request: 1,
    org_daily_class: 1,
    org_daily_rollup: 1,
    report_job: 1,
  };
  assert.equal(await counts(), { ...once, report_job: 3, lms_connection: 9, refresh_token: 2, auth_session: 2 });
  const tables = [...new Set(lines.map(({ table }) => table ?? ''))];
  const removed = Object.fromEntries(tables.map((table) => [table, removedIn(lines, table)]));
  assert.equal(removed, { ...once, refresh_token: 2, auth_session: 2 });
});

test('active sessions stay', async () => {
  const { id: userId, organizationId } = await buildUser(owner, 'TEACHER');
  const id = newId();
  const old = new Date(app.clock.now().getTime() - 500 * dayMs);
  const expiresAt = new Date(app.clock.now().getTime() + dayMs);
  await owner('auth_session').insert({ id, organizationId, userId, createdAt: old, expiresAt });
  await purge();
  assert.is((await owner('auth_session').where({ id })).length, 1);
});

test('more rows than one batch are deleted', async () => {
  await owner.raw(`insert into security_event (organization_id, kind, details, at)
    select '${platformOrganizationId}', 'lockout', '{}', '2020-01-01Z' from generate_series(1, 12001)`);
  await purge();
  assert.equal(await owner('security_event').where({ kind: 'lockout' }), []);
});

test('one failing table does not stop the others, and the daily job fails', async () => {
  await owner.raw('revoke delete on teaser_session from literacy_platform');
  try {
    await kept.teaser_session?.insert(new Date('2020-01-01'));
    await kept.security_event?.insert(new Date('2020-01-01'));
    const failure: unknown = await purge().catch((error: unknown) => error);
    assert.match(String(failure), 'permission denied');
    assert.equal(await owner('security_event').where('at', '<', new Date('2021-01-01')), []);
  } finally {
    await owner.raw('grant delete on teaser_session to literacy_platform');
  }
});

test('no purged table is partitioned: a batch is identified by ctid, which is unique only within a partition', async () => {
  const tables = app.services.capabilities.flatMap(({ retention = [] }) => retention.map(({ table }) => table));
  const { rows } = await owner.raw(`select relname from pg_class where relkind = 'p' and relname = any (?)`, [tables]);
  assert.ok(tables.length > 0);
  assert.equal(rows, []);
});

test('the purge is a daily schedule', () => {
  const { daily } = jobsOf(capabilities);
  assert.ok(daily.some(({ name }) => name === 'retention-purge'));
});

test('the period is the active document’s', async () => {
  const file = path.resolve(import.meta.dirname, '../../../rules/operations/retention/1.json');
  const document = JSON.parse(fs.readFileSync(file, 'utf8'));
  document.meta.version = 2;
  document.periods.securityEvents.days = 10;
  await kept.security_event?.insert(new Date(app.clock.now().getTime() - 11 * dayMs));
  const count = async () => (await owner('security_event').select('id')).length;
  await purge();
  const before = await count();
  await putInForce(app, document as RuleDocument);
  await purge();
  assert.ok((await count()) < before);
  assert.equal(await owner('security_event').where('at', '<=', new Date(app.clock.now().getTime() - 10 * dayMs)), []);
});

test.run();
