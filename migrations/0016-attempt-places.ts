// Tries that are under way hold a place in their windows, and a device has a window of its own.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table attempt_window
      add column reserved jsonb not null default '[]',
      drop constraint attempt_window_kind_check,
      add constraint attempt_window_kind_check
        check (kind in ('login_email', 'login_address', 'quick_code_device', 'quick_code_address'));
  `);
}
