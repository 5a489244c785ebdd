// Open streams of notifications in all processes, which limits the streams of one person. Both tables describe the
// current moment and are empty after a crash of the server, as the streams are closed then.
import type { Knex } from 'knex';
import { platformTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unlogged table stream_process (
      id text primary key,
      held_until timestamptz not null
    );
    create unlogged table stream_place (
      process_id text not null references stream_process on delete cascade,
      id text not null,
      user_id bigint not null,
      taken_at timestamptz not null,
      primary key (process_id, id)
    );
    create index stream_place_of_user on stream_place (user_id);
  `);
  await platformTable(knex, 'stream_process', ['select', 'insert', 'update', 'delete']);
  await platformTable(knex, 'stream_place', ['select', 'insert', 'delete']);
}
