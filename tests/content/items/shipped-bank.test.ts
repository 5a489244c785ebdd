// The bank that is shipped: complete, current, and safe to serve.
import fs from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CatalogueDocument } from '../../../src/catalogue/engine/catalogue.ts';
import { buildItemBank, wantedCells } from '../../../src/content/items/build.ts';
import { presentServedItem } from '../../../src/content/items/engine/item.ts';
import { loadItemBank } from '../../../src/content/items/files.ts';
import { bundle, values } from '../../measurement/sessions.ts';

const catalogue = bundle.values<CatalogueDocument>('catalogue/subskills');
const bank = await loadItemBank('rules', 1);

test('the source gives the same bytes twice; once its version is built it has no findings, and gives those bytes', async () => {
  const built = await buildItemBank('rules');
  assert.ok((await buildItemBank('rules')).text === built.text);
  const present = await fs.readFile(built.path, 'utf8').catch(() => undefined);
  if (present === undefined) return;
  assert.equal(built.findings, []);
  assert.ok(built.text === present, 'stale: run npm run build:item-bank');
});

test('65 cells of at least 12 items, 780 or more in all', () => {
  const cells = wantedCells(catalogue, values.gradeBands);
  assert.is(cells.length, 65);
  assert.ok(bank.items.length >= 780);
  for (const cell of cells) {
    const [code = '', band] = cell.split('.');
    assert.ok(bank.cell(code, band === 'G12' ? 'G12' : 'G34').length >= 12, cell);
  }
});

test('no FLU_TEXT items: oral reading measures it', () => {
  assert.equal([...bank.cell('FLU_TEXT', 'G12'), ...bank.cell('FLU_TEXT', 'G34')], []);
});

test('options: 3 in G12 and 4 in G34, all different, the right one revealing nothing', () => {
  for (const { id, gradeBand, options, correctIndex } of bank.items) {
    assert.is(options.length, gradeBand === 'G12' ? 3 : 4, id);
    assert.is(new Set(options.map(({ text }) => text)).size, options.length, id);
    assert.is(options[correctIndex]?.microPattern, null, id);
    assert.is(options[correctIndex]?.errorFamily, null, id);
  }
});

test('right answers stand at every place equally often in a cell, give or take two', () => {
  for (const cell of wantedCells(catalogue, values.gradeBands)) {
    const [code = '', band] = cell.split('.');
    const items = bank.cell(code, band === 'G12' ? 'G12' : 'G34');
    const places = items[0]?.options.length ?? 0;
    for (let place = 0; place < places; place++) {
      const count = items.filter(({ correctIndex }) => correctIndex === place).length;
      assert.ok(Math.abs(count - items.length / places) <= 2, `${cell} place ${place}: ${count}`);
    }
  }
});

test('an item is found by its id and by its public id', () => {
  for (const item of bank.items) {
    assert.is(bank.find(item.id), item);
    assert.is(bank.find(item.publicId), item);
  }
  assert.is(bank.find('DEC_WORD-G12-99'), undefined);
});

test('a served item has exactly these properties, and says nothing of the key, the pattern or the sub-skill', () => {
  for (const item of bank.items) {
    const served = presentServedItem(item, 'served-1', 3);
    const keys = 'expectedSeconds itemId itemType options prompt seq servedItemId';
    assert.is(Object.keys(served).sort().join(' '), keys);
    assert.is(Object.keys(served.prompt).sort().join(' '), 'audioUrl passage speech text');
    for (const option of served.options) assert.is(Object.keys(option).sort().join(' '), 'audioUrl index speech text');
    assert.is(served.itemId, item.publicId);
    assert.not(JSON.stringify(served).includes(item.subSkillCode));
  }
});

test('what is only heard is not printed: listening texts stand in speech alone', () => {
  for (const { id, itemType, prompt } of bank.items.filter(({ subSkillCode }) => subSkillCode.startsWith('LIS_'))) {
    assert.is(itemType, 'mcq_audio', id);
    assert.is(prompt.passage, null, id);
    assert.ok(prompt.speech.length > prompt.text.length, id);
  }
});

test.run();
