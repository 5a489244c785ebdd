// Folded names of people, and the keys by which people are searched. Triggers keep both, so that no writer of a name, of
// this release or of the previous one, can forget them. Only they write the keys, so that no foreign key has to be checked for
// each.
import type { Knex } from 'knex';
import { nameFunctions, nameTriggers } from './sql/name-fold.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(nameFunctions);
  await knex.raw(`
    alter table app_user add column name_folded text collate "C";
    create table user_search_key (
      organization_id text not null references organization (id),
      user_id bigint not null,
      key text collate "C" not null,
      primary key (organization_id, user_id, key)
    );
    create index user_search_key_by_key on user_search_key (organization_id, key, user_id);
  `);
  await tenantTable(knex, 'user_search_key', ['select', 'insert', 'delete']);
  await knex.raw(nameTriggers);
  await knex.raw(`
    create trigger app_user_folded_name before insert or update of full_name_ar, name_folded on app_user
      for each row execute function fold_user_name();
    create trigger app_user_indexed after insert on app_user for each row execute function index_user();
    create trigger app_user_unindexed after delete on app_user for each row execute function index_user();
    create trigger app_user_indexed_again after update of full_name_ar, email, name_folded on app_user for each row
      when (new.name_folded is distinct from old.name_folded or new.email is distinct from old.email)
      execute function index_user();
  `);
}
