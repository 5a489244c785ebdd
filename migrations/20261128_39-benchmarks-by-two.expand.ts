// A benchmark is activated by another person than its authors, all of whom the draft and the version name. An
// activation by one of them is refused, except back to the previous version in force.
import type { Knex } from 'knex';
import { platformRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await editors(knex);
  await activations(knex);
}

async function editors(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table benchmark_profile add column editor_user_ids bigint[] not null default '{}';
    grant update (editor_user_ids) on benchmark_profile to ${platformRole};
    create function guard_benchmark_editors() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if not new.editor_user_ids @> old.editor_user_ids then
          raise exception 'who edited a benchmark stays its editor' using errcode = 'restrict_violation';
        end if;
        if (new.cuts, new.source, new.title_ar) is distinct from (old.cuts, old.source, old.title_ar)
            and (named_writer() = any (new.editor_user_ids)) is not true then
          raise exception 'who changes a benchmark is named as its editor' using errcode = 'restrict_violation';
        end if;
        if new.version_id is not null and not exists (select from rule_version v where v.id = new.version_id
            and (v.editor_user_ids || v.author_user_id) @> (new.editor_user_ids || new.created_by)) then
          raise exception 'a published benchmark names all who wrote it' using errcode = 'restrict_violation';
        end if;
        return new;
      end $$;
    create trigger benchmark_profile_editors before update on benchmark_profile
      for each row execute function guard_benchmark_editors();
  `);
}

/** A version that others approved had its second person. */
async function activations(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_benchmark_activation() returns trigger language plpgsql as $$
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
            order by a.active_from desc, a.id desc limit 1;
          continue when present is not distinct from pin.value;
          select b.versions ->> pin.key into just_before from rule_activation a join rule_bundle b on b.id = a.bundle_id
            where b.versions ->> pin.key is distinct from present order by a.active_from desc, a.id desc limit 1;
          if present is null or just_before is distinct from pin.value then
            raise exception 'a benchmark comes into force by somebody who did not write it'
              using errcode = 'restrict_violation';
          end if;
        end loop;
        return new;
      end $$;
    create trigger rule_activation_benchmarks before insert on rule_activation
      for each row execute function guard_benchmark_activation();
  `);
}
