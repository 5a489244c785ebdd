// Replay of a stored warm-up: it matches, reports manual changes, and writes nothing.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { newKid } from './kid.ts';

const test = suite('replay of a warm-up');
/** The expected values were computed with the first bank. */
const app = useApp(test, { content: { bankVersion: 1 } });
const { owner } = app.database;
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

interface ReplayBody {
  readonly warmupSessionId: string;
  readonly planMatch: boolean;
  readonly summaryMatch: boolean;
  readonly mismatches: readonly { readonly field: string; readonly stored: unknown; readonly derived: unknown }[];
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly rowsWritten: number;
}

const replay = async (warmupSessionId: string) =>
  app.post<ReplayBody>(
    '/api/admin/warmup/dry-run-replay',
    { warmupSessionId },
    { token: await signIn(app, world.superAdmin) },
  );

/** A warm-up with a pause, answers and a resume by the service itself. */
async function played() {
  const kid = await newKid(app, world.own.classRow);
  const { body } = await kid.start();
  const id = body.warmupSessionId;
  app.clock.advance(9_000);
  await kid.events(id, [
    { seq: 1, type: 'answer', atMs: 4_000, itemId: body.items[0]?.itemId, selectedOptionIndex: 1 },
    { seq: 2, type: 'pause', atMs: 9_000 },
  ]);
  app.clock.advance(100_000);
  return { kid, id };
}

const clean = { planMatch: true, summaryMatch: true, mismatches: [], rowsWritten: 0 };
const ruleVersions = { 'scoring/measurement': 1, 'content/item-bank': 1 };

test('running, paused, resumed, ended and expired warm-ups match', async () => {
  const { kid, id } = await played();
  assert.equal((await replay(id)).body, { warmupSessionId: id, ...clean, ruleVersions });
  await kid.resume(id);
  assert.equal((await replay(id)).body.mismatches, []);
  app.clock.advance(51_000);
  assert.is((await kid.complete(id)).body.status, 'COMPLETED');
  assert.equal((await replay(id)).body, { warmupSessionId: id, ...clean, ruleVersions });
  const left = await played();
  app.clock.advance(600_000);
  assert.equal((await replay(left.id)).body.mismatches, []);
  await left.kid.resume(left.id);
  assert.equal((await replay(left.id)).body.mismatches, []);
});

test('changes made past the service are named', async () => {
  const { kid, id } = await played();
  await kid.complete(id);
  await owner('warmup_session').where({ id }).update({ status: 'COMPLETED', answered: 7 });
  const { body } = await replay(id);
  assert.is(body.planMatch, true);
  assert.is(body.summaryMatch, false);
  assert.equal(body.mismatches, [
    { field: 'status', stored: 'COMPLETED', derived: 'ENDED_EARLY' },
    { field: 'answered', stored: 7, derived: 1 },
  ]);
});

test('a plan that differs from its pinned facts is named by position', async () => {
  const { kid, id } = await played();
  await kid.complete(id);
  const { pinned } = await owner('warmup_session').where({ id }).first();
  const targets = [{ subSkillCode: 'VOC_MEANING', theta: 3 }];
  await owner('warmup_session')
    .where({ id })
    .update({ pinned: JSON.stringify({ ...pinned, targets }) });
  const { body } = await replay(id);
  assert.is(body.planMatch, false);
  assert.is(body.summaryMatch, true);
  assert.match(body.mismatches[0]?.field ?? '', /^plan\.\d+$/);
  assert.match(String(body.mismatches[0]?.derived), /^VOC_MEANING-G12-/);
});

test('an unknown warm-up is 404, a malformed id 422, and no other persona may replay', async () => {
  assert.is((await replay(newId())).status, 404);
  assert.is((await replay('nonsense')).status, 422);
  const { id } = await played();
  for (const name of ['ADMIN', 'TEACHER', 'STUDENT'] as const) {
    const token = await signIn(app, world.own.people[name]);
    const reply = await app.post('/api/admin/warmup/dry-run-replay', { warmupSessionId: id }, { token });
    assert.is(reply.status, 403, name);
  }
});

test('a replay writes nothing', async () => {
  const { id } = await played();
  const state = async () =>
    JSON.stringify([await owner('warmup_session'), await owner('warmup_event'), await owner('warmup_item')]);
  const token = await signIn(app, world.superAdmin);
  const before = await state();
  await app.post('/api/admin/warmup/dry-run-replay', { warmupSessionId: id }, { token });
  assert.is(await state(), before);
});

test.run();
