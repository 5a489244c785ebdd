// The workbench: drafts, their approvals, and what the database refuses even if the service would allow it: unapproved
// rules, and rows under another person's name. The owner of the tables, who installs a release, is exempt.
import type { Knex } from 'knex';
import { changeStates, declineReasons, scheduleOutcomes } from '#backoffice/workbench/enums.ts';
import { changeLevels } from '#rules/rulesets/enums.ts';
import { audited } from './sql/audit.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { appendOnly, platformTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await drafts(knex);
  await states(knex);
  await editors(knex);
  await approvals(knex);
  await versions(knex);
  await schedules(knex);
}

/** The etag is computed here only, so that no writer can forget or forge it. */
async function drafts(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_draft (
      id text primary key,
      family text not null,
      key text not null,
      base_version integer not null check (base_version >= 0),
      state text not null check (${oneOf('state', changeStates)}),
      document text not null,
      sha256 text not null,
      cases text not null,
      level text check (${oneOf('level', changeLevels)}),
      findings jsonb,
      mutation_score numeric,
      quorum integer check (quorum >= 1),
      decline_reason text check (${oneOf('decline_reason', declineReasons)}),
      author_user_id bigint not null,
      editor_user_ids bigint[] not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      etag text not null default '',
      submission integer not null default 0 check (submission >= 0),
      constraint rule_draft_hash check (sha256 = encode(sha256(convert_to(document, 'UTF8')), 'hex')),
      constraint rule_draft_etag
        check (etag = encode(sha256(convert_to(document || e'\\n' || cases, 'UTF8')), 'hex')),
      check (state not in ('in_review', 'suspended', 'published', 'rejected') or quorum is not null),
      check ((state = 'rejected') = (decline_reason is not null))
    );
    create index rule_draft_newest on rule_draft (created_at desc, id desc);
    create index rule_draft_of_set on rule_draft (family, key, state);
    create function stamp_rule_draft() returns trigger language plpgsql as $$
      begin
        new.etag := encode(sha256(convert_to(new.document || e'\\n' || new.cases, 'UTF8')), 'hex');
        return new;
      end $$;
    create trigger rule_draft_stamp before insert or update on rule_draft
      for each row execute function stamp_rule_draft();
  `);
  await platformTable(knex, 'rule_draft', ['select', 'insert', 'update', 'delete']);
  await neverChanges(knex, 'rule_draft', ['id', 'family', 'key', 'author_user_id', 'created_at', 'etag']);
  await audited(knex, 'rule_draft', 'id', [
    'family',
    'key',
    'base_version',
    'state',
    'sha256',
    'level',
    'quorum',
    'decline_reason',
  ]);
}

async function states(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_rule_draft() returns trigger language plpgsql as $$
      begin
        if old.state in ('published', 'rejected', 'withdrawn') then
          raise exception 'a draft that is % does not change', old.state;
        end if;
        if tg_op = 'DELETE' then
          if old.state not in ('draft', 'validated') then raise exception 'a draft that was submitted stays'; end if;
          return old;
        end if;
        if old.state = 'in_review' and (new.document, new.cases) is distinct from (old.document, old.cases) then
          raise exception 'a draft in review does not change';
        end if;
        if (new.document, new.cases) is distinct from (old.document, old.cases) and new.state <> 'draft' then
          raise exception 'an edited draft is a draft';
        end if;
        return new;
      end $$;
    create trigger rule_draft_guard before update or delete on rule_draft
      for each row execute function guard_rule_draft();
    create function guard_rule_request() returns trigger language plpgsql as $$
      begin
        if new.quorum is distinct from old.quorum and (old.state <> 'validated' or new.state <> 'in_review') then
          raise exception 'a quorum is fixed when approval is asked for';
        end if;
        if new.quorum < old.quorum or (old.quorum is not null and new.quorum is null) then
          raise exception 'a quorum does not fall';
        end if;
        if (new.submission <> old.submission) <> (new.state = 'in_review' and old.state <> 'in_review')
          or new.submission not in (old.submission, old.submission + 1) then
          raise exception 'each request is counted once';
        end if;
        return new;
      end $$;
    create trigger rule_draft_request before update on rule_draft
      for each row execute function guard_rule_request();
  `);
}

/** A person who changes a text or its cases is its author or becomes one of its editors. */
async function editors(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_rule_editors() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if not new.editor_user_ids @> old.editor_user_ids then raise exception 'who edited a text stays its editor'; end if;
        if (new.document, new.cases) is distinct from (old.document, old.cases)
            and (named_writer() = any (new.editor_user_ids || new.author_user_id)) is not true then
          raise exception 'who changes a text is named as its editor';
        end if;
        return new;
      end $$;
    create trigger rule_draft_editors before update on rule_draft
      for each row execute function guard_rule_editors();
    create trigger rule_draft_own_name before insert on rule_draft
      for each row execute function guard_own_name('author_user_id');
  `);
}

/** An approval covers a text, its cases and a quorum as they were when approval was requested. */
async function approvals(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_approval (
      draft_id text not null references rule_draft,
      user_id bigint not null,
      sha256 text not null,
      report_hash text,
      at timestamptz not null,
      etag text not null,
      quorum integer not null,
      submission integer not null,
      ledger_no bigint generated always as identity unique,
      primary key (draft_id, user_id, submission)
    );
    create function guard_rule_approval() returns trigger language plpgsql as $$
      declare reviewed rule_draft;
      begin
        select * into reviewed from rule_draft d where d.id = new.draft_id for update;
        if reviewed.state <> 'in_review' or (reviewed.sha256, reviewed.etag, reviewed.quorum, reviewed.submission)
            is distinct from (new.sha256, new.etag, new.quorum, new.submission) then
          raise exception 'an approval is of the draft that is in review';
        end if;
        if new.user_id = any (reviewed.editor_user_ids || reviewed.author_user_id) then
          raise exception 'nobody approves an own text';
        end if;
        return new;
      end $$;
    create trigger rule_approval_guard before insert on rule_approval
      for each row execute function guard_rule_approval();
    create trigger rule_approval_own_name before insert on rule_approval
      for each row execute function guard_own_name('user_id');
  `);
  await platformTable(knex, 'rule_approval', ['select', 'insert']);
  await appendOnly(knex, 'rule_approval');
  await audited(knex, 'rule_approval', 'draft_id', ['user_id', 'sha256', 'report_hash']);
}

/** A version is the text of a draft in review, by its author, with the approvals of its quorum. */
async function versions(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_rule_version() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if new.author_user_id is null then raise exception 'a version without an author comes with a release'; end if;
        if new.family in ('language', 'qa', 'benchmark') and new.author_user_id = named_writer() then return new; end if;
        if exists (select from rule_draft d cross join lateral (
              select array(select a.user_id from rule_approval a where a.draft_id = d.id
                and (a.etag, a.quorum, a.submission) = (d.etag, d.quorum, d.submission)) as givers) given
            where (d.family, d.key, d.base_version + 1, d.document, d.state, d.author_user_id, d.editor_user_ids)
                = (new.family, new.key, new.version, new.document, 'in_review', new.author_user_id, new.editor_user_ids)
              and cardinality(given.givers) >= d.quorum
              and new.approved_by @> given.givers and new.approved_by <@ given.givers) then
          return new;
        end if;
        raise exception 'a version is a draft in review that was approved';
      end $$;
    create trigger rule_version_guard before insert on rule_version
      for each row execute function guard_rule_version();
  `);
}

/** The request and its outcome are immutable, so that the timeline cannot be rewritten. */
async function schedules(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_schedule (
      id bigint generated always as identity primary key,
      versions jsonb not null check (jsonb_typeof(versions) = 'object'),
      replaces jsonb not null check (jsonb_typeof(replaces) = 'object'),
      active_from timestamptz not null,
      reason text not null,
      requested_by bigint not null,
      approved_by bigint[] not null default '{}',
      created_at timestamptz not null
    );
    create trigger rule_schedule_own_name before insert on rule_schedule
      for each row execute function guard_own_name('requested_by');

    create table rule_schedule_end (
      schedule_id bigint primary key references rule_schedule,
      outcome text not null check (${oneOf('outcome', scheduleOutcomes)}),
      activation_id bigint references rule_activation,
      issue text,
      at timestamptz not null,
      ledger_no bigint generated always as identity unique,
      check ((outcome = 'activated') = (activation_id is not null)),
      check ((outcome = 'refused') = (issue is not null))
    );
  `);
  for (const table of ['rule_schedule', 'rule_schedule_end']) {
    await platformTable(knex, table, ['select', 'insert']);
    await appendOnly(knex, table);
  }
  await audited(knex, 'rule_schedule', 'id', ['versions', 'active_from', 'reason']);
  await audited(knex, 'rule_schedule_end', 'schedule_id', ['outcome', 'activation_id', 'issue']);
}
