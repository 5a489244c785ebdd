// What has had its time can be removed: by the purge, by erasure. Kept answers know when they were kept and whom they
// are about; giving out a person's data leaves a row that the record of changes sees.
import type { Knex } from 'knex';
import { runtimeRole } from '../src/platform/db.ts';
import { audited } from './sql/audit.ts';
import { appendOnly, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await keptAnswers(knex);
  await knex.raw(`
    grant delete on teaser_session, teaser_lead, auth_session, refresh_token to ${runtimeRole};
    create index teaser_session_by_age on teaser_session (started_at);
    create index teaser_lead_by_age on teaser_lead (updated_at);
    create index teaser_lead_by_email on teaser_lead (lower(email));
    create index teaser_lead_by_whatsapp on teaser_lead (whatsapp);
    create index auth_session_by_end on auth_session (least(revoked_at, expires_at));

    create table data_export (
      id bigint generated always as identity primary key,
      organization_id text not null,
      student_id bigint not null,
      exported_by bigint not null,
      at timestamptz not null,
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index data_export_by_student on data_export (organization_id, student_id, id desc);
  `);
  await tenantTable(knex, 'data_export', ['select', 'insert']);
  await appendOnly(knex, 'data_export');
  await audited(knex, 'data_export', 'student_id', ['exported_by']);
  await audited(knex, 'teaser_lead', 'session_id', []);
}

/** Answers of before cannot be looked into: they go. */
async function keptAnswers(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from idempotent_answer;
    drop index idempotent_answer_by_age;
    alter table idempotent_answer drop column expires_at, add column kept_at timestamptz not null,
      add column subject_ids bigint[];
    create index idempotent_answer_by_age on idempotent_answer (kept_at);
    create index idempotent_answer_by_subject on idempotent_answer using gin (subject_ids);
  `);
}
