// The trends of a probe are found by the probe; corrected trends are no longer unique for each.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'cbm_trend_by_probe',
    table: 'cbm_trend',
    on: '(organization_id, probe_id)',
  });
}
