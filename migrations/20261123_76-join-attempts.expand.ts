// Wrong codes of live sessions are counted as other guesses are.
import type { Knex } from 'knex';
import { attemptKinds } from '../src/people/records/words.ts';
import { oneOf } from './sql/words.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table attempt_window drop constraint attempt_window_kind_check,
      add constraint attempt_window_kind_check check (${oneOf('kind', attemptKinds)});
  `);
}
