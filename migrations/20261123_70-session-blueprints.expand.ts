// Lesson blueprints: batches that need two people, and the published blueprints, version by version.
import type { Knex } from 'knex';
import { platformRole } from '#core/platform/db.ts';
import { deliveryModes, scaffoldTiers } from '#support/interventions/engine/vocabulary.ts';
import { batchStates, blueprintStates } from '#teaching/lesson-blueprints/enums.ts';
import { onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { backofficeTable, neverRemoved, platformTable } from './sql/tables.ts';

const decisionColumns = ['state', 'content', 'approved_by', 'decided_at'] as const;

export async function up(knex: Knex): Promise<void> {
  await batches(knex);
  await blueprints(knex);
  await backofficeTable(knex, 'blueprint_batch', ['select', 'insert', 'update']);
  await onlyChanges(knex, 'blueprint_batch', decisionColumns, [platformRole]);
  await neverRemoved(knex, 'blueprint_batch');
  await platformTable(knex, 'session_blueprint', ['select']);
  await backofficeTable(knex, 'session_blueprint', ['insert', 'update']);
  await onlyChanges(knex, 'session_blueprint', ['state'], [platformRole]);
  await neverRemoved(knex, 'session_blueprint');
}

/** A shipped batch has no importer. The content is stored as long as it may still be published. */
async function batches(knex: Knex): Promise<void> {
  await knex.raw(`
    create table blueprint_batch (
      id text primary key,
      batch_code text not null,
      state text not null check (${oneOf('state', batchStates)}),
      imported_by bigint,
      created_at timestamptz not null,
      report jsonb not null,
      content_hash text not null,
      content text,
      approved_by bigint,
      decided_at timestamptz,
      constraint blueprint_batch_content check ((content is not null) = (state = 'validated')),
      constraint blueprint_batch_decided check ((decided_at is not null) = (state in ('approved', 'superseded'))),
      constraint blueprint_batch_shipped check (imported_by is not null or state = 'approved'),
      constraint blueprint_batch_approved check ((approved_by is not null) = (state = 'approved' and imported_by is not null)),
      constraint blueprint_batch_two_persons check (approved_by <> imported_by)
    );
    create unique index blueprint_batch_waiting on blueprint_batch (batch_code) where state = 'validated';
    create index blueprint_batch_list on blueprint_batch (created_at, id);
    create index blueprint_batch_shipped on blueprint_batch (batch_code, created_at) where imported_by is null;

    create function guard_new_blueprint_batch() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if new.state not in ('validated', 'invalid') then raise exception 'a batch is imported before it is approved'; end if;
        return new;
      end $$;
    create trigger blueprint_batch_new before insert on blueprint_batch
      for each row execute function guard_new_blueprint_batch();
    create trigger blueprint_batch_own_name before insert on blueprint_batch
      for each row execute function guard_own_name('imported_by');

    create function guard_blueprint_batch() returns trigger language plpgsql as $$
      declare
        changed text[] := '{${decisionColumns.join(',')}}';
      begin
        if old.state <> 'validated' or new.state not in ('approved', 'superseded') then
          raise exception 'a batch that is % does not become %', old.state, new.state;
        end if;
        if to_jsonb(new) - changed is distinct from to_jsonb(old) - changed then
          raise exception 'what was imported does not change';
        end if;
        if new.state = 'approved' and new.approved_by is distinct from named_writer() and not acts_as_owner(tg_relid) then
          raise exception 'an approval is in the name of who gives it';
        end if;
        return new;
      end $$;
    create trigger blueprint_batch_guard before update on blueprint_batch
      for each row execute function guard_blueprint_batch();
  `);
}

/**
 * Versions of a code have no gaps, and one of them is active. Sub-skills, bundles and roles are values of rule
 * documents.
 */
async function blueprints(knex: Knex): Promise<void> {
  await knex.raw(`
    create table session_blueprint (
      id text primary key,
      blueprint_code text not null,
      version integer not null check (version >= 1),
      state text not null check (${oneOf('state', blueprintStates)}),
      batch_id text not null references blueprint_batch (id),
      bundle_id text not null,
      step_no integer not null,
      session_role text not null,
      grade integer not null,
      scaffold_tier text check (${oneOf('scaffold_tier', scaffoldTiers)}),
      delivery_modes text[] not null check (delivery_modes <@ array[${deliveryModes.map((mode) => `'${mode}'`).join(', ')}]),
      anchor_skill_group text not null,
      target_sub_skill_codes text[] not null,
      duration_minutes integer not null,
      title_ar text not null,
      segments jsonb not null,
      items jsonb not null,
      content_hash text not null,
      published_at timestamptz not null,
      unique (blueprint_code, version)
    );
    create unique index session_blueprint_active on session_blueprint (blueprint_code) where state = 'active';
    create index session_blueprint_catalog on session_blueprint (bundle_id, step_no, blueprint_code, id)
      where state = 'active';
    create index session_blueprint_batch on session_blueprint (batch_id);

    create function guard_new_blueprint() returns trigger language plpgsql as $$
      declare
        newest integer;
      begin
        select max(version) into newest from session_blueprint where blueprint_code = new.blueprint_code;
        if new.version <> coalesce(newest, 0) + 1 then
          raise exception 'version % of a blueprint does not follow %', new.version, coalesce(newest, 0);
        end if;
        return new;
      end $$;
    create trigger session_blueprint_new before insert on session_blueprint
      for each row execute function guard_new_blueprint();

    create function guard_blueprint() returns trigger language plpgsql as $$
      begin
        if (old.state, new.state) <> ('active', 'superseded')
          or to_jsonb(new) - 'state' is distinct from to_jsonb(old) - 'state' then
          raise exception 'what a blueprint says does not change' using errcode = 'restrict_violation';
        end if;
        return new;
      end $$;
    create trigger session_blueprint_guard before update on session_blueprint
      for each row execute function guard_blueprint();
  `);
}
