// Whose document is rendered next: of one organization two at once, whatever their kinds; then the oldest job of the organization
// served longest ago, in it of the person served longest ago (contract 11, "Queues").
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { pauseReport, reportRows } from '#messaging/documents/rows/lease.ts';
import { requestReport } from '#messaging/documents/rows/request.ts';
import { nextReport } from '#messaging/documents/rows/turns.ts';
import { runReports } from '#messaging/documents/runs/run.ts';
import { reportKindOf } from '#messaging/documents/services.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { Press } from './press.ts';

const press = new Press();
const app = useApp(test, { capabilities: press.capabilities, rules: true });
const { services, clock } = app;
const { owner } = app.database;
const kinds = ['session_pdf', 'class_report', 'board_report', 'parent_letters'] as const;
const going = new AbortController().signal;
let [one, two]: readonly [Tenant, Tenant] = [] as never;

test.before(async () => {
  [one, two] = [await buildTenant(app), await buildTenant(app)];
});
test.before.each(async () => {
  press.clean();
  await owner('report_file').delete();
  await owner('report_job').delete();
});

type Name = 'TEACHER' | 'ADMIN';

/** A second later than what was asked for before. */
async function ask({ organizationId, people }: Tenant, kind: string = 'session_pdf', by: Name = 'TEACHER') {
  clock.advance(1_000);
  const request = { kind: reportKindOf(services, kind), subject: newId(), input: {}, contentKey: newId() };
  const { id } = await inContext(services.db, { organizationId }, (trx) =>
    requestReport(trx, { ...request, organizationId, requestedBy: people[by].id, now: clock.now() }),
  );
  return { organizationId, id };
}

const renderedBy = (names: Readonly<Record<string, string>>) => press.rendered.map((id) => names[id]).join(' ');

for (const kind of kinds) {
  test(`${kind}: one job of another organization waits for one of 40, and people of one organization take turns`, async () => {
    const names: Record<string, string> = {};
    for (let at = 0; at < 40; at++) names[(await ask(one, kind)).id] = 'teacher';
    for (let at = 0; at < 2; at++) names[(await ask(one, kind, 'ADMIN')).id] = 'admin';
    names[(await ask(two, kind)).id] = 'other';
    await runReports(services, kind, going);
    assert.ok(renderedBy(names).startsWith('teacher other admin teacher admin teacher'), renderedBy(names));
    assert.is(press.rendered.length, 43);
  });
}

test('of one organization two run at once in all processes, whatever their kinds', async () => {
  const keys = [];
  for (const kind of kinds) keys.push(await ask(one, kind));
  const claimed = await Promise.all(keys.map((key) => reportRows.claim(services, key)));
  const running = claimed.filter((job) => job !== undefined);
  assert.is(running.length, 2);
  for (const kind of kinds) assert.is(await nextReport(services.db, kind), undefined, kind);
  const others = await ask(two);
  assert.equal(await nextReport(services.db, 'session_pdf'), others);
  await owner('report_job')
    .where({ id: running[0]?.id })
    .update({ heldUntil: new Date(0) });
  const free = await Promise.all(kinds.map((kind) => nextReport(services.db, kind)));
  assert.ok(free.filter((key) => key?.organizationId === one.organizationId).length > 0, 'its process died');
});

test('a job that pauses between two attempts takes no place', async () => {
  for (let at = 0; at < 3; at++) {
    const job = await reportRows.claim(services, await ask(one));
    if (!job) throw new Error('a place was taken');
    await pauseReport(services, job, 30);
  }
  const last = await ask(one);
  assert.equal(await nextReport(services.db, 'session_pdf'), last);
});

test('eight workers at once render every document once, and never three of one organization', async () => {
  let [now, most] = [0, 0];
  press.render = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    return Buffer.from('%PDF-');
  };
  for (const kind of [...kinds, ...kinds, ...kinds]) await ask(one, kind);
  // A worker that finds the organization busy lets go; the sweep lets it look again.
  while (press.rendered.length < 12)
    await Promise.all([...kinds, ...kinds].map((kind) => runReports(services, kind, going)));
  assert.equal([new Set(press.rendered).size, press.rendered.length, most], [12, 12, 2]);
});

test('a process that is about to end begins no more', async () => {
  await ask(one);
  await runReports(services, 'session_pdf', AbortSignal.abort());
  assert.equal(press.rendered, []);
});

test.run();
