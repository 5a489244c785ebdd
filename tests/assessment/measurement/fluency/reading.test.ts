// A minute of reading: the score from marks and stop.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Passage } from '#assessment/content/passages/engine/passage.ts';
import { markKinds } from '#assessment/measurement/enums.ts';
import { type Mark, type Stop, stopReading, stopRefusal } from '#assessment/measurement/fluency/engine/reading.ts';

/** 20 words, the first 6 on line 1. */
const passage: Passage = {
  passageId: 'ORF-G1-99',
  grade: 1,
  formFamily: 'ORF-G1',
  vowelled: true,
  titleAr: 'نَصٌّ',
  words: Array.from({ length: 20 }, (_, index) => ({ index, text: 'كَتَبَ', line: index < 6 ? 1 : 2 })),
};
const missed = (...words: readonly number[]): Mark[] => words.map((wordIndex) => ({ wordIndex, mark: 'incorrect' }));
const timeUp = (lastWordIndex: number): Stop => ({ reason: 'time_up', elapsedSeconds: 60, lastWordIndex });

function scored(marks: readonly Mark[], stop: Stop) {
  assert.is(stopRefusal(passage, marks, stop), undefined);
  const result = stopReading(marks, stop);
  if (result.status !== 'SCORED') throw new Error('not scored');
  return result;
}

test('an unmarked word that was reached is correct; wrong and omitted ones are errors', () => {
  const marks: Mark[] = [...missed(2, 5), { wordIndex: 7, mark: 'omitted' }, { wordIndex: 8, mark: 'correct' }];
  assert.equal(scored(marks, timeUp(9)), {
    status: 'SCORED',
    wcpm: 7,
    accuracy: 0.7,
    wordsAttempted: 10,
    wordsCorrect: 7,
    errors: 3,
    selfCorrections: 0,
  });
});

test('a self-correction counts as correct and is counted', () => {
  const { wordsCorrect, selfCorrections } = scored([{ wordIndex: 3, mark: 'self_corrected' }], timeUp(9));
  assert.equal([wordsCorrect, selfCorrections], [10, 1]);
});

test('the last mark of a word counts', () => {
  const marks: Mark[] = [
    ...missed(3),
    { wordIndex: 3, mark: 'correct' },
    { wordIndex: 4, mark: 'correct' },
    ...missed(4),
  ];
  assert.is(scored(marks, timeUp(9)).errors, 1);
});

test('marks after the last word reached are ignored', () => {
  const marks: Mark[] = [...missed(10, 11), { wordIndex: 12, mark: 'self_corrected' }];
  const { errors, selfCorrections, wcpm } = scored(marks, timeUp(9));
  assert.equal([errors, selfCorrections, wcpm], [0, 0, 10]);
});

test('finished early: the rate is prorated', () => {
  const stop: Stop = { reason: 'finished_early', elapsedSeconds: 35, lastWordIndex: 19 };
  assert.is(scored(missed(0), stop).wcpm, 32.5714);
});

test('nothing tried: 0 words a minute, and no accuracy', () => {
  const { wcpm, accuracy, wordsAttempted } = scored(missed(0), timeUp(-1));
  assert.equal([wcpm, accuracy, wordsAttempted], [0, null, 0]);
});

test('discontinued: 0 and 0 once every word of the first line was reached and missed', () => {
  const stop: Stop = { reason: 'discontinued', elapsedSeconds: 20, lastWordIndex: 8 };
  const { wcpm, accuracy } = scored(missed(0, 1, 2, 3, 4, 5), stop);
  assert.equal([wcpm, accuracy], [0, 0]);
  assert.is(stopRefusal(passage, missed(0, 1, 2, 3, 4), stop)?.field, 'reason');
  assert.is(stopRefusal(passage, missed(0, 1, 2, 3, 4, 5), { ...stop, lastWordIndex: 4 })?.field, 'reason');
  const corrected: Mark[] = [...missed(0, 1, 2, 3, 4, 5), { wordIndex: 2, mark: 'self_corrected' }];
  assert.is(stopRefusal(passage, corrected, stop)?.field, 'reason');
});

test('a stop by the teacher gives no score', () => {
  const stop: Stop = { reason: 'teacher_stop', elapsedSeconds: 5, lastWordIndex: 3 };
  assert.is(stopRefusal(passage, [], stop), undefined);
  assert.equal(stopReading(missed(1), stop), { status: 'INVALID' });
});

test('an impossible stop is refused by field', () => {
  assert.is(stopRefusal(passage, [], { ...timeUp(3), elapsedSeconds: 59 })?.field, 'elapsedSeconds');
  assert.is(stopRefusal(passage, [], timeUp(20))?.field, 'lastWordIndex');
  const early: Stop = { reason: 'finished_early', elapsedSeconds: 40, lastWordIndex: 18 };
  assert.is(stopRefusal(passage, [], early)?.field, 'lastWordIndex');
});

const marking = fc.array(fc.record({ wordIndex: fc.nat(19), mark: fc.constantFrom(...markKinds) }), { maxLength: 60 });
const stopping = fc.record({
  elapsedSeconds: fc.integer({ min: 1, max: 60 }),
  lastWordIndex: fc.integer({ min: -1, max: 19 }),
});

test('always: 0 ≤ correct ≤ attempted ≤ total, and rates that follow from the counts', () => {
  fc.assert(
    fc.property(marking, stopping, (marks, { elapsedSeconds, lastWordIndex }) => {
      const result = stopReading(marks, { reason: 'time_up', elapsedSeconds, lastWordIndex });
      if (result.status !== 'SCORED') throw new Error('not scored');
      const { wordsAttempted, wordsCorrect, errors, selfCorrections, wcpm, accuracy } = result;
      assert.ok(0 <= wordsCorrect && wordsCorrect <= wordsAttempted && wordsAttempted <= passage.words.length);
      assert.ok(selfCorrections <= wordsCorrect);
      assert.is(wordsCorrect + errors, wordsAttempted);
      assert.ok(Math.abs(wcpm - (60 * wordsCorrect) / elapsedSeconds) <= 0.00005 + 1e-9);
      if (accuracy === null) assert.is(wordsAttempted, 0);
      else assert.ok(Math.abs(accuracy - wordsCorrect / wordsAttempted) <= 0.00005 + 1e-9);
    }),
    { numRuns: 500, seed: 8 },
  );
});

test('always: the order of marks of different words changes nothing, and only the last mark of a word counts', () => {
  fc.assert(
    fc.property(marking, stopping, (marks, { elapsedSeconds, lastWordIndex }) => {
      const stop: Stop = { reason: 'time_up', elapsedSeconds, lastWordIndex };
      const last = new Map(marks.map((mark) => [mark.wordIndex, mark]));
      const reordered = [...last.values()].sort((left, right) => right.wordIndex - left.wordIndex);
      assert.equal(stopReading(reordered, stop), stopReading(marks, stop));
    }),
    { numRuns: 300, seed: 8 },
  );
});

test.run();
