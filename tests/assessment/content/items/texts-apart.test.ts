// A text of one sub-skill must not help in another: stories, passages and sentences occur in one cell each, and the
// order of events is asked only in its cells.
import fs from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { skeletonOf } from '#assessment/content/items/engine/checks/readings.ts';
import type { SourceItem } from '#assessment/content/items/engine/source.ts';

const sourceDir = 'rules/content/item-bank/source';
const textCells = /^(LIS_|RC_|VOC_CONTEXT)/;
const directFactCells = /^(LIS|RC)_LITERAL\./;
const maxOrderItems = 3;
/** Minimum length of compared sentences; shorter ones («the room is big») may coincide. */
const sentenceWords = 4;

const files = (await fs.readdir(sourceDir)).filter((file) => textCells.test(file)).sort();
const cells = new Map<string, SourceItem[]>(
  await Promise.all(
    files.map(async (file) => [file, JSON.parse(await fs.readFile(`${sourceDir}/${file}`, 'utf8'))] as const),
  ),
);

/** Returns the passage, the heard story without its question, or the quoted sentence. */
function textOf({ prompt: { text, speech, passage } }: SourceItem): string {
  if (passage !== undefined) return passage;
  return speech === text ? (/«[^»]*»[^«]*$/u.exec(text)?.[0] ?? '') : speech.slice(0, -text.length);
}

const sentencesOf = (item: SourceItem): string[] =>
  textOf(item)
    .split(/[.:؟!«»]/u)
    .map(skeletonOf)
    .filter((sentence) => sentence.split(' ').length >= sentenceWords);

test('no sentence occurs in two cells', () => {
  const homes = new Map<string, Set<string>>();
  for (const [file, items] of cells) {
    for (const sentence of items.flatMap(sentencesOf))
      homes.set(sentence, (homes.get(sentence) ?? new Set()).add(file));
  }
  assert.ok(homes.size > 300, `${homes.size} sentences`);
  assert.equal(
    [...homes].filter(([, own]) => own.size > 1).map(([sentence, own]) => `${sentence}: ${[...own].join(', ')}`),
    [],
  );
});

test('cells of direct facts ask for the order of events three times at most', () => {
  const counts = [...cells]
    .filter(([file]) => directFactCells.test(file))
    .map(([file, items]) => [
      file,
      items.filter(({ designedPatterns }) => designedPatterns.includes('sequence_swap')).length,
    ]);
  assert.is(counts.length, 4);
  assert.equal(
    counts.filter(([, count = 0]) => Number(count) > maxOrderItems),
    [],
  );
});

test.run();
