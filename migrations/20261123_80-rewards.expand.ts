// Reward ledgers: growth of students, the resulting points and badges, rescinded badges, celebrations, and facts that
// are still to be evaluated.
import type { Knex } from 'knex';
import { celebrationKinds, masterySourceKinds, xpKinds } from '#outcomes/rewards/engine/enums.ts';
import { masterySourceTypes } from '#outcomes/rewards/enums.ts';
import { onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { neverRemoved, tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await events(knex);
  await badges(knex);
  await rescinds(knex);
  await points(knex);
  await celebrations(knex);
  await candidates(knex);
}

/**
 * The school year is that of the event's source, so that a natural key is in one year only. `reached` is the state,
 * status, verdict or tier that was reached, or null.
 */
async function events(knex: Knex): Promise<void> {
  await knex.raw(`
    create table mastery_event (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      source_kind text not null check (${oneOf('source_kind', masterySourceKinds)}),
      natural_key text not null,
      source_type text not null check (${oneOf('source_type', masterySourceTypes)}),
      source_id text not null,
      sub_skill_code text,
      domain_code text,
      reached text,
      session_key text not null,
      occurred_at timestamptz not null,
      local_date date not null,
      missed_school_days integer not null check (missed_school_days >= 0),
      recorded_at timestamptz not null,
      rule_version text not null,
      primary key (organization_id, id, school_year),
      constraint mastery_event_once unique (organization_id, student_id, source_kind, natural_key, school_year),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index mastery_event_by_student on mastery_event (organization_id, student_id, id);
    create index mastery_event_by_date on mastery_event (organization_id, local_date, student_id);
  `);
  await yearlyLedger(knex, 'mastery_event');
}

/** A code is awarded at most once, in any school year, even after it was rescinded. */
async function badges(knex: Knex): Promise<void> {
  await knex.raw(`
    create table student_badge (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      code text not null,
      triggering_mastery_event_id bigint not null,
      awarded_at timestamptz not null,
      rule_version text not null,
      primary key (organization_id, id, school_year),
      unique (organization_id, student_id, code, school_year),
      unique (organization_id, triggering_mastery_event_id, school_year),
      foreign key (organization_id, triggering_mastery_event_id, school_year)
        references mastery_event (organization_id, id, school_year),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index student_badge_by_student on student_badge (organization_id, student_id, id);

    create function guard_student_badge() returns trigger language plpgsql as $$
    begin
      if exists (select from student_badge b where b.organization_id = new.organization_id
          and b.student_id = new.student_id and b.code = new.code) then
        raise exception 'a badge is awarded once' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger student_badge_once before insert on student_badge
      for each row execute function guard_student_badge();
  `);
  await yearlyLedger(knex, 'student_badge');
}

/** In the school year of the badge. */
async function rescinds(knex: Knex): Promise<void> {
  await knex.raw(`
    create table student_badge_rescind (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      student_badge_id bigint not null,
      override_code text not null,
      rescinded_by bigint not null,
      recorded_at timestamptz not null,
      primary key (organization_id, id, school_year),
      constraint student_badge_rescind_once unique (organization_id, student_badge_id, school_year),
      foreign key (organization_id, student_badge_id, school_year)
        references student_badge (organization_id, id, school_year),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index student_badge_rescind_by_student on student_badge_rescind (organization_id, student_id, id);
  `);
  await yearlyLedger(knex, 'student_badge_rescind');
}

/** Every row belongs to a mastery event and is in its school year. A rescind is in that of its badge. */
async function points(knex: Knex): Promise<void> {
  await knex.raw(`
    create table xp_transaction (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      mastery_event_id bigint not null,
      kind text not null check (${oneOf('kind', xpKinds)}),
      amount integer not null check (case when kind = 'rescind' then amount < 0 else amount > 0 end),
      capped_from integer check (capped_from > amount),
      session_key text,
      student_badge_id bigint,
      recorded_at timestamptz not null,
      rule_version text not null,
      primary key (organization_id, id, school_year),
      constraint xp_transaction_once unique (organization_id, mastery_event_id, kind, school_year),
      check ((session_key is not null) = (kind = 'credit')),
      check ((student_badge_id is null) = (kind = 'credit')),
      check (capped_from is null or kind = 'credit'),
      foreign key (organization_id, mastery_event_id, school_year)
        references mastery_event (organization_id, id, school_year),
      foreign key (organization_id, student_badge_id, school_year)
        references student_badge (organization_id, id, school_year)
    ) partition by list (school_year);
    create index xp_transaction_by_student on xp_transaction (organization_id, student_id, id);
  `);
  await yearlyLedger(knex, 'xp_transaction');
}

/** A tier of the avatar is passed once. A milestone may be reached in every run of days. */
async function celebrations(knex: Knex): Promise<void> {
  await knex.raw(`
    create table reward_celebration (
      id text,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      kind text not null check (${oneOf('kind', celebrationKinds)}),
      value integer not null check (value >= 1),
      mastery_event_id bigint not null,
      created_at timestamptz not null,
      seen_at timestamptz check (seen_at >= created_at),
      primary key (organization_id, id),
      unique (organization_id, mastery_event_id, kind, value),
      foreign key (organization_id, mastery_event_id, school_year)
        references mastery_event (organization_id, id, school_year),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create unique index reward_celebration_one_tier on reward_celebration (organization_id, student_id, value)
      where kind = 'avatar_tier';
    create index reward_celebration_by_student on reward_celebration (organization_id, student_id, created_at desc, id desc);
  `);
  await tenantTable(knex, 'reward_celebration', ['select', 'insert', 'update']);
  await onlyChanges(knex, 'reward_celebration', ['seen_at']);
  await neverRemoved(knex, 'reward_celebration');
}

/**
 * Facts that may mean growth, one row for each event, until they are evaluated and deleted, whatever the outcome.
 * `happened_at` is when the event was written with its fact.
 */
async function candidates(knex: Knex): Promise<void> {
  await knex.raw(`
    create table mastery_candidate (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      topic text not null,
      event_id bigint not null,
      payload jsonb not null,
      happened_at timestamptz not null,
      attempts integer not null default 0 check (attempts >= 0),
      last_error text,
      next_try_at timestamptz,
      parked_at timestamptz,
      primary key (organization_id, id),
      unique (organization_id, event_id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index mastery_candidate_by_student on mastery_candidate (organization_id, student_id, id);
    create index mastery_candidate_oldest on mastery_candidate (happened_at) where parked_at is null;
  `);
  await tenantTable(knex, 'mastery_candidate');
  await onlyChanges(knex, 'mastery_candidate', ['attempts', 'last_error', 'next_try_at', 'parked_at']);
}
