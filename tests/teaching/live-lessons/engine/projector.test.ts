// Seats of a projector run, their marks, and presence.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isPresent } from '#teaching/live-lessons/engine/presence.ts';
import { firstRepeat, isAnswer, markContradiction, seatsOf } from '#teaching/live-lessons/engine/projector.ts';

test('a seat gets the first item that its student has not answered; without one it is left out', () => {
  const answered = new Map([
    [1, new Set<string>()],
    [2, new Set(['a'])],
    [3, new Set(['a', 'b'])],
  ]);
  const seats = seatsOf(
    [
      { seatNo: 9, studentId: 1 },
      { seatNo: 2, studentId: 2 },
      { seatNo: 3, studentId: 3 },
      { seatNo: 4, studentId: 4, itemRef: 'b' },
    ],
    ['a', 'b'],
    (studentId) => answered.get(studentId) ?? new Set(),
  );
  assert.equal(seats, [
    { seatNo: 2, studentId: 2, itemRef: 'b' },
    { seatNo: 4, studentId: 4, itemRef: 'b' },
    { seatNo: 9, studentId: 1, itemRef: 'a' },
  ]);
});

test('the first repeated value', () => {
  assert.is(firstRepeat([4, 1, 4, 1]), 2);
  assert.is(firstRepeat([4, 1]), undefined);
});

test('a mark and its option must agree', () => {
  const item = { itemRef: 'a', options: ['x', 'y', 'z'], correctOptionIndex: 1 };
  const contradiction = (mark: 'correct' | 'not_correct' | 'no_answer', selectedOptionIndex?: number) =>
    markContradiction({ seatNo: 1, mark, ...(selectedOptionIndex !== undefined && { selectedOptionIndex }) }, item);
  assert.equal(
    [
      contradiction('correct', 1),
      contradiction('not_correct', 2),
      contradiction('no_answer'),
      contradiction('correct'),
    ],
    Array(4).fill(undefined),
  );
  assert.equal(
    [contradiction('correct', 0), contradiction('not_correct', 1), contradiction('no_answer', 0)],
    Array(3).fill('contradicts_mark'),
  );
  assert.is(contradiction('correct', 3), 'out_of_range');
  assert.equal((['correct', 'not_correct', 'no_answer', null] as const).map(isAnswer), [true, true, false, false]);
});

test('present: joined and answered, answered at the projector, or observed; not when observed as not present', () => {
  const absent = { studentId: 1, joined: false, answered: false, projected: false, observationCodes: [] };
  assert.equal(
    [
      absent,
      { ...absent, joined: true },
      { ...absent, answered: true },
      { ...absent, joined: true, answered: true },
      { ...absent, projected: true },
      { ...absent, observationCodes: ['hesitated_often'] },
      { ...absent, observationCodes: ['participated_fully', 'not_present'], joined: true, answered: true },
    ].map(isPresent),
    [false, false, false, true, true, true, false],
  );
});

test.run();
