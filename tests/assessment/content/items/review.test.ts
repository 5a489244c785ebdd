// A review record applies to one version of an item and uses words from a list, so that no record claims a review that
// did not happen.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { currentBankVersion } from '#assessment/content/items/banks.ts';
import { decided, type ReviewFile, reviewOf, reviewState } from '#assessment/content/items/engine/review.ts';
import { loadItemBank } from '#assessment/content/items/files.ts';
import { readReviews, writeReviews } from '#assessment/content/items/review/files.ts';
import { itemOf } from '../../measurement/items.ts';

const first = itemOf({ id: 'DEC_WORD-G12-01', version: 2 });
const second = itemOf({ id: 'DEC_WORD-G12-02', version: 2 });
const cell = [first, second];
const date = '2026-11-22';
const languageAccepts = (records: ReviewFile, ...ids: string[]) =>
  decided(cell, records, { stage: 'languageReviewed', decision: 'accepted', date, ids: new Set(ids) });

test('without a record no stage is passed', () => {
  assert.equal(reviewOf(first, {}), { version: 2, authored: null, languageReviewed: null, specialistReviewed: null });
  assert.equal(reviewState(cell, {}), { authored: 0, languageReviewed: 0, specialistReviewed: 0 });
});

test('a decision is kept with its date, for the items it was about', () => {
  const records = languageAccepts({}, first.id);
  assert.equal(reviewOf(first, records).languageReviewed, { date, decision: 'accepted' });
  assert.is(reviewOf(second, records).languageReviewed, null);
  assert.equal(reviewState(cell, records), { authored: 0, languageReviewed: 1, specialistReviewed: 0 });
});

test('a changed item loses its review, and the next decision drops the record of the old version', () => {
  const records = languageAccepts({}, first.id, second.id);
  const changed = { ...first, version: 3 };
  assert.is(reviewOf(changed, records).languageReviewed, null);
  assert.equal(reviewState([changed, second], records), { authored: 0, languageReviewed: 1, specialistReviewed: 0 });
  const specialist = { stage: 'specialistReviewed', decision: 'accepted', date, ids: new Set([changed.id]) } as const;
  const next = decided([changed, second], records, specialist)[changed.id];
  assert.equal(next, {
    version: 3,
    authored: null,
    languageReviewed: null,
    specialistReviewed: { date, decision: 'accepted' },
  });
});

test('an unsigned draft has no author yet, and an item sent back has not passed', () => {
  const ids = new Set([first.id]);
  const draft = decided(cell, {}, { stage: 'authored', decision: 'unsigned_draft', date, ids });
  const returned = decided(cell, draft, { stage: 'languageReviewed', decision: 'returned', date, ids });
  assert.equal(reviewState(cell, returned), { authored: 0, languageReviewed: 0, specialistReviewed: 0 });
});

test('an unknown decision is refused', () => {
  const input = { stage: 'languageReviewed', decision: 'signed', date, ids: new Set([first.id]) } as const;
  assert.throws(() => decided(cell, {}, input), /languageReviewed is one of accepted/);
});

test('a file is read as it was written, and an invalid file is refused', async () => {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reviews-'));
  const records = languageAccepts({}, first.id);
  await writeReviews(dir, 'DEC_WORD.G12', records);
  assert.equal(await readReviews(dir, 'DEC_WORD.G12'), records);
  const file = path.join(dir, 'content/item-bank/review/DEC_WORD.G12.json');
  await fs.writeFile(file, (await fs.readFile(file, 'utf8')).replace('accepted', 'fine'));
  const refusal = await readReviews(dir, 'DEC_WORD.G12').then(
    () => 'read',
    (error: Error) => error.message,
  );
  assert.match(refusal, 'DEC_WORD.G12.json');
  await fs.rm(dir, { recursive: true });
});

test('every shipped record belongs to an item of the bank and to no future version', async () => {
  const bank = await loadItemBank('rules', currentBankVersion);
  const cells = [...new Set(bank.items.map(({ subSkillCode, gradeBand }) => `${subSkillCode}.${gradeBand}`))];
  for (const name of cells) {
    for (const [id, { version }] of Object.entries(await readReviews('rules', name))) {
      const item = bank.find(id);
      assert.ok(item && version <= item.version, id);
    }
  }
});

test.run();
