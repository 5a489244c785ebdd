// A transaction can no longer name an organization without its proof, and the login of requests and jobs can no longer
// become the platform's role: the database refuses both to an injected statement. The function runs once for each table
// of a statement. It qualifies all names, because a search path of its own would cost as much as the hashes.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function tenant_in_sight() returns text language plpgsql stable security definer as $$
    declare
      named constant text := pg_catalog.current_setting('app.organization_id', true);
      key record;
    begin
      select inner_pad, outer_pad into key from public.context_key;
      return case when pg_catalog.encode(
          pg_catalog.sha256(key.outer_pad operator(pg_catalog.||)
            pg_catalog.sha256(key.inner_pad operator(pg_catalog.||) pg_catalog.convert_to(named, 'UTF8'))), 'hex')
        operator(pg_catalog.=) pg_catalog.current_setting('app.proof', true) then named end;
    end $$;
    do $$
    declare
      one record;
    begin
      for one in select tablename as name from pg_policies
          where schemaname = 'public' and policyname = 'tenant' and tablename <> 'organization' loop
        execute format('alter policy tenant on %I using (organization_id = (select tenant_in_sight()))
          with check (organization_id = (select tenant_in_sight()))', one.name);
      end loop;
    end $$;
    alter policy tenant on organization using (id = (select tenant_in_sight()) and id <> 'platform')
      with check (id = (select tenant_in_sight()) and id <> 'platform');
    revoke ${platformRole} from ${runtimeRole};
    update schema_version set min_app = '0.2.0';
  `);
}
