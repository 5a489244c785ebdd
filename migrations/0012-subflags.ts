// Sub-flags: what training shows about error patterns, as counts that only rise and a ledger of what they were counted
// from; and the platform alert log, to which a persisting pattern is written once.
import type { Knex } from 'knex';
import { appendOnly, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sub_flag_indicator (
      organization_id text not null,
      student_id bigint not null,
      school_year text not null,
      pattern_key text not null,
      code text not null,
      level integer not null check (level between 1 and 3),
      state text not null check (state in ('candidate', 'automatic_support_active', 'teacher_alert_active')),
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
      id bigint generated always as identity primary key,
      organization_id text not null,
      student_id bigint not null,
      school_year text not null,
      pattern_key text not null,
      kind text not null check (kind in ('occurrence', 'level_reached')),
      session_id text,
      item_id text,
      level integer check (level between 1 and 3),
      facts jsonb not null,
      at timestamptz not null,
      rule_version text not null,
      check ((kind = 'occurrence') = (session_id is not null and item_id is not null)),
      check ((kind = 'level_reached') = (level is not null)),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create unique index sub_flag_event_occurrence on sub_flag_event
      (organization_id, student_id, school_year, session_id, item_id) where kind = 'occurrence';
    create unique index sub_flag_event_level on sub_flag_event
      (organization_id, student_id, school_year, pattern_key, level) where kind = 'level_reached';

    create table platform_alert (
      id bigint generated always as identity primary key,
      organization_id text references organization,
      kind text not null check (kind in ('qa', 'sub_flag')),
      code text not null,
      severity text not null check (severity in ('critical', 'high', 'medium', 'low')),
      student_id bigint,
      dedupe_key text not null,
      details jsonb not null,
      at timestamptz not null,
      rule_version text,
      unique nulls not distinct (organization_id, dedupe_key),
      check (student_id is null or organization_id is not null),
      check (kind = 'qa' or student_id is not null),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index platform_alert_by_student on platform_alert (organization_id, student_id, at desc, id desc);
    create index platform_alert_newest on platform_alert (organization_id, at desc, id desc);
  `);
  await tenantTable(knex, 'sub_flag_indicator', ['select', 'insert', 'update']);
  for (const table of ['sub_flag_event', 'platform_alert']) {
    await tenantTable(knex, table, ['select', 'insert']);
    await appendOnly(knex, table);
  }
}
