// RBM: each flag with the least behaviour that raises it and the most that does not, and the marks on responses.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServedResponse } from '#assessment/measurement/evidence/engine/served.ts';
import { pipeline } from '../../skill-status/engine/rules.ts';
import { choice, served, servedSession } from './served.ts';

type Sequence = readonly Partial<ServedResponse>[];

const times = (count: number, changes: Partial<ServedResponse>): Sequence =>
  Array.from({ length: count }, () => changes);
/** Answers at the given positions, one letter each; `-` is a skipped item. */
const at = (letters: string): Sequence =>
  [...letters].map((letter) => ({ choice: letter === '-' ? null : choice(letter.charCodeAt(0)) }));
/** Normal answers at positions without a pattern. */
const calm = (count: number): Sequence => at('abcacbabccbacabcbacb'.slice(0, count));
const rapid: Partial<ServedResponse> = { latencyMs: 1499 };
const mixed = (count: number, rapidIndexes: readonly number[]): Sequence =>
  calm(count).map((one, index) => (rapidIndexes.includes(index) ? { ...one, ...rapid } : one));
const rights = (pattern: string): Sequence =>
  calm(pattern.length).map((one, index) => ({ choice: choice(one.choice?.index ?? 0, pattern[index] === '1') }));

const behaviour = (responses: Sequence, pausesMs: readonly number[] = []) =>
  pipeline.behaviourOf(
    servedSession(
      responses.map((changes, index) => served({ itemId: `i${index}`, ...changes })),
      { pausesMs },
    ),
  );

interface Case {
  readonly flag: string;
  readonly why: string;
  readonly fires: readonly [Sequence, (readonly number[])?];
  readonly near: readonly [Sequence, (readonly number[])?];
}
const first = (count: number, changes: Partial<ServedResponse>): Sequence =>
  calm(10).map((one, index) => (index < count ? { ...one, ...changes } : one));
const slow = (count: number, total: number): Sequence =>
  calm(total).map((one, index) => (index < count ? { ...one, latencyMs: 45_001 } : one));

const cases: readonly Case[] = [
  { flag: 'RBM-01', why: 'three rapid', fires: [mixed(15, [0, 4, 8])], near: [mixed(9, [0, 4])] },
  {
    flag: 'RBM-01',
    why: 'a fifth rapid',
    fires: [mixed(15, [0, 4, 8])],
    near: [[...mixed(15, [0, 4, 8]), ...calm(1)]],
  },
  { flag: 'RBM-02', why: 'four rapid in a row', fires: [mixed(9, [2, 3, 4, 5])], near: [mixed(9, [2, 3, 4, 6])] },
  { flag: 'RBM-03', why: 'six times the same position', fires: [at('baaaaaac')], near: [at('baaaaacaa')] },
  { flag: 'RBM-03', why: 'a skipped item breaks the run', fires: [at('aaaaaab')], near: [at('aaa-aaab')] },
  { flag: 'RBM-04', why: 'eight alternating', fires: [at('cabababab')], near: [at('cabababca')] },
  { flag: 'RBM-05', why: 'three skipped in a row', fires: [at('ab---ca')], near: [at('abcab--')] },
  { flag: 'RBM-05', why: 'a quarter of eight skipped', fires: [at('a-bca-bc')], near: [at('a-bca-b')] },
  { flag: 'RBM-05', why: 'less than a quarter skipped', fires: [at('a-bca-bc')], near: [at('a-bca-bca')] },
  { flag: 'RBM-06', why: 'one pause of 120 s', fires: [calm(5), [120_000]], near: [calm(5), [119_999]] },
  { flag: 'RBM-06', why: '300 s in all', fires: [calm(5), [119_000, 181_000]], near: [calm(5), [119_999, 119_999]] },
  {
    flag: 'RBM-07',
    why: 'three replays on three items',
    fires: [first(3, { audioReplays: 3 })],
    near: [[...first(2, { audioReplays: 9 }), { audioReplays: 2 }]],
  },
  { flag: 'RBM-08', why: 'half of six slow', fires: [slow(3, 6)], near: [slow(5, 5)] },
  { flag: 'RBM-08', why: 'less than half slow', fires: [slow(4, 8)], near: [slow(3, 7)] },
  {
    flag: 'RBM-09',
    why: 'three changes on three items',
    fires: [first(3, { optionChanges: 3 })],
    near: [[...first(2, { optionChanges: 9 }), { optionChanges: 2 }]],
  },
  { flag: 'RBM-10', why: 'twelve answered', fires: [rights('111111000000')], near: [rights('11111000000')] },
  {
    flag: 'RBM-10',
    why: 'a drop of 0.4',
    fires: [rights('11111110001110000000')],
    near: [rights('11111110001111000000')],
  },
  { flag: 'RBM-11', why: 'three pauses', fires: [calm(5), [1000, 1000, 1000]], near: [calm(5), [1000, 1000]] },
];

for (const { flag, why, fires, near } of cases) {
  test(`${flag}: ${why}`, () => {
    assert.ok(behaviour(...fires).flags.includes(flag), 'fires');
    assert.not.ok(behaviour(...near).flags.includes(flag), 'near miss');
  });
}

test('RBM-00: clean when nothing else is found, and only then', () => {
  assert.equal(behaviour(calm(15)).flags, ['RBM-00']);
  assert.equal(behaviour([]).flags, ['RBM-00']);
  for (const { fires } of cases) assert.not.ok(behaviour(...fires).flags.includes('RBM-00'));
});

test('several flags come in rule order', () => {
  assert.equal(behaviour([...times(6, rapid), ...at('---')]).flags, ['RBM-01', 'RBM-02', 'RBM-03', 'RBM-05']);
});

test('rapid: uses the latency with listening, if stored', () => {
  const listened: Partial<ServedResponse> = { latencyMs: 147, heardMs: 9000 };
  assert.equal(
    behaviour(mixed(15, [0, 4, 8]).map((one) => ({ ...one, ...(one.latencyMs === 1499 && listened) }))).flags,
    ['RBM-00'],
  );
});

test('rapid: below a tenth of the expected time, 800 ms at least, and answered', () => {
  const marks = behaviour([
    { latencyMs: 1499, choice: choice(0) },
    { latencyMs: 1500, choice: choice(1) },
    { latencyMs: 799, expectedSeconds: 6, choice: choice(2) },
    { latencyMs: 800, expectedSeconds: 6, choice: choice(0) },
    { latencyMs: 10, choice: null },
  ]).marks;
  assert.equal(marks, [true, false, true, false, false]);
});

test('behaviourMark: every member of a position streak, not its neighbours', () => {
  assert.equal(behaviour(at('baaaaaacc')).marks, [false, true, true, true, true, true, true, false, false]);
  assert.not.ok(behaviour(at('aaaaab')).marks.some(Boolean));
});

test('RBM-10: the first half is rounded down', () => {
  assert.is(behaviour(rights('1111110000000')).facts.rightShareDrop, 1);
  assert.is(behaviour(rights('1')).facts.rightShareDrop, 0);
});

test.run();
