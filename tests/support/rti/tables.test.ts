// Constraints of the database on tiers and alerts.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useDatabase } from '../../harness/database.ts';
import { buildClass, buildStudent, buildTeacher, type UserRow } from '../../harness/factories.ts';
import { buildAlert } from './alerts/rows.ts';

const { owner } = useDatabase(test);

let student: UserRow;
let teacher: UserRow;
test.before.each(async () => {
  const classRow = await buildClass(owner);
  teacher = await buildTeacher(owner, classRow);
  student = await buildStudent(owner, classRow);
  await owner('student_support').insert({ organizationId: student.organizationId, studentId: student.id });
});

const movement = (overrides: object = {}) => ({
  ...{ organizationId: student.organizationId, studentId: student.id, schoolYear: '2025-2026' },
  ...{ fromTier: 1, toTier: 2, effectiveOn: '2026-01-10', sourceType: 'rti_decision', sourceId: 'd1' },
  ...{ decidedBy: teacher.id, committedAt: '2026-01-31T08:00:00.000Z', ruleVersions: '{}' },
  ...overrides,
});

const refusalOf = (work: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(work).then(
    () => 'accepted',
    (error: unknown) => String(error),
  );

test('a movement begins where the newest one has led, goes one tier, and not back in time', async () => {
  assert.match(await refusalOf(owner('tier_movement').insert(movement({ fromTier: 2, toTier: 3 }))), 'begins where');
  await owner('tier_movement').insert(movement());
  assert.match(await refusalOf(owner('tier_movement').insert(movement())), 'begins where');
  const onward = { fromTier: 2, effectiveOn: '2026-01-20' };
  for (const toTier of [2, 4, 0]) {
    assert.match(await refusalOf(owner('tier_movement').insert(movement({ ...onward, toTier }))), 'check constraint');
  }
  const early = movement({ ...onward, toTier: 3, effectiveOn: '2026-01-09' });
  assert.match(await refusalOf(owner('tier_movement').insert(early)), 'after the newest');
  await owner('tier_movement').insert(movement({ ...onward, toTier: 3 }));
  await owner('tier_movement').insert(movement({ fromTier: 3, toTier: 2, effectiveOn: '2026-01-20' }));
});

test('of two movements from the same tier at once one is stored', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => refusalOf(owner('tier_movement').insert(movement()))));
  assert.is(answers.filter((answer) => answer === 'accepted').length, 1);
  assert.is((await owner('tier_movement').where({ studentId: student.id })).length, 1);
});

test('no movement and no decision is changed or taken away', async () => {
  await owner('tier_movement').insert(movement());
  for (const sql of [
    'update tier_movement set to_tier = 1',
    'delete from tier_movement',
    'truncate tier_movement cascade',
  ]) {
    assert.match(await refusalOf(owner.raw(sql)), 'append-only', sql);
  }
});

test('a student has one open alert', async () => {
  await buildAlert(owner, student);
  assert.match(await refusalOf(buildAlert(owner, student, { kind: 'Skill_Alert' })), 'rti_alert_one_open');
  await buildAlert(owner, await buildStudent(owner));
});

test('a closed alert stays as it is, and none is taken away', async () => {
  const closed = { state: 'closed', closedAt: '2026-02-01T08:00:00.000Z', closedOn: '2026-02-01' };
  const id = await buildAlert(owner, student, { ...closed, closeReason: 'condition_cleared' });
  assert.match(await refusalOf(owner('rti_alert').where({ id }).update({ state: 'open' })), 'stays as it is');
  assert.match(await refusalOf(owner('rti_alert').where({ id }).delete()), 'keeps its rows');
});

test('the columns of an alert are consistent', async () => {
  const wrong: object[] = [
    { state: 'dismissed' },
    { expiresOn: '2026-02-14' },
    { state: 'closed' },
    { subSkillCode: 'DEC_WORD' },
    { closeReason: 'condition_cleared' },
    { acknowledgedAt: '2026-02-01T08:00:00.000Z' },
    { kind: 'Another_Alert' },
  ];
  for (const overrides of wrong) {
    assert.match(await refusalOf(buildAlert(owner, student, overrides)), 'check constraint', JSON.stringify(overrides));
  }
});

const root = path.resolve(import.meta.dirname, '../../..');
const sources = ['src', 'workers', 'scripts'].flatMap((folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(folder, name)),
);

/** Tables with a single writer, and its file. */
const doors: readonly (readonly [table: string, writes: RegExp, file: string])[] = [
  [
    'tier_movement',
    /StoredTierMovement\.query\(\w+\)\s*\.insert|tier_movement'\)\s*\.insert|into tier_movement|insert(Rows|Columns)[^;]*tier_movement/,
    'src/support/rti/tiers/move.ts',
  ],
  [
    'rti_alert',
    /RtiAlert\.query\(\w+\)\s*\.(insert|patch)|[\s\S]RtiAlert\.query\(\w+\)\.where\([^)]*\)\.patch|into rti_alert|rti_alert'\)\s*\.(insert|update)/,
    'src/support/rti/alerts/change.ts',
  ],
  [
    'skill_state',
    /insert(Rows|Columns)[^;]*'skill_state'|skill_state'\)\s*\.insert|into skill_state /,
    'src/support/rti/skill-states/follow.ts',
  ],
];

for (const [table, writes, file] of doors) {
  test(`${table} is written in one file`, () => {
    const writers = sources.filter((name) => writes.test(fs.readFileSync(path.join(root, name), 'utf8')));
    assert.equal(
      writers.filter((name) => !name.includes('personal-data') && !name.startsWith('src/app/demo')),
      [file],
    );
  });
}

test.run();
