// Order of document jobs: when a person was last served.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export const up = (knex: Knex): Promise<void> =>
  concurrentIndex(knex, {
    name: 'report_job_begun_for',
    table: 'report_job',
    on: '(organization_id, kind, requested_by, begun_at)',
  });
