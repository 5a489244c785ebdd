// Whether the person who entered an implausible score has confirmed it.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table orf_assessment add column confirmed boolean not null default false;
    alter table cbm_probe add column confirmed boolean not null default false;
    grant update (confirmed) on orf_assessment to ${runtimeRole}, ${platformRole};
  `);
}
