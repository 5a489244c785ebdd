// Rule changes in the place of drafts: one change holds the texts of any number of documents, and is written, reviewed, published
// and put in force as one. What holds whatever the code says is in the guards: states, approvals, authors, all or nothing.
import type { Knex } from 'knex';
import { changeStates, closedChangeStates, declineReasons, editableStates } from '#backoffice/workbench/enums.ts';
import { changeLevels } from '#rules/rulesets/enums.ts';
import { neverChanges } from './sql/changeable.ts';
import { copyDrafts, removeDraftReports } from './sql/drafts-as-changes.ts';
import { oneOf } from './sql/enums.ts';
import { appendOnly, platformTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await changes(knex);
  await documents(knex);
  await approvals(knex);
  await comments(knex);
  await copyDrafts(knex);
  await removeDraftReports(knex);
  await changeGuards(knex);
  await documentGuards(knex);
  await approvalGuards(knex);
  await versions(knex);
  await activations(knex);
}

async function changes(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_change (
      id text primary key,
      title text not null,
      why text not null default '',
      state text not null check (${oneOf('state', changeStates)}),
      sha256 text not null default '',
      quorum integer check (quorum >= 1),
      submission integer not null default 0 check (submission >= 0),
      requested_reviewers bigint[] not null default '{}',
      decline_reason text check (${oneOf('decline_reason', declineReasons)}),
      findings jsonb,
      level text check (${oneOf('level', changeLevels)}),
      author_user_id bigint not null,
      editor_user_ids bigint[] not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      check (state not in ('in_review', 'suspended', 'published', 'rejected') or quorum is not null),
      check ((state = 'rejected') = (decline_reason is not null))
    );
    create index rule_change_newest on rule_change (created_at desc, id desc);
    create index rule_change_of_state on rule_change (state, created_at desc);
  `);
  await platformTable(knex, 'rule_change', ['select', 'insert', 'update', 'delete']);
  await neverChanges(knex, 'rule_change', ['id', 'author_user_id', 'created_at', 'sha256']);
}

/** `version`: the number that the text gets when it is published. */
async function documents(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_change_document (
      change_id text not null references rule_change,
      family text not null,
      key text not null,
      base_version integer not null check (base_version >= 0),
      version integer not null,
      document text not null,
      sha256 text not null,
      cases text,
      cases_sha256 text,
      constants jsonb not null default '[]',
      origin jsonb check (jsonb_typeof(origin) = 'object'),
      level text check (${oneOf('level', changeLevels)}),
      mutation_score numeric,
      primary key (change_id, family, key),
      check (version > base_version),
      constraint rule_change_document_hash check (sha256 = encode(sha256(convert_to(document, 'UTF8')), 'hex')),
      constraint rule_change_document_cases
        check (cases_sha256 is not distinct from encode(sha256(convert_to(cases, 'UTF8')), 'hex'))
    );
    create index rule_change_document_of_version on rule_change_document (family, key, version);
    create function rule_change_hash(change text, title text, why text) returns text language sql stable as $$
      select encode(sha256(convert_to('{"documents":{' || coalesce(string_agg(
          to_json(d.family || '/' || d.key)::text || ':{"baseVersion":' || d.base_version
            || ',"casesSha256":' || coalesce('"' || d.cases_sha256 || '"', 'null') || ',"sha256":"' || d.sha256 || '"}',
          ',' order by (d.family || '/' || d.key) collate "C"), '')
        || '},"title":' || to_json(title)::text || ',"why":' || to_json(why)::text || '}', 'UTF8')), 'hex')
      from rule_change_document d where d.change_id = change
    $$;
  `);
  await platformTable(knex, 'rule_change_document', ['select', 'insert', 'update', 'delete']);
  await neverChanges(knex, 'rule_change_document', ['change_id', 'family', 'key']);
}

async function approvals(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_change_approval (
      change_id text not null references rule_change,
      user_id bigint not null,
      sha256 text not null,
      report_hash text,
      at timestamptz not null,
      quorum integer not null,
      submission integer not null,
      ledger_no bigint generated always as identity unique,
      primary key (change_id, user_id, submission)
    )`);
  await platformTable(knex, 'rule_change_approval', ['select', 'insert']);
}

async function comments(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_comment (
      id bigint generated always as identity primary key,
      change_id text not null references rule_change deferrable initially deferred,
      user_id bigint not null,
      submission integer not null,
      text text not null,
      on_family text,
      on_key text,
      on_rule_id text,
      on_constant_id text,
      at timestamptz not null,
      check ((on_family is null) = (on_key is null)),
      check (on_family is not null or (on_rule_id is null and on_constant_id is null)),
      check (on_rule_id is null or on_constant_id is null)
    );
    create index rule_comment_of_change on rule_comment (change_id, id);
    create function guard_rule_comment() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and not exists (select from rule_change c where c.id = old.change_id) then return old; end if;
        raise exception 'a comment stays as it was written';
      end $$;
    create trigger rule_comment_guard before update or delete on rule_comment
      for each row execute function guard_rule_comment();
    create trigger rule_comment_own_name before insert on rule_comment
      for each row execute function guard_own_name('user_id');
  `);
  await platformTable(knex, 'rule_comment', ['select', 'insert', 'delete']);
}

/** The hash is computed here only, so that no writer can forget or forge it. */
async function changeGuards(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_rule_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          new.sha256 := rule_change_hash(new.id, new.title, new.why);
          if not acts_as_owner(tg_relid) and (new.state <> 'draft' or new.submission <> 0 or new.quorum is not null) then
            raise exception 'a change begins as a draft';
          end if;
          return new;
        end if;
        if ${oneOf('old.state', closedChangeStates)} then
          raise exception 'a change that is % does not change', old.state;
        end if;
        if tg_op = 'DELETE' then
          if old.submission > 0 or old.state = 'in_review' then raise exception 'a change that was submitted stays'; end if;
          return old;
        end if;
        if new.state <> old.state and not (case old.state
            when 'draft' then new.state in ('validated', 'withdrawn')
            when 'validated' then new.state in ('draft', 'in_review', 'withdrawn')
            when 'suspended' then new.state in ('draft', 'validated', 'withdrawn')
            else new.state in ('published', 'suspended', 'draft', 'rejected', 'withdrawn') end) then
          raise exception 'a change that is % does not become %', old.state, new.state;
        end if;
        new.sha256 := rule_change_hash(new.id, new.title, new.why);
        if old.state = 'in_review' and new.sha256 <> old.sha256 then
          raise exception 'a change in review does not change';
        end if;
        return new;
      end $$;
    create trigger rule_change_guard before insert or update or delete on rule_change
      for each row execute function guard_rule_change();
    create function guard_rule_change_request() returns trigger language plpgsql as $$
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
    create trigger rule_change_request before update on rule_change
      for each row execute function guard_rule_change_request();
    create function guard_rule_change_editors() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if not new.editor_user_ids @> old.editor_user_ids then raise exception 'who edited a change stays its editor'; end if;
        if (new.title, new.why) is distinct from (old.title, old.why)
            and (named_writer() = any (new.editor_user_ids || new.author_user_id)) is not true then
          raise exception 'who changes a change is named as its editor';
        end if;
        return new;
      end $$;
    create trigger rule_change_editors before update on rule_change
      for each row execute function guard_rule_change_editors();
    create trigger rule_change_own_name before insert on rule_change
      for each row execute function guard_own_name('author_user_id');
    create function guard_publication() returns trigger language plpgsql as $$
      begin
        if new.state = 'published' and exists (select from rule_change_document d where d.change_id = new.id
            and not exists (select from rule_version v where v.family = d.family and v.key = d.key
              and v.version = d.version and v.sha256 = d.sha256)) then
          raise exception 'a change is published with all of its documents';
        end if;
        return null;
      end $$;
    create constraint trigger rule_change_publication after update on rule_change deferrable initially deferred
      for each row execute function guard_publication();
  `);
}

/** Texts are written while the change is a draft, by its author or an editor; what a check found, until it is submitted. */
async function documentGuards(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_rule_change_document() returns trigger language plpgsql as $$
      declare
        own rule_change;
        is_text boolean := true;
      begin
        select * into own from rule_change c where c.id = case tg_op when 'DELETE' then old.change_id else new.change_id end;
        if tg_op = 'DELETE' and own.id is null then return old; end if;
        if tg_op = 'UPDATE' then
          is_text := (new.document, new.cases, new.base_version, new.version, new.origin, new.constants)
            is distinct from (old.document, old.cases, old.base_version, old.version, old.origin, old.constants);
        end if;
        if is_text and own.state <> 'draft' and not (tg_op = 'INSERT' and acts_as_owner(tg_relid)) then
          raise exception 'documents are written while the change is a draft';
        end if;
        if not is_text and not (${oneOf('own.state', editableStates)}) then
          raise exception 'a change that is % is not checked', own.state;
        end if;
        if is_text and not acts_as_owner(tg_relid)
            and (named_writer() = any (own.editor_user_ids || own.author_user_id)) is not true then
          raise exception 'who changes a text is named as its editor';
        end if;
        return case tg_op when 'DELETE' then old else new end;
      end $$;
    create trigger rule_change_document_guard before insert or update or delete on rule_change_document
      for each row execute function guard_rule_change_document();
  `);
}

/** An approval is of the change in review, as it stands, and never by somebody who wrote it. */
async function approvalGuards(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_rule_change_approval() returns trigger language plpgsql as $$
      declare reviewed rule_change;
      begin
        select * into reviewed from rule_change c where c.id = new.change_id for update;
        if reviewed.state <> 'in_review' or (reviewed.sha256, reviewed.quorum, reviewed.submission)
            is distinct from (new.sha256, new.quorum, new.submission) then
          raise exception 'an approval is of the change that is in review';
        end if;
        if new.user_id = any (reviewed.editor_user_ids || reviewed.author_user_id) then
          raise exception 'nobody approves an own change';
        end if;
        return new;
      end $$;
    create trigger rule_change_approval_guard before insert on rule_change_approval
      for each row execute function guard_rule_change_approval();
    create trigger rule_change_approval_own_name before insert on rule_change_approval
      for each row execute function guard_own_name('user_id');
  `);
  await appendOnly(knex, 'rule_change_approval');
}

/**
 * A version is a text of a change in review, by its author and editors, with the approvals of its quorum, and is published with
 * the others of the change. Until the next phase processes of the previous release publish drafts.
 */
async function versions(knex: Knex): Promise<void> {
  await knex.raw(`
    create function is_approved_change(made rule_version) returns boolean language sql stable as $$
      select exists (select from rule_change_document d join rule_change c on c.id = d.change_id
          cross join lateral (
            select array(select a.user_id from rule_change_approval a where a.change_id = c.id
              and (a.sha256, a.quorum, a.submission) = (c.sha256, c.quorum, c.submission)) as givers) given
        where (d.family, d.key, d.version, d.document, c.state, c.author_user_id, c.editor_user_ids)
            = (made.family, made.key, made.version, made.document, 'in_review', made.author_user_id, made.editor_user_ids)
          and d.origin is not distinct from made.origin
          and (select count(distinct u) from unnest(made.approved_by) u) >= c.quorum
          and made.approved_by <@ given.givers)
    $$;
    create function guard_change_version() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) or cardinality(new.approved_by) = 0
            or not exists (select from rule_change_document d where (d.family, d.key, d.version, d.sha256)
              = (new.family, new.key, new.version, new.sha256))
            or exists (select from rule_change_document d join rule_change c on c.id = d.change_id
              where (d.family, d.key, d.version, d.sha256) = (new.family, new.key, new.version, new.sha256)
                and c.state = 'published') then
          return null;
        end if;
        raise exception 'a version is published with its change';
      end $$;
    create constraint trigger rule_version_change after insert on rule_version deferrable initially deferred
      for each row execute function guard_change_version();
    create or replace function guard_rule_version() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if new.author_user_id is null then raise exception 'a version without an author comes with a release'; end if;
        if new.family in ('language', 'qa', 'benchmark') and new.author_user_id = named_writer() then return new; end if;
        if is_approved_change(new) or exists (select from rule_draft d cross join lateral (
              select array(select a.user_id from rule_approval a where a.draft_id = d.id
                and (a.etag, a.quorum, a.submission) = (d.etag, d.quorum, d.submission)) as givers) given
            where (d.family, d.key, d.base_version + 1, d.document, d.state, d.author_user_id, d.editor_user_ids)
                = (new.family, new.key, new.version, new.document, 'in_review', new.author_user_id, new.editor_user_ids)
              and d.origin is not distinct from new.origin
              and (select count(distinct u) from unnest(new.approved_by) u) >= d.quorum
              and new.approved_by <@ given.givers) then
          return new;
        end if;
        raise exception 'a version is a text in review that was approved';
      end $$;
  `);
}

/** Null for activations of single versions and of bundles. */
async function activations(knex: Knex): Promise<void> {
  for (const table of ['rule_activation', 'rule_schedule']) {
    await knex.raw(`
      alter table ${table} add column change_id text;
      alter table ${table} add column report_hash text;
    `);
  }
}
