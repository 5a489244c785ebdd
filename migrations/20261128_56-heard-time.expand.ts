// The time of an answer with listening beside the time without: guesses are told by the former. Null in rows of a release
// that stored one time for both.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table diagnostic_response add column heard_ms integer');
}
