// lms_connection_revoked: from a learning platform that refuses its token to the inboxes of the administrators, and to no
// others.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobsOf } from '#core/module/capability.ts';
import { deliverWaiting } from '#messaging/notifications/dispatch/deliver.ts';
import { checkText } from '#rules/language/index.ts';
import { relayAll } from '../../../workers/relay.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import { buildUser, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { useAnsweringServer } from '../../harness/lms/answering-server.ts';
import { classRow, serveOneRoster } from '../../harness/lms/one-roster.ts';
import { buildTenant, type Person, personNames } from '../../harness/world.ts';
import { storeConnection } from '../../integrations/lms/providers/connections.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';

const test = suite('notification of a revoked connection');
const server = await useAnsweringServer(test);
const app = useApp(test, { rules: true, settings: { LMS_TRUSTED_HOSTS: server.host } });
const { owner } = app.database;

interface Notified {
  readonly kind: string;
  readonly severity: string;
  readonly payload: object;
  readonly renderedTitleAr: string;
  readonly renderedBodyAr: string;
}

const inboxOf = async (token: string): Promise<readonly Notified[]> =>
  (await app.get<{ items: Notified[] }>('/api/notifications', { token })).body.items;

test('every administrator of the organization is notified once, urgently, with a safe text', async () => {
  const { organizationId, people } = await buildTenant(app);
  const elsewhere = await buildTenant(app);
  const second = await signIn(app, await buildUser(owner, 'ADMIN', { organizationId }));
  const service = serveOneRoster(server, { classes: [classRow('c-1')], users: [], enrollments: [] });
  const { root, tokenUrl, clientId, clientSecret } = service;
  const made = { organizationId, connectedBy: people.ADMIN.id };
  const { id } = await storeConnection(app, made, { root, tokenUrl, clientId, clientSecret, scope: null });
  service.refusesTokens = true;
  const { token } = people.ADMIN;
  assert.is((await app.get('/api/lms/oneroster/courses?cache=bypass', { token })).status, 409);
  const { log } = capturedLog();
  for (const _ of ['once', 'again']) {
    await relayAll(app.services, noQueues, jobsOf(app.services.capabilities).reactions, log);
    await deliverWaiting(app.services, organizationId);
  }
  for (const admin of [token, second]) {
    const [notifiedRows, ...others] = await inboxOf(admin);
    assert.equal([notifiedRows?.kind, notifiedRows?.severity, others], ['lms_connection_revoked', 'urgent', []]);
    assert.equal(notifiedRows?.payload, { connectionId: id, provider: 'oneroster' });
    for (const text of [notifiedRows?.renderedTitleAr ?? '', notifiedRows?.renderedBodyAr ?? '']) {
      assert.ok(text.length > 0 && !text.includes('{{'), text);
      assert.equal(checkText(bundle, text, 'ui').violations, []);
    }
  }
  const spared: Person[] = personNames.filter((name) => name !== 'ADMIN').map((name) => people[name]);
  for (const person of [...spared, elsewhere.people.ADMIN]) assert.equal(await inboxOf(person.token), []);
});

test.run();
