// From here on the application writes the audit log. Processes of the previous release still rely on the triggers,
// which ignore transactions that have written their entries already (`recorded`).
import type { Knex } from 'knex';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function record_audit() returns trigger language plpgsql as $$
    declare
      writer jsonb := nullif(current_setting('app.writer', true), '')::jsonb;
      old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
      new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
      any_row jsonb := coalesce(new_row, old_row);
      fields text[] := tg_argv[2:];
      changed text[];
    begin
      if writer is null or writer -> 'recorded' is not null then return null; end if;
      select coalesce(array_agg(k order by k), '{}') into changed from jsonb_object_keys(any_row) k
        where old_row -> k is distinct from new_row -> k;
      if changed = '{}' then return null; end if;
      insert into audit_entry (organization_id, at, actor_user_id, operation, request_id, entity, entity_id, action,
        changed_fields, before, after)
      values (coalesce(any_row ->> tg_argv[1], '${platformOrganizationId}'), (writer ->> 'at')::timestamptz, (writer ->> 'actor')::bigint,
        writer ->> 'operation', writer ->> 'requestId', tg_table_name, any_row ->> tg_argv[0], lower(tg_op),
        changed, audit_fields(old_row, fields), audit_fields(new_row, fields));
      return null;
    end $$;
  `);
}
