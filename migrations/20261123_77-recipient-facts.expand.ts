// What the rules were asked about a recipient stays with the answer, so that it can be asked again and explained.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '../src/platform/db.ts';

/** Null where no rule was asked, and of rows of the release before. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table session_recipient add column facts jsonb check (facts is null or rule_id is not null);
    grant update (facts) on session_recipient to ${runtimeRole}, ${platformRole};
  `);
}
