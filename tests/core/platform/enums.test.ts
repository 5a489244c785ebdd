// The enum values of columns come from the lists that the code reads: no migration repeats them, and the constraints allow what
// the lists contain.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as measurement from '#assessment/measurement/enums.ts';
import { triggerKinds } from '#assessment/skill-status/results/enums.ts';
import { changeStates } from '#backoffice/workbench/enums.ts';
import { userStatuses } from '#identity/people/records/enums.ts';
import { narrativeStates } from '#support/interventions/narratives/enums.ts';
import { oneOf } from '../../../migrations/sql/enums.ts';
import { useDatabase } from '../../harness/database.ts';

const { owner } = useDatabase(test);
const folder = path.resolve(import.meta.dirname, '../../../migrations');

test('no migration contains the values of a column', () => {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.ts'));
  assert.ok(files.length > 10);
  for (const file of files) {
    assert.not.match(fs.readFileSync(path.join(folder, file), 'utf8'), /check \(\s*\w+ in\s*\(\s*'/, file);
  }
});

test('a value that would need quoting is refused', () => {
  assert.is(oneOf('state', ['a', 'B_2']), "state in ('a', 'B_2')");
  assert.throws(() => oneOf('state', ["a') or true --"]), RangeError);
});

const lists: readonly (readonly [table: string, column: string, words: readonly string[]])[] = [
  ['app_user', 'status', userStatuses],
  ['diagnostic_session', 'status', measurement.diagnosticStatuses],
  ['practice_queue', 'status', measurement.queueStatuses],
  ['warmup_session', 'session_type', measurement.warmupTypes],
  ['orf_assessment', 'status', measurement.assessmentStatuses],
  ['sse_run', 'trigger', triggerKinds],
  ['rule_change', 'state', changeStates],
  ['profile_narrative', 'state', narrativeStates],
];

for (const [table, column, words] of lists) {
  test(`the database allows the values of the list in ${table}.${column}`, async () => {
    const { rows } = await owner.raw(
      'select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = ?::regclass and conname = ?',
      [table, `${table}_${column}_check`],
    );
    const allowed = [...String(rows[0]?.text).matchAll(/'([^']+)'/g)].map(([, word]) => word);
    assert.equal(allowed, [...words]);
  });
}

/** Values of a rule document are validated against that document when it is read, and by no constraint. */
const owned = [
  ['sse_skill_snapshot', 'status'],
  ['sse_skill_snapshot', 'pac_decision'],
  ['sse_domain_snapshot', 'tile_value'],
  ['orf_assessment', 'verdict'],
  ['cbm_trend', 'trend_type'],
  ['sub_flag_indicator', 'state'],
  ['teaser_session', 'band'],
] as const;

for (const [table, column] of owned) {
  test(`${table}.${column} is owned by a rule document: no constraint has its values`, async () => {
    const { rows } = await owner.raw(
      "select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = ?::regclass and contype = 'c'",
      [table],
    );
    for (const { text } of rows) assert.not.match(text, new RegExp(`\\b${column} = ANY`));
  });
}

test.run();
