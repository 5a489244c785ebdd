// Snapshots belong to an existing run. A foreign key between partitioned tables checks each row, which took half of the
// time to store a run. A statement appends the snapshots of many runs and is checked once.
import type { Knex } from 'knex';

const snapshots = ['sse_skill_snapshot', 'sse_domain_snapshot'] as const;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function guard_snapshot_of_run() returns trigger language plpgsql as $$
    begin
      if exists (select from (select distinct organization_id, run_id, school_year from appended) a
          where not exists (select from sse_run r where r.organization_id = a.organization_id
            and r.id = a.run_id and r.school_year = a.school_year)) then
        raise foreign_key_violation using message = format('a row of %s is of no run', tg_table_name);
      end if;
      return null;
    end $$;
  `);
  for (const table of snapshots) {
    await knex.raw(`
      alter table ${table} drop constraint ${table}_organization_id_run_id_school_year_fkey;
      create trigger ${table}_of_run after insert on ${table} referencing new table as appended
        for each statement execute function guard_snapshot_of_run();
    `);
  }
}
