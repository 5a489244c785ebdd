// Creates the run-time roles and the functions that triggers of several tables share.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await roles(knex);
  await triggers(knex);
  await wording(knex);
  await automatic(knex);
  await ledgerParts(knex);
}

/**
 * Roles belong to the whole cluster, so another database or an older version may have created them. Neither role can
 * become the other one. The platform's login is a member of both.
 */
async function roles(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$ declare made text; begin
      foreach made in array array['${runtimeRole}', '${platformRole}'] loop
        begin
          execute format('create role %I nologin noinherit nosuperuser nobypassrls nocreatedb nocreaterole', made);
        exception when duplicate_object or unique_violation then null;
        end;
        if not pg_has_role(current_user, made, 'usage') then
          execute format('grant %I to %I', made, current_user);
        end if;
        execute format('grant usage on schema public to %I', made);
      end loop;
      if (select rolinherit from pg_roles where rolname = '${runtimeRole}') then
        alter role ${runtimeRole} noinherit;
      end if;
      if pg_has_role('${runtimeRole}', '${platformRole}', 'usage') then
        raise exception '${runtimeRole} must not inherit from ${platformRole}; revoke the grant, and migrate again';
      end if;
    end $$;
  `);
}

async function triggers(knex: Knex): Promise<void> {
  await knex.raw(`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    create function refuse_all_but_purge() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('app.purge', true) = tg_table_name then return old; end if;
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    create function acts_as_owner(relation oid) returns boolean language sql stable as $$
      select pg_has_role(current_user, c.relowner, 'member') from pg_class c where c.oid = relation
    $$;
    create function named_writer() returns bigint language sql stable as $$
      select (nullif(current_setting('app.writer', true), '')::jsonb ->> 'actor')::bigint
    $$;
  `);
}

/** The row must name the writer. The argument of the trigger is the column with the name. */
async function wording(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_own_name() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if (to_jsonb(new) ->> tg_argv[0])::bigint is distinct from named_writer() then
          raise exception '% of % is who writes it', tg_argv[0], tg_table_name;
        end if;
        return new;
      end $$;
  `);
}

/** Rows that the service determines itself have no author and are written while no user is signed in. */
async function automatic(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_service_only() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if named_writer() is not null then raise exception 'nobody writes % by hand', tg_table_name; end if;
        return new;
      end $$;
  `);
}

/**
 * The run-time roles own nothing and cannot create the partition of a new school year. This function can do that and
 * nothing else. Rows are accessible through the parent table only. Returns null when rows of the year are in the
 * default partition, where they stay.
 */
async function ledgerParts(knex: Knex): Promise<void> {
  await knex.raw(`
    create function secure_ledger_part(part text) returns void language plpgsql as $$
    begin
      execute format('alter table %I enable row level security', part);
      execute format('alter table %I force row level security', part);
      execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
        part || '_no_truncate', part);
    end $$;

    create function make_ledger_part(ledger text, year text) returns boolean language plpgsql security definer
      set search_path = public, pg_temp set lock_timeout = '2s' as $$
    declare part text := ledger || '_' || replace(year, '-', '_');
    begin
      if year !~ '^\\d{4}-\\d{4}$' or right(year, 4)::integer <> left(year, 4)::integer + 1 then
        raise exception 'a school year is written as 2026-2027';
      end if;
      if not exists (select from pg_class c where c.relname = ledger and c.relkind = 'p'
          and c.relnamespace = 'public'::regnamespace) then
        raise exception '% is not split by school year', ledger;
      end if;
      if exists (select from pg_class c where c.relname = part and c.relnamespace = 'public'::regnamespace) then
        return false;
      end if;
      execute format('create table %I partition of %I for values in (%L)', part, ledger, year);
      perform secure_ledger_part(part);
      return true;
    exception when check_violation then return null;
    end $$;
    revoke execute on function make_ledger_part(text, text), secure_ledger_part(text) from public;
    grant execute on function make_ledger_part(text, text) to ${platformRole};
  `);
}
