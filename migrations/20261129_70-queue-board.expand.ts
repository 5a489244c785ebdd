// A process reports the queues that it works at, and a job that was ordered again names the failed one.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table process_report add column queues text[] not null default '{}';
    alter table rule_job add column retry_of text;
  `);
}
