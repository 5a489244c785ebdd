// Announcements of a finding after its transaction: a log line for pagers, and a call of the operator's address.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type AlertSeverity, openAlert } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { announceAlerts } from '#messaging/qa/announce-alerts.ts';
import { useApp } from '../../harness/http.ts';
import { capturedLog } from '../../workers/support.ts';

const app = useApp(test);
const { owner } = app.database;
const calls: unknown[] = [];
let status = 204;
let hook: http.Server;
let url: string;

test.before(async () => {
  hook = http.createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    calls.push(JSON.parse(text));
    response.writeHead(status).end();
  });
  await new Promise<void>((listening) => hook.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/page`;
});
test.after(() => void hook.close());

test.before.each(async () => {
  calls.length = 0;
  status = 204;
  await owner('alert_announcement').delete();
});

let subject = 0;
async function raise(severity: AlertSeverity): Promise<number | undefined> {
  subject += 1;
  const kind = { kind: 'qa', code: 'X', severity, subject: 'event', summary: 'x' } as const;
  const at = app.clock.now();
  await inContext(app.database.app, 'SUPER', (trx) =>
    openAlert(trx, kind, { organizationId: platformOrganizationId, subjectId: subject, details: {}, at }),
  );
  return (
    await owner('platform_alert')
      .where({ subjectId: String(subject) })
      .first('id')
  )?.id;
}

async function announced(qaWebhookUrl: string | undefined) {
  const { log, lines } = capturedLog();
  const services: Services = { ...app.services, log, config: { ...app.services.config, qaWebhookUrl } };
  await announceAlerts(services);
  return lines;
}
const waiting = () => owner('alert_announcement').orderBy('id').select('attempts');
const hold = () => owner('alert_announcement').update({ heldUntil: new Date(0) });

test('critical and high are called out, medium is a row, low a line without a row', async () => {
  const ids = [await raise('critical'), await raise('high')];
  const medium = await raise('medium');
  assert.is(await raise('low'), undefined);
  assert.type(medium, 'number');
  const lines = await announced(url);
  const wanted = ids.map((alertId) => ({ checkId: 'X', alertId }));
  const byId = (found: unknown[]) => found.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  assert.equal(byId(calls), byId(wanted));
  assert.equal(
    lines.map(({ level, qa }) => [level, qa]),
    [
      ...wanted.map((ids) => [50, { ping: true, ...ids }]),
      [30, { ping: false, checkId: 'X', severity: 'low', subject: { type: 'event', id: '4' } }],
    ],
  );
  assert.equal(await waiting(), []);
});

test('an address that fails is called three times, and the line is logged once', async () => {
  status = 500;
  await raise('high');
  const summaryOf = [];
  for (let turn = 0; turn < 5; turn += 1) {
    summaryOf.push(...(await announced(url)).filter(({ level }) => level === 50));
    await hold();
  }
  assert.equal([calls.length, summaryOf.length], [3, 1]);
  assert.equal(await waiting(), []);
});

test('a process killed at the line leaves it to the next one', async () => {
  const alertId = await raise('high');
  const { log } = capturedLog();
  const error = () => {
    throw new Error('killed');
  };
  const killed = Object.assign(Object.create(log), { error });
  const dies = announceAlerts({ ...app.services, log: killed });
  assert.is(await dies.catch(({ message }: Error) => message), 'killed');
  await hold();
  assert.equal(
    (await announced(undefined)).map(({ level, qa }) => [level, qa]),
    [[50, { ping: true, checkId: 'X', alertId }]],
  );
  assert.equal(await waiting(), []);
});

test('nothing is announced of what was undone, and what another holds is left to it', async () => {
  const failed = await inContext(app.database.app, 'SUPER', async (trx) => {
    const kind = { kind: 'qa', code: 'X', severity: 'high', subject: 'event', summary: 'x' } as const;
    const alert = { organizationId: platformOrganizationId, subjectId: 'undone', details: {}, at: app.clock.now() };
    await openAlert(trx, kind, alert);
    throw new Error('undone');
  }).catch(({ message }: Error) => message);
  assert.is(failed, 'undone');
  await raise('high');
  await owner('alert_announcement').update({ heldUntil: new Date(Date.now() + 60_000), attempts: 1 });
  assert.equal(await announced(undefined), []);
  assert.equal(await waiting(), [{ attempts: 1 }]);
});

test.run();
