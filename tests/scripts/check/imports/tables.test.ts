// The check of statements that name a table without its model.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tableFindings } from '../../../../scripts/check/imports/tables.ts';

const models = `
export class Student extends Row {
  static override tableName = 'known_student';
}
const Seat = modelOf<{ readonly id: string; readonly row: Pick<Student, 'id'> }>('seat', { json: ['row'] });
const StudentBadge = modelOf<BadgeRow>(
  'student_badge',
  { id: 'code' },
);`;

const findingsOf = (text: string, exceptions: Readonly<Record<string, string>> = {}) =>
  tableFindings(
    new Map([
      ['src/models.ts', models],
      ['src/reader.ts', text],
    ]),
    exceptions,
  );

const finding = (table: string, remedy: string) =>
  `src/reader.ts: names "${table}", ${remedy} (scripts/check/imports/tables.ts)`;

test('a statement on a table with a model begins with the model', () => {
  assert.equal(findingsOf("await trx('seat').where({ id });"), [finding('seat', 'past its model Seat')]);
  assert.equal(findingsOf("await db<Row>(\n  'knownStudent',\n).first();"), [
    finding('known_student', 'past its model Student'),
  ]);
  assert.equal(findingsOf("request.trx('student_badge')"), [finding('student_badge', 'past its model StudentBadge')]);
});

test('a table that a statement names needs a model', () => {
  assert.equal(findingsOf("trx('table').delete();"), [finding('table', 'which has no model')]);
});

test('models, joins and other calls are in order', () => {
  assert.equal(findingsOf("Seat.query(trx); trx('seat as s').join('table as t'); find('seat');"), []);
});

test('an exception excuses one table of one file, and has to be needed', () => {
  const excused = { 'src/reader.ts: seat': 'for a reason' };
  assert.equal(findingsOf("trx('seat')", excused), []);
  assert.equal(findingsOf("trx('seat'); trx('known_student')", excused), [
    finding('known_student', 'past its model Student'),
  ]);
  assert.equal(findingsOf('', excused), ['an exception that nothing needs: src/reader.ts: seat']);
});

test.run();
