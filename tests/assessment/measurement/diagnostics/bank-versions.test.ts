// A diagnostic of each grade on the current bank, from the first item to the last; and one that was started on the
// first bank, which is completed and replayed with it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { currentBankVersion, itemBanks } from '#assessment/content/items/banks.ts';
import { inContext } from '#core/platform/db.ts';
import { buildClass, buildStudent, buildTeacher, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { child, type ServedBody } from './child.ts';

const test = suite('diagnostics by bank');
const app = useApp(test, { rules: true });
const first = await itemBanks().version(1);
const current = await itemBanks().current();
const spoken = /^(PA|LIS|VOC|MOR)_/;

async function pupil(grade: number) {
  const classRow = await buildClass(app.database.owner, { grade });
  const user = await buildStudent(app.database.owner, classRow);
  return { classRow, kid: child(app, { ...user, token: await signIn(app, user) }) };
}

/** Answers every item of a session, half of them right. */
async function takeAll(kid: ReturnType<typeof child>, sessionId: string): Promise<ServedBody[]> {
  const served: ServedBody[] = [];
  for (let calls = 0; calls < 60; calls++) {
    const { body } = await kid.next(sessionId);
    if (body.outcome === 'session_complete' || body.outcome === 'time_cap_reached') return served;
    if (!body.served) continue;
    served.push(body.served);
    app.clock.advance(3000);
    const { servedItemId } = body.served;
    const right = (first.find(body.served.itemId) ?? current.find(body.served.itemId))?.correctIndex ?? 0;
    const selectedOptionIndex = calls % 2 === 0 ? right : (right + 1) % body.served.options.length;
    await kid.answer(sessionId, { servedItemId, selectedOptionIndex, latencyMs: 3000 });
  }
  throw new Error('the session does not end');
}

for (const grade of [1, 2, 3, 4]) {
  test(`grade ${grade}: a whole part on the current bank, with the bank's texts`, async () => {
    const { kid } = await pupil(grade);
    const { body: session } = await kid.start();
    const served = await takeAll(kid, session.sessionId);
    assert.ok(served.length >= 20, `${served.length} items`);
    for (const { itemId, prompt, options } of served) {
      const item = current.find(itemId);
      assert.ok(item);
      assert.equal(prompt, item.prompt);
      assert.equal(
        options,
        item.options.map(({ index, text, speech, audioUrl }) => ({ index, text, speech, audioUrl })),
      );
      for (const { speech } of options) assert.is(speech !== null, spoken.test(item.subSkillCode), item.id);
    }
    assert.is((await kid.finish(session.sessionId)).status, 200);
    assert.is(await bankOf(session.sessionId), `content/item-bank@${currentBankVersion}`);
  });
}

const bankOf = (sessionId: string): Promise<string> =>
  inContext(app.database.owner, 'SUPER', async (trx) => {
    const row = await trx('diagnostic_session').where({ id: sessionId }).first('pinned');
    return row.pinned.bankVersion;
  });

test('an open session keeps the bank with which it was started, and replays with it', async () => {
  const { classRow, kid } = await pupil(1);
  const { body: session } = await kid.start();
  await app.database.owner.raw(
    `update diagnostic_session set pinned = jsonb_set(pinned, '{bankVersion}', '"content/item-bank@1"') where id = ?`,
    [session.sessionId],
  );
  const served = await takeAll(kid, session.sessionId);
  for (const { itemId, prompt, options } of served) {
    assert.equal(prompt, first.find(itemId)?.prompt);
    for (const { speech } of options) assert.is(speech, null);
  }
  const changed = served.filter(({ itemId }) => current.find(itemId)?.version !== first.find(itemId)?.version);
  assert.ok(changed.length > 0, 'an item of the second bank would have been noticed');
  assert.is((await kid.finish(session.sessionId)).status, 200);
  const token = await signIn(app, await buildTeacher(app.database.owner, classRow));
  const replay = await app.post<{ match: boolean; mismatches: unknown[]; pinnedVersions: { bankVersion: string } }>(
    `/api/engine/replay/${session.sessionId}`,
    {},
    { token },
  );
  assert.is(replay.status, 200);
  assert.is(replay.body.pinnedVersions.bankVersion, 'content/item-bank@1');
  assert.equal([replay.body.match, replay.body.mismatches], [true, []]);
});

test.run();
