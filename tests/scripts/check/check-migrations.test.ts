// The migrations keep to their phases, and each violation is found.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cleanStart, findingsIn } from '../../../scripts/check/migrations/findings.ts';

const expand = '20270110_01-reports.expand.ts';
const contract = '20270110_02-reports.contract.ts';
const raw = (statements: string) => `export const up = (knex) => knex.raw(\`${statements}\`);`;
const alone = (call: string) => `export const config = { transaction: false };\nexport const up = (knex) => ${call};`;

test('shipped migrations keep to their phases', () => {
  const folder = path.resolve(import.meta.dirname, '../../../migrations');
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
    assert.equal(findingsIn(file, fs.readFileSync(path.join(folder, file), 'utf8')), [], file);
  }
});

test('a migration after the clean start names its phase, and every file has a valid name', () => {
  assert.equal(findingsIn(`${cleanStart}01-people.ts`, raw('drop table x')), []);
  assert.equal(findingsIn('20261123_01-reports.ts', ''), ['says neither .expand nor .contract']);
  for (const name of ['reports.expand.ts', '20270110_01-reports.later.ts', '20270110-reports.expand.ts']) {
    assert.is(findingsIn(name, '').length, 1, name);
  }
});

for (const [finding, statement] of [
  ['drops something', 'alter table class drop column room'],
  ['drops something', 'drop trigger class_audit on class'],
  ['removes rows', 'delete from class'],
  ['removes rows', 'truncate class'],
  ['renames something', 'alter table class rename column name to title'],
  ['changes a type', 'alter table class alter column name type varchar(9)'],
  ['changes a type', 'alter table class alter name set data type text'],
  ['forbids null in a column that has rows', 'alter table class alter column name set not null'],
  ['raises min_app, which shuts older processes out', "update schema_version set min_app = '2.0.0'"],
  ['adds class.room, not null without a default', 'alter table class add column room text not null'],
  ['adds class.room, not null without a default', 'alter table class add floor int, add room text not null'],
  ['makes an index on class that is not concurrent', 'create index class_room on class (organization_id, room)'],
  ['makes an index on class that is not concurrent', 'create unique index on class (room) where room is not null'],
  ['adds a constraint to class that is not "not valid"', "alter table class add constraint c check (name <> '')"],
  [
    'adds a constraint to class that is not "not valid"',
    'alter table class add foreign key (a, b) references school (a, b)',
  ],
  ['adds a constraint to class that is not "not valid"', 'alter table class add unique (organization_id, name)'],
  ['adds a constraint to class that is not "not valid"', 'alter table class add column room text references school'],
  ['works concurrently by itself: concurrentIndex() can be repeated', 'create table x (a int); vacuum concurrently'],
] as const) {
  test(`in expand: ${statement}`, () => assert.equal(findingsIn(expand, raw(`${statement};`)), [finding]));
}

test('in expand: a check may be replaced by one that is not valid; dropped or valid it is refused', () => {
  const replaced = 'alter table class drop constraint c; alter table class add constraint c check (a in (1, 2))';
  assert.equal(findingsIn(expand, raw(`${replaced} not valid;`)), []);
  assert.equal(findingsIn(expand, raw(`${replaced};`)), [
    'drops something',
    'adds a constraint to class that is not "not valid"',
  ]);
});

test('the builder of knex is checked too', () => {
  const up = (call: string) => `export const up = (knex) => knex.schema.alterTable('class', (table) => ${call});`;
  assert.equal(findingsIn(expand, up("table.dropColumn('room')")), ['drops something']);
  assert.equal(findingsIn(expand, up("table.renameColumn('room', 'hall')")), ['renames something']);
  assert.equal(findingsIn(expand, up("table.text('room').notNullable().alter()")), ['changes a type']);
});

test('additions may be in expand', () => {
  const statements = `
    -- drop nothing: a remark
    create table room (id text primary key, name text not null check (name <> ''), class_id bigint references class);
    create index room_name on room (name);
    create unlogged table guest (id text primary key, name text not null);
    create index guest_name on guest (name);
    alter table room add constraint unique_name unique (name);
    alter table class add column room text, add column floor integer not null default 0;
    alter table class add constraint class_floor check (floor >= 0) not valid;
    alter table class add constraint class_room unique using index class_room;
    create trigger room_no_truncate before truncate on room for each statement execute function refuse_change();
    create function tidy() returns trigger language plpgsql as $$ begin delete_me := 1; return new; end $$;`;
  assert.equal(findingsIn(expand, `// renames nothing\n${raw(statements)}`), []);
});

test('a concurrent index is alone in its file, without a transaction', () => {
  const index = "concurrentIndex(knex, { name: 'class_room', table: 'class', on: '(organization_id, room)' })";
  assert.equal(findingsIn(expand, alone(index)), []);
  assert.is(findingsIn(expand, `export const up = (knex) => ${index};`).length, 1);
  assert.is(findingsIn(expand, alone(`${index}.then(() => ${index})`)).length, 1);
  assert.is(findingsIn(expand, alone("knex.raw('select 1')")).length, 1);
});

test('contract raises the oldest version that may use the schema', () => {
  assert.equal(findingsIn(contract, raw('alter table class drop column room;')), [
    'takes away without raising min_app',
  ]);
  const raising = "alter table class drop column room; update schema_version set min_app = '1.4.0';";
  assert.equal(findingsIn(contract, raw(raising)), []);
});

test.run();
