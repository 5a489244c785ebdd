// timeout: 180s
// Activations, rollbacks and schedules at the same time: whatever was answered with 201 stands in the timeline and was in
// force, each on top of the one before it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runDueActivations } from '#backoffice/workbench/activation/schedule.ts';
import { inContext } from '#core/platform/db.ts';
import { activationAt, lockActivations } from '#rules/rulesets/index.ts';
import { useApp } from '../../../harness/http.ts';
import {
  type Backoffice,
  buildBackoffice,
  installVersion,
  type Json,
  type JsonReply,
  nextVersion,
} from '../backoffice.ts';

const test = suite('activations at once');
const app = useApp(test, { rules: true });
const { services } = app;
const { owner } = app.database;
const monday = Date.parse('2026-01-12T08:00:00.000Z');
const rounds = 12;
const sets = ['cbm/trend', 'rbm/rbm'] as const;
let office: Backoffice;

test.before(async () => {
  app.clock.set(new Date(monday));
  office = await buildBackoffice(app);
  for (const value of [4, 5])
    await installVersion(owner, await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': value }));
  for (const value of [4, 5]) await installVersion(owner, await nextVersion(owner, 'rbm/rbm', { 'RBM-STREAK': value }));
  // Every look at the clock is later than the one before: the one who looks early stands early.
  const { now } = app.clock;
  app.clock.now = () => {
    app.clock.advance(1);
    return now.call(app.clock);
  };
});

interface Entry {
  readonly id: number;
  readonly bundleId: string;
  readonly activeFrom: string;
  readonly versions: Readonly<Record<string, number>>;
}

/** As it is in force: by number. */
const timeline = (): Promise<Entry[]> =>
  inContext(owner, 'SUPER', (trx) =>
    trx('rule_activation as a')
      .join('rule_bundle as b', 'b.id', 'a.bundleId')
      .orderBy('a.id')
      .select('a.id', 'a.bundleId', 'a.activeFrom', 'b.versions'),
  );

interface Change {
  readonly family: string;
  readonly key: string;
  readonly from: number | null;
  readonly to: number;
}

const bundles = '/api/admin/rule-bundles';
const version = (round: number, place: number) => ((round + place) % 3) + 1;

/** Two of each kind, on both documents, of which some have nothing to change. */
function together(round: number): Promise<JsonReply>[] {
  const { author, editor } = office;
  return sets.flatMap((name, place) => {
    const later = new Date(app.clock.now().getTime() + 40).toISOString();
    const bundleOf = (at: number, reason: string) => ({ versions: { [name]: version(round, at) }, reason });
    return [
      author.post(bundles, bundleOf(place, 'policy_change')),
      editor.post(bundles, bundleOf(place + 1, 'defect_fix')),
      author.post(bundles, bundleOf(place + 2, 'defect_found')),
      editor.post(bundles, { ...bundleOf(place, 'scheduled_release'), from: later }),
    ];
  });
}

test('every 201 stands in the timeline and was in force, in one order', async () => {
  const replies: JsonReply[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const due = [runDueActivations(services), runDueActivations(services)];
    replies.push(...(await Promise.all(together(round))));
    await Promise.all(due);
    await runDueActivations(services);
  }
  const done = replies.filter(({ status }) => status === 201);
  const refused = replies.filter(({ status }) => status !== 201);
  assert.ok(done.length > rounds * 3, `${done.length} of ${replies.length}`);
  for (const { status, body } of refused) {
    assert.is(status, 409);
    assert.is(body.details?.[0]?.issue, 'no_change', JSON.stringify(body));
  }
  const entries = await timeline();
  for (const [at, entry] of entries.entries()) {
    assert.ok(at === 0 || entry.id > (entries[at - 1]?.id ?? 0), `a${entry.id} stands before an earlier one`);
  }
  const at = new Map(entries.map(({ bundleId }, place) => [bundleId, place]));
  for (const { body } of done.filter((reply) => reply.body.bundleId !== null)) {
    const place = at.get(String(body.bundleId)) ?? 0;
    assert.ok(place > 0, `${body.entryId} is not in the timeline`);
    const before = entries[place - 1]?.versions ?? {};
    const changes = body.changes as readonly Change[];
    const pins = Object.fromEntries(changes.map(({ family, key, to }) => [`${family}/${key}`, to]));
    assert.is(changes.length, 1);
    assert.equal(entries[place]?.versions, { ...before, ...pins }, `${body.entryId} forgets what was in force`);
    assert.is(entries[place]?.activeFrom, body.activeFrom);
  }
});

test('the page shows them in that order, none twice, page by page', async () => {
  const shown: string[] = [];
  let cursor = '';
  do {
    const { body } = await office.author.get(`/api/admin/rule-bundles?limit=5${cursor && `&cursor=${cursor}`}`);
    shown.push(
      ...(body.items as Json[]).filter(({ bundleId }) => bundleId !== null).map(({ entryId }) => String(entryId)),
    );
    cursor = (body.nextCursor as string | null) ?? '';
  } while (cursor !== '');
  const entries = await timeline();
  assert.equal(shown, entries.map(({ id }) => `a${id}`).reverse());
});

test('a clock that runs a little behind the newest activation puts nothing in force before it', async () => {
  const newest = (await timeline()).at(-1);
  const behind = new Date(Date.parse(newest?.activeFrom ?? '') - 900);
  const held = await inContext(owner, 'SUPER', (trx) => lockActivations(trx, { now: () => behind }));
  assert.is(held.moment.toISOString(), newest?.activeFrom);
  assert.equal(held.current, newest?.versions);
  assert.is(held.ahead, null);
  app.clock.set(behind);
  const next = ((newest?.versions['cbm/trend'] ?? 0) % 3) + 1;
  const done = await office.author.post(bundles, { versions: { 'cbm/trend': next }, reason: 'defect_fix' });
  assert.is(done.status, 201, JSON.stringify(done.body));
  assert.is(done.body.activeFrom, newest?.activeFrom);
  assert.is(done.body.state, 'scheduled', 'it is in force within the second');
  const inForce = await activationAt(owner, held.moment);
  assert.is(inForce?.bundleId, done.body.bundleId);
  assert.is(inForce?.versions['cbm/trend'], next);
});

test('a schedule that fails harms no other', async () => {
  app.clock.set(new Date(monday + 60_000));
  await runDueActivations(services);
  const [broken, sound] = sets;
  const active = (await timeline()).at(-1)?.versions ?? {};
  for (const name of [broken, sound]) {
    const to = ((active[name] ?? 0) % 3) + 1;
    const from = new Date(app.clock.now().getTime() + 5_000).toISOString();
    const planned = await office.author.post(bundles, { versions: { [name]: to }, reason: 'scheduled_release', from });
    assert.is(planned.body.state, 'scheduled', JSON.stringify(planned.body));
  }
  app.clock.set(new Date(monday + 3_600_000));
  const failing: typeof services.rules = {
    ...services.rules,
    pinned: (db, versions) =>
      versions[broken] === active[broken]
        ? services.rules.pinned(db, versions)
        : Promise.reject(new Error('unreadable')),
  };
  await runDueActivations({ ...services, rules: failing }).then(
    () => assert.unreachable(),
    (error) => assert.is(error.message, 'unreadable'),
  );
  const after = (await timeline()).at(-1)?.versions ?? {};
  assert.is(after[broken], active[broken]);
  assert.is.not(after[sound], active[sound]);
});

test.run();
