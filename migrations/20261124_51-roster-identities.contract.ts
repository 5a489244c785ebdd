// People from a roster have an identity at its provider. The ids of a OneRoster set are meaningful within one
// organization only.
import type { Knex } from 'knex';
import { identityProviders } from '#identity/people/records/enums.ts';
import { oneOf } from './sql/enums.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table external_identity
      drop constraint external_identity_provider_check,
      drop constraint external_identity_pk;
    alter table external_identity
      add constraint external_identity_provider_check check (${oneOf('provider', identityProviders)}),
      add constraint external_identity_pk primary key (organization_id, provider, subject);
    create unique index external_identity_google on external_identity (provider, subject) where provider = 'google';
    update schema_version set min_app = '0.2.0';
  `);
}
