// Generated groups of a class. A row is written once and deleted when its period has passed.
import type { Knex } from 'knex';
import { tenantTable } from './sql/tables.ts';

/** Without a foreign key to the class: a class that never had students may be deleted, and its rows expire later. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table cluster_generation (
      id text,
      organization_id text not null references organization,
      class_id bigint not null,
      school_year text not null,
      seq bigint generated always as identity,
      content_hash text not null,
      rule_versions jsonb not null,
      minimum_size integer not null check (minimum_size >= 1),
      groups jsonb not null,
      changes jsonb,
      facts jsonb not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (organization_id, id),
      check (expires_at > created_at)
    );
    create index cluster_generation_newest on cluster_generation (organization_id, class_id, seq desc);
    create index cluster_generation_by_age on cluster_generation (expires_at);
    create trigger cluster_generation_kept before update or delete on cluster_generation
      for each row execute function refuse_all_but_purge();
    create trigger cluster_generation_no_truncate before truncate on cluster_generation
      for each statement execute function refuse_all_but_purge();
  `);
  await tenantTable(knex, 'cluster_generation', ['select', 'insert', 'delete']);
}
