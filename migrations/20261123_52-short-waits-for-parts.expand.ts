// Making the part of a school year locks a ledger and then the tables that it refers to, which somebody may hold who is about to
// write into the ledger. The maker gives up long before PostgreSQL looks for a deadlock (1 s), and never the writer.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw("alter function make_ledger_part(text, text) set lock_timeout = '200ms'");
}
