// Titles and scripts of active blueprints are part of the proof of texts for drafts of the language rules.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { inContext } from '#core/platform/db.ts';
import { readStoredTexts, unsafeTexts } from '#rules/language/index.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { blueprintTexts } from '#teaching/lesson-blueprints/texts.ts';
import { useDatabase } from '../../harness/database.ts';
import { blueprintOf, buildBlueprint } from './rows.ts';

const { owner, app } = useDatabase(test);
const bundle = await loadNewestBundle('rules');
const read = (draft?: string) =>
  inContext(app, 'SUPER', (trx) => readStoredTexts(trx, capabilities, draft === undefined ? undefined : [draft]));
const rowsFor = async (draft: string) => (await read(draft))['session-blueprints'];

test('every text once, each checked by the filter of its readers and not interpreted as a template', async () => {
  const { segments } = blueprintOf();
  const script = 'نقرأ {{word}} معًا.';
  const scripted = segments.map((segment) => ({ ...segment, scriptAr: script }));
  await buildBlueprint(owner, { blueprintCode: 'TEXT-2', titleAr: 'عنوان', segments: scripted });
  await buildBlueprint(owner, { blueprintCode: 'TEXT-1', titleAr: 'أنت غبي', segments: scripted });
  await buildBlueprint(owner, { blueprintCode: 'OLD-1', titleAr: 'قديم' });
  await owner('session_blueprint').where({ blueprintCode: 'OLD-1' }).update({ state: 'superseded' });
  const rows = await inContext(app, 'SUPER', (trx) => blueprintTexts.read(trx));
  assert.equal(rows, [
    { id: 'TEXT-1/segments/1', text: script, isTitle: false },
    { id: 'TEXT-1/titleAr', text: 'أنت غبي', isTitle: true },
    { id: 'TEXT-2/titleAr', text: 'عنوان', isTitle: true },
  ]);
  const unsafe = unsafeTexts(bundle, [blueprintTexts.served(rows)]);
  assert.equal(
    unsafe.map(({ id, tier }) => `${id} ${tier}`),
    ['session-blueprints/TEXT-1/titleAr student'],
  );
});

test('only drafts of the rule sets of their readers read them; narratives are read for all drafts', async () => {
  for (const draft of ['language/student', 'language/staff']) assert.is((await rowsFor(draft))?.length, 3, draft);
  for (const draft of ['language/family', 'bundle/catalogue']) {
    assert.equal(Object.keys(await read(draft)), ['profile-narratives', 'retired-badges'], draft);
  }
  assert.is((await read())['session-blueprints']?.length, 3);
});

test.run();
