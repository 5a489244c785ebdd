// An invalid bank file is not loaded.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { itemBank } from '#assessment/content/items/engine/bank.ts';
import { loadItemBank } from '#assessment/content/items/files.ts';
import { itemOf } from '../../measurement/items.ts';

const rulesDir = await fs.mkdtemp(path.join(os.tmpdir(), 'bank-'));
const bankDir = path.join(rulesDir, 'content/item-bank');
await fs.mkdir(bankDir, { recursive: true });
test.after(() => fs.rm(rulesDir, { recursive: true }));

const item = { ...itemOf(), publicId: '0123456789abcdef' };

async function refusal(text: string): Promise<string> {
  await fs.writeFile(path.join(bankDir, 'bank.v1.json'), text);
  const error: unknown = await loadItemBank(rulesDir, 1).then(
    () => 'loaded',
    (reason) => reason,
  );
  return error instanceof Error ? error.message : String(error);
}

const bankText = (changes: object, version = 1) => JSON.stringify({ version, items: [{ ...item, ...changes }] });

test('a whole bank is loaded', async () => assert.is(await refusal(bankText({})), 'loaded'));

test('refused: not JSON, with the name of the file', async () => assert.match(await refusal('{'), 'bank.v1.json'));

test('refused: a version that differs from the file name', async () => {
  assert.match(await refusal(bankText({}, 2)), 'item bank 1 says that it is 2');
});

test('refused: an unknown property, a missing one, a difficulty beyond 4 logits', async () => {
  assert.match(await refusal(bankText({ extra: 1 })), 'additional properties');
  assert.match(await refusal(bankText({ stemGroup: undefined })), 'stemGroup');
  assert.match(await refusal(bankText({ difficulty: 4.1 })), 'difficulty');
});

test('refused: a missing right option', async () => {
  assert.match(await refusal(bankText({ correctIndex: 3 })), 'DEC_WORD-G12-01 has no option 3');
});

test('refused: one id twice, public or not', () => {
  assert.throws(() => itemBank({ version: 1, items: [item, { ...item, publicId: 'other' }] }), /used twice/);
  assert.throws(() => itemBank({ version: 1, items: [item, { ...item, id: 'other' }] }), /used twice/);
});

test('a missing version is an error', async () => {
  assert.is(
    await loadItemBank(rulesDir, 7).then(
      () => 'loaded',
      () => 'refused',
    ),
    'refused',
  );
});

test.run();
