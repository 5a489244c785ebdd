// Order of document jobs: when an organization was last served.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export const up = (knex: Knex): Promise<void> =>
  concurrentIndex(knex, {
    name: 'report_job_begun',
    table: 'report_job',
    on: '(organization_id, kind, begun_at)',
  });
