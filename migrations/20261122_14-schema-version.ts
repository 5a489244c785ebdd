// The oldest program that may work with this schema. Additions leave it as it is; a release that takes something away
// raises it, once no older process runs any more. `applied` repeats the record of migrations for the run-time roles, which
// the record itself is closed to.
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
