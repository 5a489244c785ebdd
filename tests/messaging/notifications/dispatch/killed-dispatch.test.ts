// timeout: 240s
// A worker that is killed during a dispatch, and one that starts while no language rules are in force: no notification is lost
// or sent twice, and equal texts are one row with the right count.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { type Backoffice, buildBackoffice } from '../../../backoffice/workbench/backoffice.ts';
import { eventually, startWorker } from '../../../faults/world.ts';
import { schoolYearOfToday } from '../../../harness/clock.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedRules } from '../../../rules/language/sets.ts';
import { aboutAlert, buildSchoolhouse, deskOf, type Schoolhouse } from '../desk.ts';

const test = suite('killed dispatch');
const app = useApp(test, { rules: true });
const { owner } = app.database;
const patienceMs = 60_000;
let tenant: Schoolhouse;
let office: Backoffice;
const desk = deskOf(app, () => tenant);

test.before(async () => {
  // The processes use the machine's clock.
  app.clock.set(new Date());
  office = await buildBackoffice(app);
});
test.before.each(async () => {
  app.clock.set(new Date());
  tenant = await buildSchoolhouse(owner);
  // A school without a calendar would be an alert of the checks that a worker runs beside.
  const holidays = [`${schoolYearOfToday().slice(-4)}-01-01`];
  await owner('organization').where({ id: tenant.organizationId }).update({ holidays });
});

const states = async () => (await desk.requests()).map(({ state }) => state);
const settled = (what: string, count: number) =>
  eventually(what, patienceMs, async () => (await states()).filter((state) => state !== 'waiting').length === count);
const alerts = () => owner('platform_alert').where({ organizationId: tenant.organizationId });

/** Two sources for one person, 30 requests of one and 5 of the other, and one of an unknown kind. */
async function askForMany(): Promise<void> {
  const about = aboutAlert(tenant.people.STUDENT.id);
  const of = (sourceId: string, count: number) => Array.from({ length: count }, () => ({ ...about, sourceId }));
  await desk.ask(...of('many', 30), ...of('few', 5), { kind: 'no_such_kind', payload: {} });
}

for (const [moment, table] of [
  ['before the first row', 'notification'],
  ['when all is written and not committed', 'platform_alert'],
] as const) {
  test(`kill -9 ${moment}: nothing of it stays, and then each is delivered once`, async () => {
    const first = await startWorker(app.database, undefined);
    const blocker = await owner.transaction();
    try {
      await blocker.raw('lock table ?? in share mode', [table]);
      await askForMany();
      await eventually('the worker waits inside its transaction', patienceMs, async () => {
        const { rows } = await owner.raw(
          `select from pg_locks where relation = ?::regclass and not granted
             and database = (select oid from pg_database where datname = current_database())`,
          [table],
        );
        return rows.length > 0;
      });
    } finally {
      await first.kill();
      await blocker.rollback();
    }
    assert.equal([await desk.notifications(), await alerts()], [[], []]);
    assert.equal([...new Set(await states())], ['waiting']);
    const second = await startWorker(app.database, undefined);
    await settled('all is settled', 36);
    await second.stop();
    const notified = (await desk.notifications()).map(({ sourceId, count }) => [sourceId, count]);
    assert.equal(notified.sort(), [
      ['few', 5],
      ['many', 30],
    ]);
    assert.equal(
      (await alerts()).map(({ code }) => code),
      ['NOTIFICATION_REFUSED'],
    );
  });
}

test('no set of language rules over a restart: requests stay, and are delivered once when there is one again', async () => {
  const list = '/api/language-rules';
  const { items } = (await office.author.get(list)).body as { items: { id: string; key: string }[] };
  const family = items.find(({ key }) => key === 'family');
  assert.is((await office.author.request('PATCH', `${list}/${family?.id}/deactivate`, {})).status, 200);
  const first = await startWorker(app.database, undefined);
  const about = { payload: { studentId: tenant.people.STUDENT.id, assignmentId: 'plan1' } };
  const toParent = { kind: 'parent_tsp_activation', ...about, recipientUserId: tenant.people.PARENT.id };
  await desk.ask(toParent, {});
  await settled('staff are notified', 1);
  await first.kill();
  assert.equal((await states()).sort(), ['delivered', 'waiting']);
  const second = await startWorker(app.database, undefined);
  await desk.ask({});
  await settled('staff are notified by the process that was started anew', 2);
  assert.equal((await office.author.post(list, { key: 'family', rules: [] })).status, 422, 'an empty set is none');
  assert.is((await states()).filter((state) => state === 'waiting').length, 1);
  const made = await office.author.post(list, { key: 'family', rules: shippedRules('family') });
  assert.is(made.status, 201, JSON.stringify(made.body));
  await settled('the parent is notified', 3);
  await second.stop();
  const notified = await inContext(owner, 'SUPER', (trx) =>
    trx('notification').where({ organizationId: tenant.organizationId, kind: 'parent_tsp_activation' }),
  );
  assert.equal(
    notified.map(({ count, ruleVersions }) => [count, ruleVersions['language/family']]),
    [[1, 3]],
  );
  assert.equal(await alerts(), []);
});

test.run();
