// The registry of checks and the alert log over HTTP: checks in force, visibility, and one entry an hour for each subject.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type AlertKind, openAlert, openAlerts } from '#core/module/alerts.ts';
import { inContext } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { catalogueOf } from '#messaging/qa/catalogue.ts';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import { signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type Person, type World } from '../../harness/world.ts';
import { changedChecks } from './documents.ts';

const app = useApp(test);
const { clock } = app;
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface CheckBody {
  readonly ruleVersion: string;
  readonly items: readonly { readonly qaCheckId: string; readonly severity: string; readonly kind: string }[];
  readonly nextCursor: string | null;
}
interface AlertBody {
  readonly items: readonly {
    readonly alertId: number;
    readonly qaCheckId: string;
    readonly organizationId: string | null;
    readonly subject: { readonly type: string; readonly id: string };
    readonly at: string;
  }[];
  readonly nextCursor: string | null;
  readonly details?: readonly { readonly field: string }[];
}

const kindOf = (code: string, severity: AlertKind['severity'] = 'high'): AlertKind => ({
  ...{ kind: 'qa', code, severity, subject: 'event', summary: 'x' },
});
const raise = (organizationId: string, subjectId: string, code = 'OUTBOX_PARKED') =>
  inContext(app.database.app, organizationId === platformOrganizationId ? 'SUPER' : { organizationId }, (trx) =>
    openAlert(trx, kindOf(code), { organizationId, subjectId, details: {}, at: clock.now() }),
  );
const rows = (organizationId = world.own.organizationId) => owner('platform_alert').where({ organizationId });
const alerts = async (query = '', person: Person = world.own.people.ADMIN) =>
  (await app.get<AlertBody>(`/api/qa/runtime-alerts${query}`, { token: await signIn(app, person) })).body;

/** As the contract lists them: 80 §2. */
const shipped = fs
  .readFileSync(new URL('shipped.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

test('all shipped checks are in force, with severity and kind of the contract, on two pages', async () => {
  const { token } = world.own.people.ADMIN;
  const first = (await app.get<CheckBody>('/api/qa/checks', { token })).body;
  const second = (await app.get<CheckBody>(`/api/qa/checks?cursor=${first.nextCursor}`, { token })).body;
  assert.equal([first.ruleVersion, first.items.length, second.nextCursor], ['qa/checks@3', 25, null]);
  const found = [...first.items, ...second.items].map(
    ({ qaCheckId, severity, kind }) => `${qaCheckId} ${severity[0]?.toUpperCase()}${kind[0]}`,
  );
  assert.equal(found, shipped);
  assert.equal(
    [...catalogueOf(app.services.capabilities).keys()].sort(),
    shipped.map((line) => line.split(' ')[0]).sort(),
  );
});

test('a finding is reported once an hour for each subject, with the version of the checks', async () => {
  const { organizationId } = world.own;
  clock.set('2026-01-16T08:10:00.000Z');
  for (const subject of ['1', '1', '2']) await raise(organizationId, subject);
  clock.set('2026-01-16T08:59:59.999Z');
  await raise(organizationId, '1');
  assert.is((await rows()).length, 2);
  clock.set('2026-01-16T09:00:00.000Z');
  await raise(organizationId, '1');
  const { items } = await alerts();
  assert.equal(
    items.map(({ alertId, ...row }) => row),
    [
      ['1', '2026-01-16T09:00:00.000Z'],
      ['2', '2026-01-16T08:10:00.000Z'],
      ['1', '2026-01-16T08:10:00.000Z'],
    ].map(([id, at]) => ({
      ...{ qaCheckId: 'OUTBOX_PARKED', severity: 'high', organizationId, subject: { type: 'event', id } },
      ...{ studentId: null, at, ruleVersion: 'qa/checks@3' },
    })),
  );
});

test('an administrator sees the own organization, SUPER all and the platform; filters and pages hold', async () => {
  clock.set('2026-01-17T08:00:00.000Z');
  await raise(world.other.organizationId, 'other');
  clock.advance(1_000);
  await raise(platformOrganizationId, 'platform', 'QUEUE_STALLED');
  const { superAdmin } = world;
  const subjects = ({ items }: AlertBody) => items.map(({ subject }) => subject.id);
  assert.equal(subjects(await alerts('?from=2026-01-17T00:00:00.000Z')), []);
  const all = await alerts('?limit=2', superAdmin);
  assert.equal(subjects(all), ['platform', 'other']);
  assert.equal(
    all.items.map(({ organizationId }) => organizationId),
    [null, world.other.organizationId],
  );
  assert.equal(subjects(await alerts(`?limit=2&cursor=${all.nextCursor}`, superAdmin)), ['1', '2']);
  assert.equal(subjects(await alerts('?qaCheckId=QUEUE_STALLED', superAdmin)), ['platform']);
  for (const id of ['NOBODY_KNOWS', 'nobody-knows'])
    assert.equal(subjects(await alerts(`?qaCheckId=${id}`, superAdmin)), []);
  assert.equal(subjects(await alerts('?severity=critical', superAdmin)), []);
  const window = '?from=2026-01-16T08:10:00.000Z&to=2026-01-16T09:00:00.000Z';
  assert.equal(subjects(await alerts(window, superAdmin)), ['2', '1']);
  const token = await signIn(app, superAdmin);
  for (const wrong of ['?from=2026-01-17T00:00:00.000Z&to=2026-01-17T00:00:00.000Z', '?severity=grave', '?cursor=x'])
    assert.is((await app.get(`/api/qa/runtime-alerts${wrong}`, { token })).status, 422, wrong);
});

test('teachers see critical findings about students of their class, and nothing else', async () => {
  const { organizationId, classRow, people } = world.own;
  const about = { studentId: people.STUDENT.id };
  await inContext(app.database.app, { organizationId }, async (trx) => {
    for (const [code, severity] of [
      ['TWO_OPEN_ALERTS', 'critical'],
      ['RECOMPUTE_STUCK', 'high'],
    ] as const)
      await openAlert(trx, kindOf(code, severity), {
        ...{ organizationId, subjectId: people.STUDENT.id, details: {}, at: clock.now(), about },
      });
  });
  const token = await signIn(app, people.TEACHER);
  const { body } = await app.get<{ items: { kind: string; code: string; studentId: number }[] }>(
    `/api/classes/${classRow.id}/platform-alerts`,
    { token },
  );
  assert.equal(
    body.items.map(({ kind, code, studentId }) => [kind, code, studentId]),
    [['qa', 'TWO_OPEN_ALERTS', people.STUDENT.id]],
  );
});

test('the document in force decides the severity of a finding, and whether it is reported', async () => {
  const { organizationId } = world.own;
  clock.set('2026-01-18T08:00:00.000Z');
  const changed = changedChecks({
    OUTBOX_PARKED: { severity: 'medium' },
    QUEUE_STALLED: { enabled: false },
    RECOMPUTE_STUCK: { severity: 'low' },
  });
  await putInForce(app, changed);
  await inContext(app.database.app, 'SUPER', async (trx) => {
    for (const code of ['OUTBOX_PARKED', 'QUEUE_STALLED', 'RECOMPUTE_STUCK', 'SOMETHING_ELSE'])
      await openAlerts(trx, kindOf(code), [{ organizationId, subjectId: 9, details: {}, at: clock.now() }]);
  });
  const found = await rows().where({ subjectId: '9' }).orderBy('id').select('code', 'severity', 'ruleVersion');
  assert.equal(found, [
    { code: 'OUTBOX_PARKED', severity: 'medium', ruleVersion: 'qa/checks@4' },
    { code: 'SOMETHING_ELSE', severity: 'high', ruleVersion: null },
  ]);
});

test.run();
