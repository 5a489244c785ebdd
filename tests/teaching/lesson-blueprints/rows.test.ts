// Stored blueprints: found with their content, listed by bundle and grade, immutable.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { activeBlueprintHeads, findBlueprint, lessonItemView } from '#teaching/lesson-blueprints/index.ts';
import { useDatabase } from '../../harness/database.ts';
import { blueprintOf, buildBlueprint, itemOf } from './rows.ts';

const { owner, app } = useDatabase(test);
const read = <T>(work: (trx: Trx) => Promise<T>) => inContext(app, { organizationId: newId() }, work);

test('a blueprint is read as published, also in the context of an organization', async () => {
  const content = blueprintOf({ blueprintCode: 'READ-1', scaffoldTier: 'Level_2' });
  const blueprintId = await buildBlueprint(owner, content);
  assert.equal(await read((trx) => findBlueprint(trx, blueprintId)), {
    ...{ blueprintId, version: 1, state: 'active' },
    content: { ...content, form: 'A' },
  });
  assert.is(await read((trx) => findBlueprint(trx, newId())), undefined);
});

test('heads are those of active versions of the requested bundles and grade', async () => {
  const first = await buildBlueprint(owner, { blueprintCode: 'HEAD-1', bundle_id: 'SUP-COMP-01', grade: 3 });
  const second = await buildBlueprint(
    owner,
    { blueprintCode: 'HEAD-1', bundle_id: 'SUP-COMP-01', grade: 3 },
    { version: 2 },
  );
  await buildBlueprint(owner, { blueprintCode: 'HEAD-2', bundle_id: 'SUP-COMP-01', grade: 4 });
  const heads = await read((trx) => activeBlueprintHeads(trx, { bundleIds: ['SUP-COMP-01'], grade: 3 }));
  const { segments, items, ...head } = blueprintOf({ blueprintCode: 'HEAD-1', bundle_id: 'SUP-COMP-01', grade: 3 });
  assert.equal(heads, [
    { blueprintId: second, version: 2, publishedAt: '2026-01-12T08:00:00.000Z', form: 'A', ...head },
  ]);
  assert.is((await read((trx) => findBlueprint(trx, first)))?.state, 'superseded');
  assert.is((await read((trx) => activeBlueprintHeads(trx, { bundleIds: ['SUP-COMP-01'] }))).length, 2);
});

test('a child sees neither the key of an item nor what it measures', () => {
  const view = lessonItemView(itemOf('item-1', 'DEC_WORD'));
  assert.equal(Object.keys(view), ['itemRef', 'promptAr', 'speechAr', 'passageAr', 'options', 'optionSpeechAr']);
});

test('content is immutable, versions have no gap, and an organization cannot write', async () => {
  const id = await buildBlueprint(owner, { blueprintCode: 'KEEP-1' });
  const refused = async (work: Promise<unknown>, words: RegExp) =>
    assert.match(
      await work.then(
        () => 'accepted',
        (error: Error) => error.message,
      ),
      words,
    );
  await refused(owner('session_blueprint').where({ id }).update({ titleAr: 'x' }), /does not change/);
  await refused(owner('session_blueprint').where({ id }).delete(), /keeps its rows/);
  await refused(buildBlueprint(owner, { blueprintCode: 'KEEP-2' }, { version: 2 }), /does not follow 0/);
  const supersede = (trx: Trx) => trx('session_blueprint').where({ id }).update({ state: 'superseded' });
  await refused(read(supersede), /permission denied/);
});

test.run();
