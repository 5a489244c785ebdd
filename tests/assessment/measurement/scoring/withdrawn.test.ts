// 30 §2: an item that a later release withdraws is no longer served in open sessions and queues.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type ItemBank, itemBank } from '#assessment/content/items/engine/bank.ts';
import { signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import type { ServedBody } from '../diagnostics/child.ts';
import { itemOf, practisingChild, right, wrong } from '../practice/practising.ts';

const app = useApp(test);
const { itemBanks } = app.services;
const ofToday = itemBanks.current;
const before = await ofToday();
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});
test.after.each(() => {
  release(ofToday);
});

const release = (current: () => Promise<ItemBank>) => Object.assign(itemBanks, { current });

/** Simulates a release that withdraws them as of `at`; the bank before it is still available. */
function withdraw(ids: ReadonlySet<string>, at: Date = app.clock.now()): void {
  const withdrawn = { status: 'withdrawn', withdrawnAt: at.toISOString() } as const;
  const items = before.items.map((item) => (ids.has(item.id) ? { ...item, ...withdrawn } : item));
  const next = itemBank({ version: before.version + 1, items });
  release(async () => next);
}

const idsOf = (code: string): string[] => before.cell(code, 'G12').map(({ id }) => id);
const inAnHour = () => new Date(app.clock.now().getTime() + 3_600_000);

async function openDiagnostic() {
  const { user, diagnostic } = await practisingChild(app, world.own);
  const { body } = await diagnostic.start();
  const { sessionId } = body;
  const next = async () => (await diagnostic.next(sessionId)).body;
  const answer = ({ servedItemId }: ServedBody, selectedOptionIndex: number) =>
    diagnostic.answer(sessionId, { servedItemId, selectedOptionIndex, latencyMs: 1000 });
  const finish = async () => {
    await diagnostic.finish(sessionId);
    return app.database.owner('diagnostic_session').where({ id: sessionId }).first('finishReason');
  };
  return { user, sessionId, next, answer, finish };
}

test('diagnostic: a served item can be answered; the remaining items decide what is opened and closed', async () => {
  const kid = await openDiagnostic();
  const { served: out } = await kid.next();
  assert.ok(out);
  const first = itemOf(out).id;
  const sounds = idsOf('LK_SOUND').filter((id) => id !== first);
  withdraw(new Set([first, ...sounds.slice(0, -3), ...idsOf('PA_BLEND').slice(3)]));
  assert.is((await kid.next()).served?.servedItemId, out.servedItemId);
  assert.is((await kid.answer(out, right(out))).status, 200);
  const served: string[] = [];
  for (let done = 0; done < 3; done++) {
    const { served: item } = await kid.next();
    assert.ok(item);
    served.push(itemOf(item).id);
    await kid.answer(item, wrong(item));
  }
  assert.equal(served.sort(), sounds.slice(-3));
  assert.is((await kid.next()).outcome, 'no_eligible_item', 'LK_SOUND is closed');
  assert.is((await kid.next()).outcome, 'no_eligible_item', 'PA_BLEND has three and is not opened');
  const { served: other } = await kid.next();
  assert.is(other && itemOf(other).subSkillCode, 'DEC_SYLLABLE');
  assert.is((await kid.finish()).finishReason, 'stopped_early');
  const token = await signIn(app, world.own.people.TEACHER);
  const { body } = await app.post<{ match: boolean; stored: { stopReason: string }[] }>(
    `/api/engine/replay/${kid.sessionId}`,
    {},
    { token },
  );
  assert.is(body.match, true);
  assert.equal(
    body.stored.map(({ stopReason }) => stopReason),
    ['no_eligible_item', 'session_end'],
  );
});

test('diagnostic: an item is served until the moment of its withdrawal', async () => {
  const kid = await openDiagnostic();
  withdraw(new Set(before.items.map(({ id }) => id)), inAnHour());
  const { served } = await kid.next();
  assert.ok(served);
  assert.is((await kid.answer(served, right(served))).status, 200);
  assert.is((await kid.next()).outcome, 'item_served');
});

test('diagnostic: with nothing left to serve it was completed', async () => {
  const kid = await openDiagnostic();
  const { served } = await kid.next();
  assert.ok(served);
  await kid.answer(served, right(served));
  withdraw(new Set(before.items.map(({ id }) => id)));
  assert.is((await kid.next()).outcome, 'no_eligible_item');
  assert.is((await kid.finish()).finishReason, 'completed');
});

test('practice: a target without items is closed, a served item can be answered, other targets continue', async () => {
  const kid = await practisingChild(app, world.own);
  await kid.seed(await kid.finishDiagnostic());
  const { served: out } = (await kid.next()).body;
  assert.ok(out);
  const { subSkillCode: closed } = itemOf(out);
  const [other = ''] = ['LK_SOUND', 'PA_BLEND', 'DEC_SYLLABLE'].filter((code) => code !== closed);
  const withdrawn = new Set([...idsOf(closed), ...idsOf(other).slice(0, -2)]);
  withdraw(withdrawn);
  const again = await kid.step();
  assert.is(again.served?.servedItemId, out.servedItemId);
  const served = (await kid.workOff()).flatMap((one) => (one.served ? [itemOf(one.served)] : []));
  assert.equal(
    served.filter(({ id }) => withdrawn.has(id)),
    [],
  );
  assert.is((await kid.current()).body.queue?.answered, 15);
});

test('practice: an item is served until the moment of its withdrawal', async () => {
  const kid = await practisingChild(app, world.own);
  await kid.seed(await kid.finishDiagnostic());
  withdraw(new Set(before.items.map(({ id }) => id)), inAnHour());
  assert.is((await kid.step()).outcome, 'item_served');
  app.clock.advance(3_600_000);
  for (let closed = 0; closed < 3; closed++) assert.is((await kid.step()).outcome, 'no_eligible_item');
  assert.is((await kid.step()).outcome, 'queue_complete');
});

test.run();
