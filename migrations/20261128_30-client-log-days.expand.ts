// Number of log entries that a user's browser sent on a UTC date. Entries beyond a limit are not stored.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table client_log_batch
    add column day date not null default '1970-01-01',
    add column sent_of_day integer not null default 0`);
}
