// Rendered notifications to adults, and requests of producers, one row for each event and recipient, so that none is
// sent twice.
import type { Knex } from 'knex';
import { deliveryStates, requestRefusals, requestStates, severities } from '#messaging/notifications/enums.ts';
import { onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await notifications(knex);
  await requests(knex);
}

/** The student that a payload names. */
const aboutStudent = "student_id bigint generated always as ((payload ->> 'studentId')::bigint) stored";

/**
 * `count`: number of requests for the same source within a minute. The indexes: the order of an inbox, and its unread
 * rows.
 */
async function notifications(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notification (
      organization_id text not null,
      id text,
      recipient_user_id bigint not null,
      kind text not null,
      severity text not null check (${oneOf('severity', severities)}),
      urgent boolean generated always as (severity = '${severities[0]}') stored,
      payload jsonb not null,
      ${aboutStudent},
      source_type text not null,
      source_id text not null,
      rendered_title_ar text not null,
      rendered_body_ar text not null,
      tier text not null,
      rule_versions jsonb not null,
      delivery_state text not null default '${deliveryStates[0]}' check (${oneOf('delivery_state', deliveryStates)}),
      count integer not null default 1 check (count >= 1),
      created_at timestamptz not null,
      read_at timestamptz,
      dismissed_at timestamptz,
      primary key (organization_id, id),
      check ((delivery_state = 'dismissed') = (dismissed_at is not null)),
      check (delivery_state <> 'read' or read_at is not null),
      check (delivery_state <> 'delivered_in_app' or read_at is null),
      foreign key (organization_id, recipient_user_id) references app_user (organization_id, id)
    );
    create index notification_inbox on notification (organization_id, recipient_user_id, urgent desc, created_at desc, id desc)
      where delivery_state <> 'dismissed';
    create index notification_newest on notification (organization_id, recipient_user_id, created_at desc, id desc);
    create index notification_unread on notification (organization_id, recipient_user_id)
      where delivery_state = 'delivered_in_app';
    create index notification_of_source on notification (organization_id, source_id, recipient_user_id, created_at);
    create index notification_about_student on notification (organization_id, student_id) where student_id is not null;
    create index notification_of_kind on notification (kind, created_at);
  `);
  await tenantTable(knex, 'notification');
  await onlyChanges(knex, 'notification', ['delivery_state', 'count', 'read_at', 'dismissed_at']);
}

/**
 * `waits_for`: the document of language rules that must be in force first. Without a foreign key to the recipient's
 * row, so that a relay that writes here does not wait for a deletion.
 */
async function requests(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notification_request (
      organization_id text not null references organization,
      event_id bigint not null,
      recipient_user_id bigint not null,
      id bigint generated always as identity,
      lane integer not null,
      kind text not null,
      payload jsonb not null,
      ${aboutStudent},
      source_type text not null,
      source_id text not null,
      requested_at timestamptz not null,
      state text not null default 'waiting' check (${oneOf('state', requestStates)}),
      waits_for text,
      refusal text check (${oneOf('refusal', requestRefusals)}),
      notification_id text,
      settled_at timestamptz,
      primary key (organization_id, event_id, recipient_user_id),
      check ((state = 'waiting') = (settled_at is null)),
      check (state = 'waiting' or waits_for is null),
      check ((state = 'refused') = (refusal is not null)),
      check ((state = 'delivered') = (notification_id is not null)),
      foreign key (organization_id, notification_id) references notification (organization_id, id) on delete cascade
    );
    create index notification_request_ready on notification_request (organization_id, lane, id)
      where state = 'waiting' and waits_for is null;
    create index notification_request_held on notification_request (waits_for, organization_id)
      where waits_for is not null;
    create index notification_request_of on notification_request (organization_id, notification_id);
    create index notification_request_about_student on notification_request (organization_id, student_id)
      where student_id is not null;
    create index notification_request_given_up on notification_request (kind, requested_at)
      where state in ('skipped', 'refused');
  `);
  await tenantTable(knex, 'notification_request');
  await onlyChanges(knex, 'notification_request', ['state', 'waits_for', 'refusal', 'notification_id', 'settled_at']);
}
