// The texts with which a replay recognizes unchanged rows: equal for every unchanged row, different when any column
// differs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextRuns, runsBySeq } from '#assessment/skill-status/index.ts';
import { isSound, resultDifferences } from '#assessment/skill-status/replay/differences.ts';
import { storedRows } from '#assessment/skill-status/replay/rows.ts';
import { isAsWritten, writtenRows } from '#assessment/skill-status/replay/written.ts';
import { evaluatedRuns } from '#assessment/skill-status/results/evaluated.ts';
import type { Trx } from '#core/platform/db.ts';
import { activeRules } from '#rules/rulesets/active.ts';
import { answersOf } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

const test = suite('written rows');
const shell = useShell(test);
const { owner } = shell.app.database;
let student: Student;

test.before(async () => {
  student = await shell.student();
  const sessions = [
    { LK_SOUND: 'CCCCC', DEC_WORD: 'CTTLU', VOC_MEANING: 'UUUUC', PA_BLEND: 'CC', LIS_LITERAL: 'U!U!U!E' },
    { VOC_MEANING: 'CCCCC', DEC_WORD: 'QATTC' },
  ];
  for (const [at, letters] of sessions.entries()) {
    const finishedAt = `2026-01-1${at}T07:00:00.000Z`;
    await shell.diagnostic(student, answersOf(letters, 1 + 10 * at), { finishedAt });
    await shell.recompute(student);
  }
});

/** The runs in this transaction, with the stored texts and the derived ones. */
async function look(trx: Trx) {
  const { organizationId } = student;
  const cursors = await nextRuns(trx, { organizationId, after: 0, through: Number.MAX_SAFE_INTEGER }, 10);
  const runs = await runsBySeq(
    trx,
    organizationId,
    cursors.map(({ seq }) => seq),
  );
  const reading = <T>(work: (inside: Trx) => Promise<T>) => work(trx);
  const ids = runs.map(({ id }) => id);
  const evaluated = await evaluatedRuns(reading, { db: trx, rules: activeRules() }, organizationId, ids);
  const [written, stored] = [await writtenRows(trx, runs), await storedRows(trx, runs)];
  return runs.map((run) => {
    const evaluation = evaluated.get(run.id)?.evaluation;
    if (!evaluation) throw new Error('a run was not evaluated');
    const rows = { skills: written.skills(run.id), domains: written.domains(run.id) };
    return {
      rows,
      isAsWritten: isAsWritten(run, written, evaluation),
      isSound: isSound(run, written, evaluation),
      fields: resultDifferences(run, stored(run.id), evaluation),
    };
  });
}

/** Runs work in a transaction that is rolled back. */
async function after<T>(change: (trx: Trx) => Promise<unknown>, work: (trx: Trx) => Promise<T>): Promise<T> {
  const trx = await owner.transaction();
  try {
    await change(trx);
    return await work(trx);
  } finally {
    await trx.rollback();
  }
}

test('unchanged rows are recognized by their texts', async () => {
  const runs = await after(async () => {}, look);
  assert.is(runs.length, 2);
  assert.ok(runs.every(({ rows }) => (rows.skills?.codes ?? []).length > 0 && (rows.domains?.codes ?? []).length > 0));
  assert.equal(
    runs.map(({ isSound: sound, fields }) => ({ sound, fields })),
    runs.map(() => ({ sound: true, fields: [] })),
  );
});

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Columns that identify a row, and those outside the evaluation. */
const notAsked = ['id', 'organization_id', 'run_id', 'student_id', 'calibration_provisional'];

/** Returns another value of the column's type. */
const otherValue = ({ name, type }: Column): string =>
  ({
    boolean: `not ${name}`,
    integer: `coalesce(${name}, 0) + 1`,
    numeric: `coalesce(${name}, 0) + 1`,
    json: `'{"other":1}'`,
    ARRAY: `array_append(${name}, 'other')`,
    'timestamp with time zone': `${name} + interval '1 second'`,
  })[type] ?? `coalesce(${name}, '') || 'x'`;

for (const [table, prefix] of [
  ['sse_skill_snapshot', 'skills.'],
  ['sse_domain_snapshot', 'domains.'],
] as const) {
  test(`${table}: another value in any column of one row is detected, and named by its column`, async () => {
    const columns: Column[] = await owner('information_schema.columns')
      .where({ tableSchema: 'public', tableName: table })
      .whereNotIn('columnName', notAsked)
      .select('columnName as name', 'dataType as type');
    assert.ok(columns.length >= 20);
    for (const column of columns) {
      const changed = await after((trx) => changeOne(trx, table, column), look);
      assert.is(changed.filter(({ isAsWritten: same }) => !same).length, 1, column.name);
      const fields = changed.flatMap((run) => run.fields);
      assert.ok(fields.length > 0 && fields.every((field) => field.startsWith(prefix)), `${column.name}: ${fields}`);
    }
  });
}

/** Changes the first row of the newest run, bypassing the triggers that would refuse it. */
async function changeOne(trx: Trx, table: string, column: Column): Promise<void> {
  await trx.raw(`alter table ${table} disable trigger all`);
  const checks: { name: string }[] = await trx('pg_constraint')
    .whereRaw('conrelid = ?::regclass', [table])
    .where({ contype: 'c' })
    .select('conname as name');
  for (const { name } of checks) await trx.raw(`alter table ${table} drop constraint "${name}"`);
  await trx.raw(
    `update ${table} set ${column.name} = ${otherValue(column)}
     where (organization_id, id) = (select organization_id, max(id) from ${table} where organization_id = ? group by 1)`,
    [student.organizationId],
  );
}

test.run();
