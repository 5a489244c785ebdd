// Drafts of benchmark profiles. A published profile is a version of a rule document, and its history is the timeline of
// activations.
import type { Knex } from 'knex';
import { platformRole } from '#core/platform/db.ts';
import { neverChanges } from './sql/changeable.ts';
import { backofficeTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table benchmark_profile (
      id text primary key,
      key text not null,
      country text,
      grade integer not null,
      measure_code text not null,
      season text,
      cuts jsonb,
      source text not null,
      title_ar text not null,
      created_by bigint not null,
      created_at timestamptz not null,
      version_id text unique references rule_version (id)
    );
    create unique index benchmark_profile_one_draft on benchmark_profile (key) where version_id is null;

    create function guard_published_benchmark() returns trigger language plpgsql as $$
      begin
        raise exception 'a benchmark that is published stays as it is' using errcode = 'restrict_violation';
      end $$;
    create trigger benchmark_profile_published before update or delete on benchmark_profile
      for each row when (old.version_id is not null) execute function guard_published_benchmark();
    create trigger benchmark_profile_own_name before insert on benchmark_profile
      for each row execute function guard_own_name('created_by');
  `);
  await backofficeTable(knex, 'benchmark_profile', ['select', 'insert', 'update']);
  await neverChanges(
    knex,
    'benchmark_profile',
    ['id', 'key', 'country', 'grade', 'measure_code', 'season', 'created_by', 'created_at'],
    [platformRole],
  );
}
