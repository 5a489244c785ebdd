// Stored notifications: only the state set by the recipient, the count and the newest payload with its rules may change, never
// the text.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { Notification } from '#messaging/notifications/notification.ts';
import { useDatabase } from '../../harness/database.ts';
import { buildUser } from '../../harness/factories.ts';

const { owner, app } = useDatabase(test);

test('only the state, the count and the payload of a repeated text change in a stored notification', async () => {
  const { id: recipientUserId, organizationId } = await buildUser(owner, 'TEACHER');
  assert.ok(organizationId);
  const id = newId();
  await inContext(app, { organizationId }, async (trx) =>
    Notification.query(trx).insert({
      ...{ organizationId, id, recipientUserId, kind: 'q5_24h_ack', severity: 'action_required' },
      payload: { studentId: 7, reviewId: newId(), dueAt: '2025-10-06T08:00:00.000Z' },
      ...{ sourceType: 'rti_alert', sourceId: newId(), renderedTitleAr: 'عنوان', renderedBodyAr: 'نص' },
      ...{ tier: 'ui', ruleVersions: { 'notification/q5-24h-ack': 1 }, createdAt: '2025-10-05T08:00:00.000Z' },
    }),
  );
  const { rows } = await owner.raw(
    "select column_name as name from information_schema.columns where table_name = 'notification' and is_generated = 'NEVER'",
  );
  const refused: string[] = [];
  for (const { name } of rows as { name: string }[]) {
    const change = inContext(app, { organizationId }, (trx) =>
      trx.raw('update notification set ?? = ?? where organization_id = ? and id = ?', [name, name, organizationId, id]),
    );
    await change.catch((error: Error) => /permission denied/.test(error.message) && refused.push(name));
  }
  const columns = rows.map(({ name }: { name: string }) => name);
  assert.equal(columns.filter((name: string) => !refused.includes(name)).sort(), [
    'count',
    'delivery_state',
    'dismissed_at',
    'payload',
    'read_at',
    'rule_versions',
  ]);
  const row = await owner('notification').where({ id }).first('studentId', 'urgent', 'count', 'deliveryState');
  assert.equal(row, { studentId: 7, urgent: false, count: 1, deliveryState: 'delivered_in_app' });
});

test.run();
