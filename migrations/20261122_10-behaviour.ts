// Response behaviour: the log of each session, and error patterns in training as counts that only rise, with a ledger
// of their sources.
import type { Knex } from 'knex';
import { subFlagEventKinds } from '#assessment/error-patterns/enums.ts';
import { behaviourSources } from '#assessment/measurement/enums.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await logs(knex);
  await subFlags(knex);
}

async function logs(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rbm_log (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      source text not null check (${oneOf('source', behaviourSources)}),
      session_id text not null,
      at timestamptz not null,
      flags text[] not null,
      facts jsonb not null,
      marked_seqs integer[] not null,
      rule_version text not null,
      primary key (organization_id, id, school_year),
      unique (organization_id, source, session_id, school_year),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index rbm_log_by_student on rbm_log (organization_id, student_id, at desc, id desc);
  `);
  await yearlyLedger(knex, 'rbm_log');
}

async function subFlags(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sub_flag_indicator (
      organization_id text not null,
      student_id bigint not null,
      school_year text not null,
      pattern_key text not null,
      code text not null,
      level integer not null check (level between 1 and 3),
      state text not null,
      valid_occurrences integer not null check (valid_occurrences >= 1),
      session_count integer not null check (session_count >= 1),
      linked_occurrences integer not null check (linked_occurrences >= 0),
      occurrences_after_support integer not null check (occurrences_after_support >= 0),
      support_delivered_at timestamptz,
      updated_at timestamptz not null,
      rule_version text not null,
      primary key (organization_id, student_id, school_year, pattern_key),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create function refuse_falling_counts() returns trigger language plpgsql as $$
      begin
        if new.level < old.level or new.valid_occurrences < old.valid_occurrences
          or new.session_count < old.session_count or new.linked_occurrences < old.linked_occurrences
          or new.occurrences_after_support < old.occurrences_after_support then
          raise exception 'the counts of a sub-flag only rise';
        end if;
        return new;
      end $$;
    create trigger sub_flag_indicator_rises before update on sub_flag_indicator
      for each row execute function refuse_falling_counts();

    create table sub_flag_event (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      school_year text not null,
      pattern_key text not null,
      kind text not null check (${oneOf('kind', subFlagEventKinds)}),
      session_id text,
      item_id text,
      level integer check (level between 1 and 3),
      facts jsonb not null,
      at timestamptz not null,
      rule_version text not null,
      primary key (organization_id, id, school_year),
      check ((kind = 'occurrence') = (session_id is not null and item_id is not null)),
      check ((kind = 'level_reached') = (level is not null)),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create unique index sub_flag_event_occurrence on sub_flag_event
      (organization_id, student_id, school_year, session_id, item_id) where kind = 'occurrence';
    create unique index sub_flag_event_level on sub_flag_event
      (organization_id, student_id, school_year, pattern_key, level) where kind = 'level_reached';
  `);
  await tenantTable(knex, 'sub_flag_indicator', ['select', 'insert', 'update']);
  await neverChanges(knex, 'sub_flag_indicator', ['id', 'organization_id', 'student_id', 'created_at']);
  await yearlyLedger(knex, 'sub_flag_event');
}
