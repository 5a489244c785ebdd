// Counts of a document in progress besides its percentage. The content key is released when the document is done, so
// that a later request gets a new document.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table report_job add column counts jsonb;
    grant update (content_key, counts) on report_job to ${runtimeRole}, ${platformRole};
  `);
}
