// The oldest program that may use this schema. Additions leave it unchanged. A release that removes something raises it
// when no older process runs. `applied` copies the list of migrations for the run-time roles, which cannot read the
// original.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table schema_version (
      is_only boolean primary key default true check (is_only),
      min_app text not null check (min_app ~ '^\\d+\\.\\d+\\.\\d+$'),
      applied text[] not null default '{}'
    );
    insert into schema_version (min_app) values ('0.1.0');
    grant select on schema_version to ${runtimeRole}, ${platformRole};
  `);
}
