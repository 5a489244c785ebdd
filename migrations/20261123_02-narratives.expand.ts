// Narratives of profiles, version by version: texts are immutable, no author reviews an own text, and each profile,
// audience and season has one in force.
import type { Knex } from 'knex';
import { platformRole } from '#core/platform/db.ts';
import {
  audiences,
  narratedProfiles,
  narrativeStates,
  narrativeWindows,
} from '#support/interventions/narratives/enums.ts';
import { audited } from './sql/audit.ts';
import { onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { backofficeTable, neverRemoved, platformTable } from './sql/tables.ts';

const decisionColumns = ['state', 'reviewer_user_id', 'decided_at', 'reject_reason_code'] as const;

export async function up(knex: Knex): Promise<void> {
  await narratives(knex);
  await guards(knex);
  await platformTable(knex, 'profile_narrative', ['select']);
  await backofficeTable(knex, 'profile_narrative', ['insert', 'update']);
  await onlyChanges(knex, 'profile_narrative', decisionColumns, [platformRole]);
  await neverRemoved(knex, 'profile_narrative');
  await audited(knex, 'profile_narrative', 'id', [
    ...['profile_code', 'audience', 'season', 'version', 'state', 'reject_reason_code'],
  ]);
}

/** A shipped text has neither author nor reviewer. An author may withdraw a text, which rejects it. */
async function narratives(knex: Knex): Promise<void> {
  await knex.raw(`
    create table profile_narrative (
      id text primary key,
      profile_code text not null check (${oneOf('profile_code', narratedProfiles)}),
      audience text not null check (${oneOf('audience', audiences)}),
      season text not null check (${oneOf('season', narrativeWindows)}),
      version integer not null check (version >= 1),
      title_ar text,
      body_ar text,
      suggestions jsonb,
      state text not null check (${oneOf('state', narrativeStates)}),
      author_user_id bigint,
      reviewer_user_id bigint,
      created_at timestamptz not null,
      decided_at timestamptz,
      reject_reason_code text,
      unique (profile_code, audience, season, version),
      constraint profile_narrative_content check ((audience = 'teacher') = (title_ar is not null)
        and (audience = 'teacher') = (body_ar is not null) and (audience = 'parent') = (suggestions is not null)),
      constraint profile_narrative_decided check ((state = 'pending_review') = (decided_at is null)
        and (state = 'rejected') = (reject_reason_code is not null)
        and (reviewer_user_id is null) = (state = 'pending_review' or author_user_id is null)),
      constraint profile_narrative_two_persons check (state = 'rejected' or reviewer_user_id <> author_user_id),
      constraint profile_narrative_first check (author_user_id is not null or state in ('approved', 'superseded'))
    );
    create unique index profile_narrative_in_force on profile_narrative (profile_code, audience, season)
      where state = 'approved';
    create index profile_narrative_pending on profile_narrative (created_at, id) where state = 'pending_review';
  `);
}

async function guards(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_new_narrative() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if new.state <> 'pending_review' then raise exception 'a narrative is proposed before it is approved'; end if;
        return new;
      end $$;
    create trigger profile_narrative_new before insert on profile_narrative
      for each row execute function guard_new_narrative();
    create trigger profile_narrative_own_name before insert on profile_narrative
      for each row execute function guard_own_name('author_user_id');

    create function guard_narrative() returns trigger language plpgsql as $$
      declare
        is_decision boolean := old.state = 'pending_review' and new.state in ('approved', 'rejected');
        changed text[] := case when is_decision then '{${decisionColumns.join(',')}}' else '{state}' end;
      begin
        if not is_decision and (old.state, new.state) <> ('approved', 'superseded') then
          raise exception 'a narrative that is % does not become %', old.state, new.state;
        end if;
        if to_jsonb(new) - changed is distinct from to_jsonb(old) - changed then
          raise exception 'what is said in a narrative, and what was decided, does not change';
        end if;
        if is_decision and new.reviewer_user_id is distinct from named_writer() and not acts_as_owner(tg_relid) then
          raise exception 'a decision is in the name of who takes it';
        end if;
        return new;
      end $$;
    create trigger profile_narrative_guard before update on profile_narrative
      for each row execute function guard_narrative();
  `);
}
