// A reaction makes one request for each event and recipient; invalid requests are refused, and operators get one alert for each
// check and event.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { requestsOf } from '#messaging/notifications/requests/notify.ts';
import { useApp } from '../../harness/http.ts';
import { buildSchoolhouse, deskOf, type Schoolhouse } from './desk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Schoolhouse;
const desk = deskOf(app, () => tenant);

test.before.each(async () => {
  tenant = await buildSchoolhouse(owner);
});

const about = (recipients: readonly number[], payload: object) => ({
  ...{ recipients, kind: 'plan_modification_suggestion', payload, source: { type: 'bundle_assignment', id: 'plan1' } },
});

test('two notices of one event to one person are refused, to two people they are not', () => {
  const now = new Date('2026-01-05T08:00:00.000Z');
  const notified = (...notices: readonly ReturnType<typeof about>[]) =>
    requestsOf('o', [{ id: 1 }], new Map([[1, notices]]), now);
  assert.throws(() => notified(about([7], { a: 1 }), about([8, 7], { a: 2 })), /tells one person two things/);
  assert.is(notified(about([7], { a: 1 }), about([8], { a: 2 })).length, 2);
});

test('one event that is given up for two people by two checks: an alert of each', async () => {
  const payload = { studentId: tenant.people.STUDENT.id, reviewId: 'r1', dueAt: '2026-01-02T08:00:00.000Z' };
  const [eventId = 0] = await desk.ask({ kind: 'q5_24h_ack', payload: { ...payload, reviewId: 'free text' } });
  // Texts for parents contain no dates.
  await desk.ask({ kind: 'q5_24h_ack', payload, eventId, recipientUserId: tenant.people.PARENT.id });
  await desk.deliver();
  const codes = await owner('platform_alert').where({ organizationId: tenant.organizationId }).pluck('code');
  assert.equal(codes.sort(), ['LANGUAGE_UNSAFE', 'NOTIFICATION_REFUSED']);
});

test.run();
