// Drafts are changes of one document: their tables go, once those that the previous release still wrote are changes too.
import type { Knex } from 'knex';
import { copyDrafts, removeDraftReports } from './sql/drafts-as-changes.ts';

export async function up(knex: Knex): Promise<void> {
  await copyDrafts(knex);
  await removeDraftReports(knex);
  await knex.raw(`
    create or replace function guard_rule_version() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if new.author_user_id is null then raise exception 'a version without an author comes with a release'; end if;
        if new.family in ('language', 'qa', 'benchmark') and new.author_user_id = named_writer() then return new; end if;
        if is_approved_change(new) then return new; end if;
        raise exception 'a version is a text in review that was approved';
      end $$;
    drop table rule_approval;
    drop table rule_draft;
    drop function guard_rule_approval();
    drop function stamp_rule_draft();
    drop function guard_rule_draft();
    drop function guard_rule_request();
    drop function guard_rule_editors();
    update schema_version set min_app = '0.2.0';
  `);
}
