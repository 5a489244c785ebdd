// Running processes, as each reports itself. The rows describe the current moment and are lost in a crash of the
// server.
import type { Knex } from 'knex';
import { processRoles } from '#backoffice/operations/enums.ts';
import { oneOf } from './sql/enums.ts';
import { platformTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unlogged table process_report (
      id text primary key,
      role text not null check (${oneOf('role', processRoles)}),
      version text not null,
      seen_at timestamptz not null
    )`);
  await platformTable(knex, 'process_report', ['select', 'insert', 'update', 'delete']);
}
