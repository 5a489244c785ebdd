// Drops the triggers that wrote the audit log, once no process relies on them, and foreign keys that delete rows,
// because the application would not notice the deletion.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$
    declare
      one record;
    begin
      for one in select tgname as name, tgrelid::regclass as on_table from pg_trigger
          where tgfoid = 'record_audit'::regproc and not tgisinternal loop
        execute format('drop trigger %I on %s', one.name, one.on_table);
      end loop;
    end $$`);
  await withoutCascade(knex, 'class_teacher', 'class_id', 'class');
  await withoutCascade(knex, 'principal_school', 'school_id', 'school');
  await knex.raw(`
    drop function record_audit();
    drop function audit_fields(jsonb, text[]);
    update schema_version set min_app = '0.2.0';
  `);
}

const withoutCascade = (knex: Knex, table: string, column: string, to: string) => {
  const name = `${table}_organization_id_${column}_fkey`;
  return knex.raw(`
    alter table ${table} drop constraint ${name},
      add constraint ${name} foreign key (organization_id, ${column}) references ${to} (organization_id, id)`);
};
