// Response time including listening, besides the time without it. Guesses are detected by the former. Null in rows of a
// release that stored one time for both.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table diagnostic_response add column heard_ms integer');
}
