// Names on paper are unique within a class on every page (contract 70 §7).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { paperNames, staffName } from '#rules/language/index.ts';

const shown = (names: readonly (readonly [number, string])[]) => {
  const found = paperNames(names.map(([studentId, fullNameAr]) => ({ studentId, fullNameAr })));
  return names.map(([studentId]) => found.get(studentId)?.fullNameAr);
};

test('two students with one folded name get letters in the order of their ids, for any order of the list and any spelling', () => {
  assert.equal(
    shown([
      [9, 'أحمد  علي'],
      [3, 'احمد على'],
      [5, 'أَحْمَد علي'],
      [4, 'سارة علي'],
    ]),
    ['أحمد علي (ج)', 'احمد على (أ)', 'أَحْمَد علي (ب)', 'سارة علي'],
  );
});

test('controls and isolates are removed, and no student has a letter without a name', () => {
  assert.equal(
    shown([
      [1, '\u2067ليان\u2069 (7)'],
      [2, ''],
      [3, ' '],
    ]),
    ['ليان (7)', '', ''],
  );
});

test('sixty students with one name get sixty names', () => {
  const names = shown(Array.from({ length: 60 }, (_, at) => [at, 'محمد'] as const));
  assert.is(new Set(names).size, 60);
  assert.equal([names[0], names[1], names[28]], ['محمد (أ)', 'محمد (ب)', 'محمد (أ أ)']);
});

test('staff see the school’s student number beside shared names only', () => {
  assert.is(staffName({ fullNameAr: 'محمد (أ)', isShared: true }, 'S-1'), 'محمد (أ) – S-1');
  assert.is(staffName({ fullNameAr: 'محمد (أ)', isShared: true }, null), 'محمد (أ)');
  assert.is(staffName({ fullNameAr: 'محمد', isShared: false }, 'S-1'), 'محمد');
});

test.run();
