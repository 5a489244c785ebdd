// The last of a student's requests because of new rules. A later request replaces the trigger, and effects of unchanged
// runs would be missed otherwise. 0: none, or written by an earlier release.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table sse_recompute_request add column new_rules_seq integer not null default 0');
}
