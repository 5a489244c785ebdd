// A finished session stores its responses in the form that evidence reads, because a recompute spent most of its
// reading time on joining responses with served items. Null: not finished, or written by an earlier release. It is
// immutable, as the responses are.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table diagnostic_session add column answers json;
    grant update (answers) on diagnostic_session to ${runtimeRole}, ${platformRole};

    create function guard_answers_of_session() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        raise exception 'the answers of a finished session stay as they are' using errcode = 'restrict_violation';
      end $$;
    create trigger diagnostic_session_answers before update of answers on diagnostic_session
      for each row when (old.answers is not null or old.finished_at is not null) execute function guard_answers_of_session();
  `);
}
