// The subject of an alert, its pending announcements, and what the checks in force say about its code.
import type { Knex } from 'knex';
import { alertSeverities } from '#core/module/alerts.ts';
import { onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table platform_alert add column subject_type text, add column subject_id text');
  await knex.raw(`
    create table alert_announcement (
      organization_id text not null references organization,
      id bigint generated always as identity,
      code text not null,
      severity text not null check (${oneOf('severity', alertSeverities)}),
      alert_id bigint,
      subject_type text not null,
      subject_id text not null,
      attempts integer not null default 0,
      held_until timestamptz,
      primary key (organization_id, id),
      check (alert_id is not null or severity = 'low')
    );
    create index alert_announcement_waiting on alert_announcement (held_until nulls first, id);
  `);
  await tenantTable(knex, 'alert_announcement');
  await onlyChanges(knex, 'alert_announcement', ['attempts', 'held_until']);
  await knex.raw(`
    create function qa_check_at(wanted text, moment timestamptz)
    returns table (severity text, enabled boolean, rule_version text) language sql stable as $$
      select c.value ->> 'severity', (c.value ->> 'enabled')::boolean, v.id
      from (
        select 'qa/checks@' || (b.versions ->> 'qa/checks') as id
        from rule_activation a join rule_bundle b on b.id = a.bundle_id
        where a.active_from <= moment order by a.active_from desc, a.id desc limit 1) pinned
      join rule_version v on v.id = pinned.id
      cross join lateral jsonb_array_elements(v.document::jsonb -> 'checks') c
      where c.value ->> 'qaCheckId' = wanted
    $$;
  `);
}
