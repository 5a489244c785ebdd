// An approval is of a text, its cases and a quorum, as they stood when approval was asked for: none outlives a change of
// one of them, and a request is never made easier to grant than it was.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await etags(knex);
  await bindings(knex);
}

/** Worked out here and nowhere else, so that no writer can forget or forge it. */
async function etags(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rule_draft
      add column etag text not null default '',
      add column submission integer not null default 0 check (submission >= 0);
    alter table rule_draft disable trigger user;
    update rule_draft set submission = 1 where quorum is not null;
    update rule_draft set etag = encode(sha256(convert_to(document || e'\\n' || cases, 'UTF8')), 'hex');
    alter table rule_draft enable trigger user;
    alter table rule_draft add constraint rule_draft_etag
      check (etag = encode(sha256(convert_to(document || e'\\n' || cases, 'UTF8')), 'hex'));
    create function stamp_rule_draft() returns trigger language plpgsql as $$
      begin
        new.etag := encode(sha256(convert_to(new.document || e'\\n' || new.cases, 'UTF8')), 'hex');
        return new;
      end $$;
    create trigger rule_draft_stamp before insert or update on rule_draft
      for each row execute function stamp_rule_draft();

    drop index rule_draft_newest;
    create index rule_draft_newest on rule_draft (created_at desc, id desc);

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

async function bindings(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rule_approval
      add column etag text,
      add column quorum integer,
      add column submission integer;
    alter table rule_approval disable trigger user;
    update rule_approval a set etag = d.etag, quorum = d.quorum, submission = d.submission
      from rule_draft d where d.id = a.draft_id;
    alter table rule_approval enable trigger user;
    alter table rule_approval
      alter column etag set not null,
      alter column quorum set not null,
      alter column submission set not null,
      drop constraint rule_approval_pkey,
      add primary key (draft_id, user_id, submission);
    create or replace function guard_rule_approval() returns trigger language plpgsql as $$
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
  `);
}
