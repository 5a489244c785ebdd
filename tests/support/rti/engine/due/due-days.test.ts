// Due days by the shipped document, and what is told when a day is followed.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ValueDocument } from '#rules/rulesets/index.ts';
import { schoolCalendar } from '#support/interventions/engine/index.ts';
import { dueFindings } from '#support/rti/engine/due/check-document.ts';
import { schoolDaysBetween } from '#support/rti/engine/due/due-days.ts';
import { type DueState, followedState, noticesOf, toldState, undueState } from '#support/rti/engine/due/follow.ts';

const read = (file: string) => JSON.parse(fs.readFileSync(path.join('rules/rti/decision-packet', file), 'utf8'));
const document = (version: number) => read(`${version}.json`) as ValueDocument;
const { cases } = read('2.golden.json');

test('the shipped document answers its cases', () => {
  assert.is(cases.length, 9);
  assert.equal(dueFindings({ document: document(2), cases }), []);
});

test('a case with another day, or with a foreign member, is a finding', () => {
  const [first] = cases;
  const other = { ...first, answer: { ...first.answer, dueOn: '2026-09-17' } };
  const foreign = { ...first, until: '2026-09-17' };
  for (const one of [other, foreign]) assert.is(dueFindings({ document: document(2), cases: [one] }).length, 1);
});

test('a version without due days answers no cases', () => {
  assert.is(dueFindings({ document: document(1), cases: [cases[0]] }).length, 1);
  assert.equal(dueFindings({ document: document(1), cases: [] }), []);
});

test('a document with some of the constants is refused', () => {
  const { 'ALT-CAP-01': _cap, ...constants } = document(2).constants ?? {};
  const without = { ...document(2), constants } as ValueDocument;
  assert.throws(() => dueFindings({ document: without, cases: [cases[0]] }), /lacks ALT-CAP-01/);
});

const calendar = schoolCalendar([5, 6], ['2026-09-15']);
const followed = (state: DueState, today: string, more: object = {}) =>
  followedState({ state, from: '2026-09-13', days: 2, isHeld: false, calendar, today, ...more });

test('school days after a date, up to another one', () => {
  assert.is(schoolDaysBetween(calendar, '2026-09-13', '2026-09-13'), 0);
  // 14, 16, 17 and, after Friday and Saturday, 20.
  assert.is(schoolDaysBetween(calendar, '2026-09-13', '2026-09-20'), 4);
});

test('each stage comes on its day and is told once', () => {
  // 14, 16 | 17, 20 | 21, 22.
  const told: string[] = [];
  let state: DueState = undueState;
  for (const day of ['14', '15', '16', '17', '18', '19', '20', '21', '22', '23']) {
    state = followed(state, `2026-09-${day}`);
    assert.is(state.dueOn, '2026-09-16');
    const { reminder, overdue } = noticesOf(state, true);
    if (reminder) told.push(`${day} teachers`);
    for (const audience of overdue) told.push(`${day} ${audience}`);
    for (const audience of [...(reminder ? (['teachers'] as const) : []), ...overdue])
      state = toldState(state, audience, true);
  }
  assert.equal(told, ['16 teachers', '20 principals', '22 principals', '22 admins']);
});

test('only the highest stage is told, and what the cap holds back waits for each audience alone', () => {
  const late = followed(undueState, '2026-10-01');
  assert.equal(noticesOf(late, true), { reminder: false, overdue: ['principals', 'admins'] });
  assert.equal(noticesOf(toldState(late, 'admins', true), true), { reminder: false, overdue: ['principals'] });
  assert.equal(noticesOf(toldState(late, 'principals', true), true), { reminder: false, overdue: ['admins'] });
});

test('without principals the administrators are told in their place, once for a stage', () => {
  const twice = followed(undueState, '2026-09-20');
  assert.equal(noticesOf(twice, false).overdue, ['admins']);
  const told = toldState(twice, 'admins', false);
  assert.equal(noticesOf(told, false).overdue, []);
  const thrice = followed(told, '2026-09-22');
  assert.equal(noticesOf(thrice, false).overdue, ['admins']);
  assert.equal(noticesOf(toldState(thrice, 'admins', false), false).overdue, []);
});

test('what was told stays told when a holiday moves the due day; another beginning tells anew', () => {
  const told = toldState(followed(undueState, '2026-09-16'), 'teachers', true);
  const longer = schoolCalendar([5, 6], ['2026-09-15', '2026-09-16']);
  const moved = followed(told, '2026-09-16', { calendar: longer });
  assert.equal([moved.dueOn, moved.stage], ['2026-09-17', 'opened']);
  const again = followed(moved, '2026-09-17', { calendar: longer });
  assert.equal(noticesOf(again, true), { reminder: false, overdue: [] });
  const anew = followed(again, '2026-09-21', { from: '2026-09-17' });
  assert.equal([anew.dueOn, anew.stage], ['2026-09-21', 'reminder']);
  assert.is(noticesOf(anew, true).reminder, true);
});

test('nothing is due while it is held; the last stage stays', () => {
  const reminded = followed(undueState, '2026-09-16');
  const held = followed(reminded, '2026-09-30', { isHeld: true });
  assert.equal([held.dueOn, held.stage], [null, 'reminder']);
  assert.equal(noticesOf(held, true), { reminder: false, overdue: [] });
});

test('a year without school days has no due day', () => {
  const closed = schoolCalendar([1, 2, 3, 4, 5, 6, 7]);
  const state = followed(undueState, '2027-09-20', { calendar: closed });
  assert.equal([state.dueOn, state.stage], [null, 'opened']);
});

test.run();
