// What is in force is decided by the numbers of activations, since a clock that was fast may have dated one into the future.
// Imported versions keep where they come from. Of the approvals of a draft only those of accounts that may still approve count,
// so that a version names a part of them, at least as many as its quorum.
import type { Knex } from 'knex';
import { platformRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await origins(knex);
  await benchmarks(knex);
  await checks(knex);
}

async function origins(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rule_draft add column origin jsonb;
    alter table rule_draft add constraint rule_draft_origin check (jsonb_typeof(origin) = 'object') not valid;
    alter table rule_version add column origin jsonb;
    alter table rule_version add constraint rule_version_origin check (jsonb_typeof(origin) = 'object') not valid;
    grant update (origin) on rule_draft to ${platformRole};
    create or replace function guard_rule_version() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if new.author_user_id is null then raise exception 'a version without an author comes with a release'; end if;
        if new.family in ('language', 'qa', 'benchmark') and new.author_user_id = named_writer() then return new; end if;
        if exists (select from rule_draft d cross join lateral (
              select array(select a.user_id from rule_approval a where a.draft_id = d.id
                and (a.etag, a.quorum, a.submission) = (d.etag, d.quorum, d.submission)) as givers) given
            where (d.family, d.key, d.base_version + 1, d.document, d.state, d.author_user_id, d.editor_user_ids)
                = (new.family, new.key, new.version, new.document, 'in_review', new.author_user_id, new.editor_user_ids)
              and d.origin is not distinct from new.origin
              and (select count(distinct u) from unnest(new.approved_by) u) >= d.quorum
              and new.approved_by <@ given.givers) then
          return new;
        end if;
        raise exception 'a version is a draft in review that was approved';
      end $$;
  `);
}

async function benchmarks(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function guard_benchmark_activation() returns trigger language plpgsql as $$
      declare
        pin record;
        present text;
        just_before text;
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        for pin in
          select p.key, p.value from rule_bundle b cross join jsonb_each_text(b.versions) p
          join rule_version v on v.id = p.key || '@' || p.value
          where b.id = new.bundle_id and v.family = 'benchmark' and cardinality(v.approved_by) = 0
            and new.activated_by = any (v.editor_user_ids || v.author_user_id)
        loop
          select b.versions ->> pin.key into present from rule_activation a join rule_bundle b on b.id = a.bundle_id
            where a.active_from <= new.active_from order by a.id desc limit 1;
          continue when present is not distinct from pin.value;
          select b.versions ->> pin.key into just_before from rule_activation a join rule_bundle b on b.id = a.bundle_id
            where a.active_from <= new.active_from and b.versions ->> pin.key is distinct from present
            order by a.id desc limit 1;
          if present is null or just_before is distinct from pin.value then
            raise exception 'a benchmark comes into force by somebody who did not write it'
              using errcode = 'restrict_violation';
          end if;
        end loop;
        return new;
      end $$;
  `);
}

async function checks(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function qa_check_at(wanted text, moment timestamptz)
    returns table (severity text, enabled boolean, rule_version text) language sql stable as $$
      select c.value ->> 'severity', (c.value ->> 'enabled')::boolean, v.id
      from (
        select 'qa/checks@' || (b.versions ->> 'qa/checks') as id
        from rule_activation a join rule_bundle b on b.id = a.bundle_id
        where a.active_from <= moment order by a.id desc limit 1) pinned
      join rule_version v on v.id = pinned.id
      cross join lateral jsonb_array_elements(v.document::jsonb -> 'checks') c
      where c.value ->> 'qaCheckId' = wanted
    $$;
  `);
}
