// What the service refuses, the database refuses as well: rules that nobody approved, and rows in another's name. The
// owner of the tables, who brings a release, is not bound by it.
import type { Knex } from 'knex';
import { neverChanges, onlyChanges } from './sql/changeable.ts';

export async function up(knex: Knex): Promise<void> {
  await names(knex);
  await versions(knex);
  await editors(knex);
  await activations(knex);
  await ownNames(knex);
  await nobodys(knex);
  await columns(knex);
}

async function names(knex: Knex): Promise<void> {
  await knex.raw(`
    create function acts_as_owner(relation oid) returns boolean language sql stable as $$
      select pg_has_role(current_user, c.relowner, 'member') from pg_class c where c.oid = relation
    $$;
    create function named_writer() returns bigint language sql stable as $$
      select (nullif(current_setting('app.writer', true), '')::jsonb ->> 'actor')::bigint
    $$;
  `);
}

/** A version is the text of a draft in review, by its author, with the approvals that its quorum asks for. */
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

/** Who changes a text or its cases is its author or one of its editors from then on. */
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
  `);
}

async function activations(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_rule_activation() returns trigger language plpgsql as $$
      declare pins integer; sound integer; givers bigint[];
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if new.kind = 'install' then raise exception 'only a release installs rules'; end if;
        if new.activated_by is distinct from named_writer() or new.activated_by is null then
          raise exception 'an activation is in the name of who asks for it';
        end if;
        select count(*), count(v.id) filter (where v.author_user_id is null or cardinality(v.approved_by) > 0
            or v.family in ('language', 'qa', 'benchmark'))
          into pins, sound
          from rule_bundle b cross join jsonb_each_text(b.versions) p
          left join rule_version v on v.id = p.key || '@' || p.value
          where b.id = new.bundle_id;
        select array_agg(u) into givers
          from rule_bundle b cross join jsonb_each_text(b.versions) p
          join rule_version v on v.id = p.key || '@' || p.value cross join unnest(v.approved_by) u
          where b.id = new.bundle_id;
        if sound < pins then raise exception 'only shipped and approved versions come into force'; end if;
        if not new.approved_by <@ coalesce(givers, '{}') then raise exception 'somebody is named who approved nothing'; end if;
        return new;
      end $$;
    create trigger rule_activation_guard before insert on rule_activation
      for each row execute function guard_rule_activation();
  `);
}

/** The name in the row is that of the writer; the argument says in which column it stands. */
async function ownNames(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_own_name() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if (to_jsonb(new) ->> tg_argv[0])::bigint is distinct from named_writer() then
          raise exception '% of % is who writes it', tg_argv[0], tg_table_name;
        end if;
        return new;
      end $$;
    create trigger rule_approval_own_name before insert on rule_approval
      for each row execute function guard_own_name('user_id');
    create trigger rule_draft_own_name before insert on rule_draft
      for each row execute function guard_own_name('author_user_id');
    create trigger rule_schedule_own_name before insert on rule_schedule
      for each row execute function guard_own_name('requested_by');
    create trigger audit_entry_own_name before insert on audit_entry
      for each row execute function guard_own_name('actor_user_id');
  `);
}

/** What the service finds out by itself is no person's word: it is written where nobody is signed in, about what is there. */
async function nobodys(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_nobodys_word() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if named_writer() is not null then raise exception 'nobody writes % by hand', tg_table_name; end if;
        return new;
      end $$;
    create trigger rule_attestation_by_nobody before insert on rule_attestation
      for each row execute function guard_nobodys_word();
    create trigger rule_oracle_pin_by_nobody before insert on rule_oracle_pin
      for each row execute function guard_nobodys_word();
    create function guard_oracle_pin() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) or exists (select from rule_version v where v.id = new.document_id) then return new; end if;
        raise exception 'a pin is of a published version';
      end $$;
    create trigger rule_oracle_pin_guard before insert on rule_oracle_pin
      for each row execute function guard_oracle_pin();
    create function guard_attested_job() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) or exists (select from rule_job j
          where j.id = new.payload::jsonb ->> 'jobId' and j.kind = 'replay' and j.requested_by is null) then return new; end if;
        raise exception 'an attestation is of a nightly replay';
      end $$;
    create trigger rule_attestation_guard before insert on rule_attestation
      for each row execute function guard_attested_job();
  `);
}

/** Whose a row is, when it was made and what it pinned stay as they are. */
async function columns(knex: Knex): Promise<void> {
  const owner = ['id', 'organization_id', 'student_id', 'created_at'];
  await onlyChanges(knex, 'refresh_token', ['used_at']);
  await onlyChanges(knex, 'auth_session', ['revoked_at', 'revoked_reason']);
  await neverChanges(knex, 'diagnostic_session', [...owner, 'pinned', 'started_at']);
  await neverChanges(knex, 'warmup_session', [...owner, 'pinned', 'started_at']);
  await neverChanges(knex, 'orf_assessment', owner);
  await neverChanges(knex, 'cbm_alert', owner);
  await neverChanges(knex, 'practice_queue', [...owner, 'pinned']);
  await neverChanges(knex, 'sub_flag_indicator', owner);
  await neverChanges(knex, 'teaser_session', ['id', 'created_at']);
  await neverChanges(knex, 'rule_draft', ['id', 'family', 'key', 'author_user_id', 'created_at', 'etag']);
}
