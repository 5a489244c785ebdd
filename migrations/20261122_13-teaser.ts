// The public teaser: its item sets, anonymous sessions, leads, and the starts of each client address. No row belongs to
// an organization, and the role of an organization cannot read them. The run-time roles cannot delete sets, so that
// references stay valid.
import type { Knex } from 'knex';
import { itemSetStatuses, teaserStatuses } from '#assessment/teaser/enums.ts';
import { platformRole } from '#core/platform/db.ts';
import { audited } from './sql/audit.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { backofficeTable, platformTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await itemSets(knex);
  await sessions(knex);
  await starts(knex);
}

async function itemSets(knex: Knex): Promise<void> {
  await knex.raw(`
    create table teaser_item_set (
      id text primary key,
      grade integer not null check (grade between 1 and 4),
      sub_skill_id text not null,
      version integer not null check (version >= 1),
      status text not null check (${oneOf('status', itemSetStatuses)}),
      item_ids text[] not null
    );
    create unique index teaser_item_set_one_active on teaser_item_set (grade) where status = 'active';
    insert into teaser_item_set (id, grade, sub_skill_id, version, status, item_ids)
      select format('TEASER-G%s@1', grade), grade, sub_skill_id, 1, 'active',
        array(select format('TEASER-G%s-%s', grade, lpad(k::text, 2, '0')) from generate_series(1, 10) k order by k)
      from (values (1, 'LK_SOUND'), (2, 'DEC_WORD'), (3, 'DEC_MULTI'), (4, 'RC_LITERAL')) sets (grade, sub_skill_id);
  `);
  await backofficeTable(knex, 'teaser_item_set', ['select']);
}

async function sessions(knex: Knex): Promise<void> {
  await knex.raw(`
    create table teaser_session (
      id text primary key,
      item_set_id text not null,
      item_set_version integer not null,
      item_ids text[] not null,
      rule_version text not null,
      source text,
      token_hash text not null unique,
      status text not null check (${oneOf('status', teaserStatuses)}),
      started_at timestamptz not null,
      completed_at timestamptz,
      responses jsonb,
      theta numeric,
      band text,
      check ((status = 'completed') = (completed_at is not null)),
      check (num_nonnulls(completed_at, responses, theta, band) in (0, 4))
    );
    create index teaser_session_by_age on teaser_session (started_at);

    create table teaser_lead (
      session_id text primary key,
      email text,
      whatsapp text,
      source text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      check (num_nonnulls(email, whatsapp) > 0)
    );
    create index teaser_lead_by_age on teaser_lead (updated_at);
    create index teaser_lead_by_email on teaser_lead (lower(email));
    create index teaser_lead_by_whatsapp on teaser_lead (whatsapp);
  `);
  for (const table of ['teaser_session', 'teaser_lead'])
    await backofficeTable(knex, table, ['select', 'insert', 'update', 'delete']);
  await neverChanges(knex, 'teaser_session', ['id'], [platformRole]);
  await audited(knex, 'teaser_lead', 'session_id', []);
}

async function starts(knex: Knex): Promise<void> {
  await knex.raw(`
    create table teaser_start (
      id bigint generated always as identity primary key,
      address_hash text not null,
      started_at timestamptz not null
    );
    create index teaser_start_by_address on teaser_start (address_hash, started_at);
    create index teaser_start_by_age on teaser_start (started_at);
  `);
  await platformTable(knex, 'teaser_start', ['select', 'insert', 'delete']);
}
