// How many entries of a browser's log somebody has sent in a day of UTC: what is beyond a number is not kept.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table client_log_batch
    add column day date not null default '1970-01-01',
    add column sent_of_day integer not null default 0`);
}
