// timeout: 480s
// One seed number gives one demo: in another database, after interruptions, and when several processes start at once.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { drawRoster } from '#app/demo/engine/roster.ts';
import { sandbox, seedDemo } from '#app/demo/index.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { useApp } from '../../harness/http.ts';
import { installEverything } from '../../harness/rules.ts';
import { type Fingerprint, fingerprint } from './fingerprint.ts';
import { makeTwin, type Twin } from './twin.ts';

const app = useApp(test);
const specs = [sandbox];
let first: Fingerprint;
let twin: Twin;

test.before(async () => {
  await installEverything(app.database.owner);
  twin = await makeTwin(app.database);
  await installEverything(twin.owner);
});

test.after(() => twin.drop());

const seedTwin = (onProgress?: (done: number) => void) =>
  seedDemo({ ...app.services, db: twin.app }, { specs, ...(onProgress && { onProgress }) });

test('a seeding in one go', async () => {
  assert.ok(await seedDemo(app.services, { specs }));
  first = await fingerprint(app.database.owner);
  assert.ok(first.responses.rows > 100 * 24);
  assert.is(first.flags.rows, 5);
  assert.ok(first.tiers.rows >= 4 && first.alerts.rows > 4);
  assert.ok(first.sessions.rows >= 4 * 8, String(first.sessions.rows));
});

test('a seeding that stops in the middle has no organization under its name', async () => {
  const stopAt = (last: number) => (done: number) => {
    if (done >= last) throw new Error('stopped by the test');
  };
  for (const last of [20, 45]) {
    await assertRejects(seedTwin(stopAt(last)), /stopped by the test/);
    assert.equal(await slugs(), ['sandbox-unfinished']);
  }
  const { responses } = await fingerprint(twin.owner);
  assert.ok(responses.rows > 0 && responses.rows < first.responses.rows);
});

test('a day later, two processes at once complete it: the same rows as in one go', async () => {
  app.clock.advance(86_400_000);
  const made = await Promise.all([seedTwin(), seedTwin()]);
  assert.equal(made.sort(), [false, true]);
  assert.equal(await slugs(), ['sandbox']);
  assert.equal(await fingerprint(twin.owner), first);
});

test('a further start changes nothing', async () => {
  assert.not(await seedTwin());
  assert.equal(await fingerprint(twin.owner), first);
});

test('another seed number is another school', async () => {
  assert.not.equal(drawRoster('1/sandbox'), drawRoster('2/sandbox'));
  assert.equal(drawRoster('1/sandbox'), drawRoster('1/sandbox'));
});

/** Of all organizations but the platform's own row. */
const slugs = (): Promise<string[]> =>
  twin.owner('organization').whereNot({ id: platformOrganizationId }).pluck<string[]>('slug');

async function assertRejects(work: Promise<unknown>, message: RegExp): Promise<void> {
  const error = await work.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  assert.match(error?.message ?? 'nothing was thrown', message);
}

test.run();
