// The second version of the teaser items replaces the first sets, which stay for the sessions that were started with
// them.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update teaser_item_set set status = 'retired' where version = 1;
    insert into teaser_item_set (id, grade, sub_skill_id, version, status, item_ids)
      select format('TEASER-G%s@2', grade), grade, sub_skill_id, 2, 'active', item_ids
      from teaser_item_set where version = 1;
  `);
}
