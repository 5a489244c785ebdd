// The most intensive tier is decided by two people. A role assignment records its author and time. A packet that moves
// a student to or from the third tier is closed by another person than its opener.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await seats(knex);
  await packets(knex);
}

/** The time is that of the request that assigns the role, or null without a request. No writer can choose it. */
async function seats(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table app_user add column seats_since timestamptz;
    create function stamp_seats() returns trigger language plpgsql as $$
      declare
        given_at timestamptz := (nullif(current_setting('app.writer', true), '')::jsonb ->> 'at')::timestamptz;
      begin
        if acts_as_owner(tg_relid) then return new; end if;
        if tg_op = 'INSERT' then
          new.seats_since := case when new.seats <> '{}' then given_at end;
          return new;
        end if;
        if old.seats @> new.seats then
          new.seats_since := old.seats_since;
          return new;
        end if;
        if named_writer() = new.id then
          raise exception 'a seat is given by somebody else' using errcode = 'restrict_violation';
        end if;
        new.seats_since := given_at;
        return new;
      end $$;
    create trigger app_user_seats before insert or update on app_user for each row execute function stamp_seats();
  `);
}

async function packets(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_intensive_packet() returns trigger language plpgsql as $$
      begin
        if new.status = 'approved' and new.from_tier <> new.to_tier and 3 in (new.from_tier, new.to_tier)
            and new.closed_by = new.opened_by then
          raise exception 'the third tier is decided by two people' using errcode = 'restrict_violation';
        end if;
        return new;
      end $$;
    create trigger decision_packet_intensive before insert or update on decision_packet
      for each row execute function guard_intensive_packet();
  `);
}
