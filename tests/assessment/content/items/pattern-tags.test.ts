// Every distractor shows the error that its pattern names, so that an answer is counted as this error.
import fs from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Letter, wordsOfLetters } from '#assessment/content/items/engine/arabic-marks.ts';
import type { SourceItem } from '#assessment/content/items/engine/source.ts';

const sourceDir = 'rules/content/item-bank/source';
/** Cells whose distractors resemble the right letter or word, instead of answering a question. */
const neighbourCells = /^(LK_(NAME|SOUND|CLOSE_SOUND)|DEC_(?!UNVOWELLED)|ACC_|SPL_|FLU_)/;

/** Letters of one shape without dots; those of `joinedShapes` only where another letter follows. */
const shapes = ['بتث', 'جحخ', 'دذ', 'رز', 'سش', 'صض', 'طظ', 'عغ', 'هة', 'يى'];
const joinedShapes = ['بتثني', 'فق'];
const emphaticPairs = ['صس', 'ضد', 'طت', 'ظذ', 'قك'];
const shadda = '\u0651';

interface Pair {
  readonly where: string;
  readonly right: readonly Letter[][];
  readonly wrong: readonly Letter[][];
}

const cells = (await fs.readdir(sourceDir)).filter((file) => neighbourCells.test(file)).sort();
const items = new Map<string, SourceItem[]>(
  await Promise.all(
    cells.map(async (file) => [file, JSON.parse(await fs.readFile(`${sourceDir}/${file}`, 'utf8'))] as const),
  ),
);

/** Returns every distractor of the pattern with its right option. */
const pairsOf = (pattern: string): Pair[] =>
  [...items].flatMap(([file, own]) =>
    own.flatMap(({ k, correct, distractors }) =>
      distractors
        .filter(({ microPattern }) => microPattern === pattern)
        .map(({ text }) => ({
          where: `${file} ${k}: ${text}`,
          right: wordsOfLetters(correct),
          wrong: wordsOfLetters(text),
        })),
    ),
  );

function shapeOf({ letter }: Letter, index: number, word: readonly Letter[]): string {
  const joined = index < word.length - 1 ? joinedShapes.find((shape) => shape.includes(letter)) : undefined;
  return joined ?? shapes.find((shape) => shape.includes(letter)) ?? letter;
}

const documentValidators = (words: readonly Letter[][]): string =>
  words.map((word) => word.map(shapeOf).join()).join(' ');
const lettersOf = (words: readonly Letter[][]): string[] => words.flat().map(({ letter }) => letter);
const plain = (letter: string): string => emphaticPairs.find((pair) => pair.includes(letter)) ?? letter;
const marksOf = (words: readonly Letter[][]): string =>
  words
    .flat()
    .map(({ marks }) => marks)
    .join('');

test('dot_confusion: equal letter shapes at each position, dotted differently', () => {
  const pairs = pairsOf('dot_confusion');
  assert.ok(pairs.length > 100);
  for (const { where, right, wrong } of pairs) {
    assert.is(documentValidators(wrong), documentValidators(right), where);
    assert.not.equal(lettersOf(wrong), lettersOf(right), where);
  }
});

test('emphatic_plain: letters of the five pairs are exchanged, no others', () => {
  for (const { where, right, wrong } of pairsOf('emphatic_plain')) {
    assert.equal(lettersOf(wrong).map(plain), lettersOf(right).map(plain), where);
    assert.not.equal(lettersOf(wrong), lettersOf(right), where);
  }
});

test('phoneme_order: the same letters in another order', () => {
  for (const { where, right, wrong } of pairsOf('phoneme_order')) {
    assert.equal([...lettersOf(wrong)].sort(), [...lettersOf(right)].sort(), where);
    assert.not.equal(lettersOf(wrong), lettersOf(right), where);
  }
});

test('vowel_length: a long vowel is gained or lost, no other letter', () => {
  const consonants = (words: readonly Letter[][]) => lettersOf(words).filter((letter) => !'اويآأ'.includes(letter));
  for (const { where, right, wrong } of pairsOf('vowel_length')) {
    assert.equal(consonants(wrong), consonants(right), where);
    assert.not.equal(lettersOf(wrong), lettersOf(right), where);
  }
});

test('short_vowel_swap and sukun_vowel: no letter changes except the alef after tanween of fatha', () => {
  const bare = (words: readonly Letter[][]) =>
    words.map((word) =>
      word
        .map(({ letter }) => letter)
        .join('')
        .replace(/ا$/u, ''),
    );
  for (const { where, right, wrong } of [...pairsOf('short_vowel_swap'), ...pairsOf('sukun_vowel')]) {
    assert.equal(bare(wrong), bare(right), where);
    assert.is.not(marksOf(wrong), marksOf(right), where);
  }
});

test('shadda_drop: the right option without its shadda', () => {
  const without = (words: readonly Letter[][]) =>
    words.flat().map(({ letter, marks }) => letter + marks.replaceAll(shadda, ''));
  for (const { where, right, wrong } of pairsOf('shadda_drop')) {
    assert.equal(without(wrong), without(right), where);
    assert.is.not(marksOf(wrong), marksOf(right), where);
  }
});

test.run();
