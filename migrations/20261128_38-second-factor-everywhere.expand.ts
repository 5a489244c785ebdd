// A sign-in by Google or by a recovery link requires the second factor too. Its code stays valid after a missing or
// wrong factor, within limits. A session records whether Google opened it, because such a session enrolls a second
// factor without a password.
import type { Knex } from 'knex';
import { sessionOpeners } from '#identity/people/records/enums.ts';
import { oneOf } from './sql/enums.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table auth_session add column opened_by text not null default 'other',
      add constraint auth_session_opened_by check (${oneOf('opened_by', sessionOpeners)}) not valid;
    alter table handoff_code add column opened_by text not null default 'google',
      add column factor_asked boolean not null default false,
      add column wrong_factors integer not null default 0,
      add constraint handoff_code_opened_by check (${oneOf('opened_by', sessionOpeners)}) not valid,
      add constraint handoff_code_wrong_factors check (wrong_factors between 0 and 4) not valid;
  `);
}
