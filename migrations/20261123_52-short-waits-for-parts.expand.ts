// Creating the partition of a school year locks a ledger and then the tables that it refers to. A writer of the ledger
// may hold a lock on those. The creator gives up long before PostgreSQL detects a deadlock (1 s), the writer never.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw("alter function make_ledger_part(text, text) set lock_timeout = '200ms'");
}
