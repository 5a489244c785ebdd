// A class that is removed does not take its mappings along unseen: they are of no class from then on, and are read over.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table lms_mapping drop constraint lms_mapping_organization_id_class_id_fkey,
      add foreign key (organization_id) references organization;
    update schema_version set min_app = '0.2.0';
  `);
}
