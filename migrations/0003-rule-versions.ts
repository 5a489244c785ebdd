// Published rule documents, the bundles that pin them, and the timeline of activations. All of it append-only.
import type { Knex } from 'knex';
import { appendOnly, platformTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_version (
      family text not null,
      key text not null,
      version integer not null check (version >= 1),
      document text not null,
      sha256 text not null,
      cases text,
      golden_sha256 text,
      published_at timestamptz not null,
      author_user_id bigint references app_user,
      approved_by bigint[] not null default '{}',
      primary key (family, key, version),
      constraint rule_version_hash check (sha256 = encode(sha256(convert_to(document, 'UTF8')), 'hex')),
      constraint rule_version_golden_hash check (
        golden_sha256 is not distinct from encode(sha256(convert_to(cases, 'UTF8')), 'hex'))
    );
    create table rule_bundle (
      id text primary key,
      versions jsonb not null check (jsonb_typeof(versions) = 'object'),
      created_at timestamptz not null
    );
    create table rule_activation (
      id bigint generated always as identity primary key,
      bundle_id text not null references rule_bundle,
      active_from timestamptz not null,
      reason text not null check (reason in (
        'initial', 'scheduled_release', 'evidence_update', 'defect_fix', 'policy_change',
        'defect_found', 'impact_unacceptable', 'activated_by_mistake', 'none_fits')),
      activated_by bigint references app_user,
      created_at timestamptz not null
    );
    create index rule_activation_timeline on rule_activation (active_from desc, id desc);
  `);
  for (const table of ['rule_version', 'rule_bundle', 'rule_activation']) {
    await platformTable(knex, table, ['select', 'insert']);
    await appendOnly(knex, table);
  }
}
