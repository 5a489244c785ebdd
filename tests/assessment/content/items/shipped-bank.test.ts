// The banks that are shipped, the first and the current one: complete, and safe to serve.
import fs from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { currentBankVersion } from '#assessment/content/items/banks.ts';
import { buildItemBank, wantedCells } from '#assessment/content/items/build.ts';
import { presentServedItem } from '#assessment/content/items/engine/item.ts';
import { loadItemBank } from '#assessment/content/items/files.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { CatalogueDocument } from '#rules/catalogue/engine/catalogue.ts';
import { bundle, values } from '../../measurement/sessions.ts';

const catalogue = bundle.values<CatalogueDocument>('catalogue/subskills');
const banks = [await loadItemBank('rules', 1), await loadItemBank('rules', currentBankVersion)];

test('the source has no findings, and gives the shipped bytes, twice', async () => {
  const built = await buildItemBank('rules');
  assert.equal(built.findings, []);
  assert.ok(built.text === (await fs.readFile(built.path, 'utf8')), 'stale: run npm run build:item-bank');
  assert.ok((await buildItemBank('rules')).text === built.text);
});

test('an item of the second bank has the version of the first, or the next one where it changed', () => {
  const [first, second] = banks;
  for (const item of second?.items ?? []) {
    const before = first?.find(item.id);
    const isSame = before && canonicalJson({ ...item, version: 0 }) === canonicalJson({ ...before, version: 0 });
    assert.is(item.version, before && !isSame ? before.version + 1 : (before?.version ?? 1), item.id);
  }
  for (const { id } of first?.items ?? []) assert.ok(second?.find(id), `${id} is gone`);
});

test('options are spoken in the second bank exactly where sounds and meanings are asked', () => {
  for (const { id, subSkillCode, options } of banks[1]?.items ?? []) {
    const isShown = /^(PA|LIS|VOC|MOR)_/.test(subSkillCode);
    for (const { speech } of options) assert.is(speech !== null, isShown, id);
  }
});

for (const bank of banks) {
  test(`bank ${bank.version}: 65 cells of at least 12 items, 780 or more in all`, () => {
    const cells = wantedCells(catalogue, values.gradeBands);
    assert.is(cells.length, 65);
    assert.ok(bank.items.length >= 780);
    for (const cell of cells) {
      const [code = '', band] = cell.split('.');
      assert.ok(bank.cell(code, band === 'G12' ? 'G12' : 'G34').length >= 12, cell);
    }
  });

  test(`bank ${bank.version}: no FLU_TEXT items: oral reading measures it`, () => {
    assert.equal([...bank.cell('FLU_TEXT', 'G12'), ...bank.cell('FLU_TEXT', 'G34')], []);
  });

  test(`bank ${bank.version}: options: 3 in G12 and 4 in G34, all different, the right one revealing nothing`, () => {
    for (const { id, gradeBand, options, correctIndex } of bank.items) {
      assert.is(options.length, gradeBand === 'G12' ? 3 : 4, id);
      assert.is(new Set(options.map(({ text }) => text)).size, options.length, id);
      assert.is(options[correctIndex]?.microPattern, null, id);
      assert.is(options[correctIndex]?.errorFamily, null, id);
    }
  });

  test(`bank ${bank.version}: right answers are at every position equally often in a cell, give or take two`, () => {
    for (const cell of wantedCells(catalogue, values.gradeBands)) {
      const [code = '', band] = cell.split('.');
      const items = bank.cell(code, band === 'G12' ? 'G12' : 'G34');
      const positions = items[0]?.options.length ?? 0;
      for (let position = 0; position < positions; position++) {
        const count = items.filter(({ correctIndex }) => correctIndex === position).length;
        assert.ok(Math.abs(count - items.length / positions) <= 2, `${cell} position ${position}: ${count}`);
      }
    }
  });

  test(`bank ${bank.version}: an item is found by its id and by its public id`, () => {
    for (const item of bank.items) {
      assert.is(bank.find(item.id), item);
      assert.is(bank.find(item.publicId), item);
    }
    assert.is(bank.find('DEC_WORD-G12-99'), undefined);
  });

  test(`bank ${bank.version}: a served item has exactly these properties, without the key, the pattern or the sub-skill`, () => {
    for (const item of bank.items) {
      const served = presentServedItem(item, 'served-1', 3);
      const keys = 'expectedSeconds itemId itemType options prompt seq servedItemId';
      assert.is(Object.keys(served).sort().join(' '), keys);
      assert.is(Object.keys(served.prompt).sort().join(' '), 'audioUrl passage speech text');
      for (const option of served.options)
        assert.is(Object.keys(option).sort().join(' '), 'audioUrl index speech text');
      assert.is(served.itemId, item.publicId);
      assert.not(JSON.stringify(served).includes(item.subSkillCode));
    }
  });

  test(`bank ${bank.version}: listening texts are in the speech only, not in the printed text`, () => {
    for (const { id, itemType, prompt } of bank.items.filter(({ subSkillCode }) => subSkillCode.startsWith('LIS_'))) {
      assert.is(itemType, 'mcq_audio', id);
      assert.is(prompt.passage, null, id);
      assert.ok(prompt.speech.length > prompt.text.length, id);
    }
  });
}

test.run();
