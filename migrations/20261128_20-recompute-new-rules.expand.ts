// Which of a student's requests asked for new rules last: another reason that comes after it takes its place as the trigger,
// and what follows from unchanged runs would not be told. 0: none, or by a release before this one.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table sse_recompute_request add column new_rules_seq integer not null default 0');
}
