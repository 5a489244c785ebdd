// For queries of a user's last sign-in, including ended sessions, without reading other users' rows.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'auth_session_by_user',
    table: 'auth_session',
    on: '(organization_id, user_id, created_at)',
  });
}
