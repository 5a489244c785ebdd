// Published rule documents, the bundles that pin them, and the timeline of activations. All are append-only.
import type { Knex } from 'knex';
import {
  activateReasons,
  activationKinds,
  changeLevels,
  installReason,
  rollbackReasons,
} from '#rules/rulesets/enums.ts';
import { audited } from './sql/audit.ts';
import { oneOf } from './sql/enums.ts';
import { appendOnly, platformTable } from './sql/tables.ts';

const reasons = [...new Set([installReason, ...activateReasons, ...rollbackReasons])];

export async function up(knex: Knex): Promise<void> {
  await versions(knex);
  await bundles(knex);
  await activations(knex);
}

/** A version with an author was approved by a second person, except for families that fixed routes write too. */
async function versions(knex: Knex): Promise<void> {
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
      author_user_id bigint,
      approved_by bigint[] not null default '{}',
      id text generated always as (family || '/' || key || '@' || version) stored unique,
      level text check (${oneOf('level', changeLevels)}),
      editor_user_ids bigint[] not null default '{}',
      ledger_no bigint generated always as identity unique,
      primary key (family, key, version),
      constraint rule_version_hash check (sha256 = encode(sha256(convert_to(document, 'UTF8')), 'hex')),
      constraint rule_version_golden_hash check (
        golden_sha256 is not distinct from encode(sha256(convert_to(cases, 'UTF8')), 'hex')),
      constraint rule_version_four_eyes check (
        author_user_id is null or family in ('language', 'qa', 'benchmark')
        or (cardinality(approved_by) >= 1 and not approved_by && (editor_user_ids || author_user_id)))
    );
  `);
  await publication(knex, 'rule_version');
  await audited(knex, 'rule_version', 'id', ['family', 'key', 'version', 'sha256', 'golden_sha256', 'level']);
}

async function bundles(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_bundle (
      id text primary key,
      versions jsonb not null check (jsonb_typeof(versions) = 'object'),
      created_at timestamptz not null,
      ledger_no bigint generated always as identity unique
    );
  `);
  await publication(knex, 'rule_bundle');
}

async function activations(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_activation (
      id bigint generated always as identity primary key,
      bundle_id text not null references rule_bundle,
      active_from timestamptz not null,
      reason text not null check (${oneOf('reason', reasons)}),
      activated_by bigint,
      created_at timestamptz not null,
      kind text not null check (${oneOf('kind', activationKinds)}),
      approved_by bigint[] not null default '{}'
    );
    create index rule_activation_timeline on rule_activation (active_from desc, id desc);
    create function guard_rule_activation() returns trigger language plpgsql as $$
      declare pins integer; sound integer; givers bigint[];
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if new.kind = 'install' then raise exception 'only a release installs rules'; end if;
        if new.activated_by is distinct from named_writer() or new.activated_by is null then
          raise exception 'an activation is in the name of who asks for it';
        end if;
        select count(*), count(v.id) filter (where v.author_user_id is null or cardinality(v.approved_by) > 0
            or v.family in ('language', 'qa', 'benchmark'))
          into pins, sound
          from rule_bundle b cross join jsonb_each_text(b.versions) p
          left join rule_version v on v.id = p.key || '@' || p.value
          where b.id = new.bundle_id;
        select array_agg(u) into givers
          from rule_bundle b cross join jsonb_each_text(b.versions) p
          join rule_version v on v.id = p.key || '@' || p.value cross join unnest(v.approved_by) u
          where b.id = new.bundle_id;
        if sound < pins then raise exception 'only shipped and approved versions come into force'; end if;
        if not new.approved_by <@ coalesce(givers, '{}') then raise exception 'somebody is named who approved nothing'; end if;
        return new;
      end $$;
    create trigger rule_activation_guard before insert on rule_activation
      for each row execute function guard_rule_activation();
  `);
  await publication(knex, 'rule_activation');
  await audited(knex, 'rule_activation', 'id', ['bundle_id', 'active_from', 'reason', 'kind', 'approved_by']);
}

async function publication(knex: Knex, table: string): Promise<void> {
  await platformTable(knex, table, ['select', 'insert']);
  await appendOnly(knex, table);
}
