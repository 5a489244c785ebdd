// A published document never changes: the changes that the lock file detects, and those that it allows.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { boundaryCases } from '#rules/rulesets/engine/boundaries/boundary-cases.ts';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import { isError } from '#rules/rulesets/engine/document/findings.ts';
import { goldenFileText } from '#rules/rulesets/engine/golden.ts';
import { checkRuleText } from '#rules/rulesets/engine/reading/parse.ts';
import { freezeRules, loadNewestBundle, loadRules, readLock, readRuleFiles } from '#rules/rulesets/files.ts';
import { validators } from './document-schemas.ts';
import { mini, miniText, rulesDir } from './tables.ts';

const folders: string[] = [];
const files = {
  document: 'fixture/mini/1.json',
  golden: 'fixture/mini/1.golden.json',
  bank: 'content/item-bank/bank.v1.json',
  source: 'content/item-bank/source/PA.json',
};

/** Creates a rules folder with the fixture, its cases and a content file, all frozen. */
async function frozenFolder(): Promise<string> {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'rules-'));
  folders.push(dir);
  await write(dir, files.document, miniText());
  await write(dir, files.golden, goldenFileText(boundaryCases(compileTable(mini()))));
  await write(dir, files.bank, '{"items":[1]}');
  await write(dir, files.source, '[1]');
  await freezeRules(dir, validators);
  return dir;
}

async function write(dir: string, name: string, text: string): Promise<void> {
  const file = path.join(dir, name);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, text);
}

async function edit(dir: string, name: string, from: string, to: string): Promise<void> {
  const text = await fs.readFile(path.join(dir, name), 'utf8');
  assert.ok(text.includes(from), `${name} has no ${from}`);
  await write(dir, name, text.replace(from, to));
}

/** Returns the one-line refusal of the folder. */
const refusal = (dir: string): Promise<string> =>
  loadRules(dir).then(
    () => 'loaded',
    (error: Error) => error.message,
  );

test.after(async () => {
  for (const dir of folders) await fs.rm(dir, { recursive: true });
});

test('the lock names rule versions and content files; only rules have golden cases', async () => {
  const lock = await readLock(await frozenFolder());
  assert.equal(Object.keys(lock), ['content/item-bank@1', 'fixture/mini@1']);
  assert.is(lock['content/item-bank@1']?.goldenSha256, null);
  assert.match(lock['fixture/mini@1']?.goldenSha256 ?? '', /^[0-9a-f]{64}$/);
});

test('the hash of a document is the SHA-256 of its RFC 8785 text', async () => {
  const lock = await readLock(await frozenFolder());
  // printf '{"items":[1]}' | sha256sum
  assert.is(lock['content/item-bank@1']?.sha256, '278d9fab4402d2b67f59b2d1cb9a917c7c80932439f364b75710fb1d96436ee3');
});

test('an unchanged folder loads, and so does a reformatted one', async () => {
  const dir = await frozenFolder();
  assert.is((await loadRules(dir)).length, 1);
  await write(dir, files.document, JSON.stringify(JSON.parse(miniText()), null, 4));
  assert.is(await refusal(dir), 'loaded');
});

test('tampering with a frozen document: one clear line', async () => {
  const dir = await frozenFolder();
  await edit(dir, files.document, '"unit": "items", "rationale"', '"unit": "item", "rationale"');
  assert.is(await refusal(dir), 'fixture/mini@1 is frozen and was changed; publish a new version instead');
});

test('tampering with frozen golden cases, by a changed answer or by deletion', async () => {
  const dir = await frozenFolder();
  await edit(dir, files.golden, 'MINI-01: witness', 'MINI-01: other');
  assert.is(await refusal(dir), 'the golden cases of fixture/mini@1 are frozen and were changed');
  await fs.rm(path.join(dir, files.golden));
  assert.is(await refusal(dir), 'the golden cases of fixture/mini@1 are frozen and were changed');
});

test('tampering with frozen content; its sources may change', async () => {
  const dir = await frozenFolder();
  await write(dir, files.source, '[2]');
  assert.is(await refusal(dir), 'loaded');
  await write(dir, files.bank, '{"items":[2]}');
  assert.match(await refusal(dir), 'content/item-bank@1 is frozen and was changed');
});

test('a missing frozen document', async () => {
  const dir = await frozenFolder();
  await fs.rm(path.join(dir, files.document));
  assert.is(await refusal(dir), 'fixture/mini@1 is frozen but its file is missing');
});

test('freezing again adds a new version and never rewrites an old entry', async () => {
  const dir = await frozenFolder();
  const before = await readLock(dir);
  assert.equal(await freezeRules(dir, validators), []);
  await write(dir, 'fixture/mini/2.json', miniText().replace('"version": 1', '"version": 2'));
  assert.equal(await freezeRules(dir, validators), ['fixture/mini@2']);
  assert.equal((await readLock(dir))['fixture/mini@1'], before['fixture/mini@1']);
  assert.equal((await loadNewestBundle(dir)).versions, { 'fixture/mini': 2 });
});

test('freezing refuses a changed frozen document', async () => {
  const dir = await frozenFolder();
  await edit(dir, files.document, '"max": 500', '"max": 501');
  const message = await freezeRules(dir, validators).then(
    () => 'frozen',
    (error: Error) => error.message,
  );
  assert.match(message, 'fixture/mini@1 is frozen and was changed');
});

test('a document with findings is neither frozen nor loaded', async () => {
  const dir = await frozenFolder();
  await write(dir, 'fixture/mini/2.json', miniText().replace('"version": 1', '"version": 2, "extra": 1'));
  const message = await freezeRules(dir, validators).then(
    () => 'frozen',
    (error: Error) => error.message,
  );
  assert.match(message, /fixture\/mini\/2\.json/);
  assert.equal(Object.keys(await readLock(dir)), ['content/item-bank@1', 'fixture/mini@1']);
  assert.match(await refusal(dir), /fixture\/mini\/2\.json/);
});

test('every shipped document is valid, which a start does not check for frozen ones', async () => {
  const files = await readRuleFiles(rulesDir);
  assert.ok(files.length > 60);
  const found = files.flatMap(({ id, text }) =>
    checkRuleText(text, validators)
      .filter(isError)
      .map(({ message }) => `${id}: ${message}`),
  );
  assert.equal(found, []);
});

test('a file whose name and document disagree is refused', async () => {
  const dir = await frozenFolder();
  await write(dir, 'fixture/mini/3.json', miniText());
  assert.match(await refusal(dir), /mini\/3.json holds fixture\/mini@1/);
});

test('a second content file in one folder is refused', async () => {
  const dir = await frozenFolder();
  await write(dir, 'content/item-bank/other.v1.json', '{}');
  assert.match(await refusal(dir), 'give it a folder of its own');
});

test('the shipped documents load as one bundle', async () => {
  const bundle = await loadNewestBundle(rulesDir);
  assert.is(bundle.table('ssr/ssr').name, 'ssr/ssr');
  assert.is(bundle.versions['dth/dth'], 3);
});

test.run();
