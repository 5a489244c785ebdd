// Order of document jobs: the number of open jobs of an organization.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export const up = (knex: Knex): Promise<void> =>
  concurrentIndex(knex, {
    name: 'report_job_open_of',
    table: 'report_job',
    on: "(organization_id) where state in ('queued', 'running')",
  });
