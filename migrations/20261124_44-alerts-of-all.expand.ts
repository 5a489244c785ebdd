// Alerts of all organizations, newest first, without those that only teachers of a class read.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'platform_alert_qa_newest',
    table: 'platform_alert',
    on: "(at desc, id desc) where kind = 'qa'",
  });
}
