// Deleting a class does not delete its mappings: they have no class then and are ignored.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table lms_mapping drop constraint lms_mapping_organization_id_class_id_fkey,
      add foreign key (organization_id) references organization;
    update schema_version set min_app = '0.2.0';
  `);
}
