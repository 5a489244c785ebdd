// The board of queues and the list of jobs read what they show, not the tables. A failed job is ordered again once.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  const indexes = [
    { table: 'rule_job', name: 'rule_job_by_state', on: '(kind, state, created_at desc, id desc)' },
    {
      table: 'rule_job',
      name: 'rule_job_retry',
      on: '(organization_id, retry_of) where retry_of is not null',
      unique: true,
    },
    {
      table: 'sse_recompute_request',
      name: 'sse_recompute_request_failing',
      on: '(organization_id, requested_at) where last_error is not null',
    },
    { table: 'schedule_day', name: 'schedule_day_done', on: '(name, done_at desc) where done_at is not null' },
  ];
  for (const index of indexes) await concurrentIndex(knex, index);
}
