// What a document in progress says of its contents beside how far it is. A key of content is given back once its document is
// done, where whoever asks later gets another one.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table report_job add column counts jsonb;
    grant update (content_key, counts) on report_job to ${runtimeRole}, ${platformRole};
  `);
}
