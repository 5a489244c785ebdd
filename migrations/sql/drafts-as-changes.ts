// Stored drafts of one document become changes of one document: open ones as drafts, because a change has other hashes and is
// asked anew, closed ones as they are.
import type { Knex } from 'knex';
import { closedChangeStates } from '#backoffice/workbench/enums.ts';
import { oneOf } from './enums.ts';

/**
 * Copies the drafts that are no change yet, with their approvals. Approvals keep the hash of what was read; findings of before have
 * no arguments, and go. The guards speak of people, and are off meanwhile.
 */
export async function copyDrafts(knex: Knex): Promise<void> {
  const tables = ['rule_change', 'rule_change_document', 'rule_change_approval'];
  await knex.raw(tables.map((table) => `alter table ${table} disable trigger user;`).join('\n'));
  await knex.raw(`
    insert into rule_change (id, title, why, state, quorum, submission, decline_reason, findings, level, author_user_id,
        editor_user_ids, created_at, updated_at)
      select d.id, left(d.family || '/' || d.key || '@' || d.base_version + 1, 120), '',
        case when ${oneOf('d.state', closedChangeStates)} then d.state else 'draft' end,
        d.quorum, d.submission, d.decline_reason,
        null,
        d.level, d.author_user_id, d.editor_user_ids, d.created_at, d.updated_at
      from rule_draft d where not exists (select from rule_change c where c.id = d.id);
    insert into rule_change_document (change_id, family, key, base_version, version, document, sha256, cases, cases_sha256,
        origin, level, mutation_score)
      select d.id, d.family, d.key, d.base_version, d.base_version + 1, d.document, d.sha256, own.cases,
        encode(sha256(convert_to(own.cases, 'UTF8')), 'hex'), d.origin, d.level, d.mutation_score
      from rule_draft d cross join lateral (
        select case when d.cases <> '[]' then '{"cases":' || d.cases || '}' end as cases) own
      where exists (select from rule_change c where c.id = d.id and c.sha256 = '');
    update rule_change c set sha256 = rule_change_hash(c.id, c.title, c.why) where c.sha256 = '';
    insert into rule_change_approval (change_id, user_id, sha256, report_hash, at, quorum, submission)
      select a.draft_id, a.user_id, a.sha256, a.report_hash, a.at, a.quorum, a.submission
      from rule_approval a where not exists (select from rule_change_approval c
        where (c.change_id, c.user_id, c.submission) = (a.draft_id, a.user_id, a.submission))
      order by a.ledger_no;
  `);
  await knex.raw(tables.map((table) => `alter table ${table} enable trigger user;`).join('\n'));
}

/** Reports about drafts have other fields than those about changes. */
export async function removeDraftReports(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rule_job_part disable trigger rule_job_part_append_only;
    delete from rule_job_part p using rule_job j
      where j.id = p.job_id and j.kind = 'impact' and j.input -> 'changeId' is null;
    alter table rule_job_part enable trigger rule_job_part_append_only;
    delete from rule_job where kind = 'impact' and input -> 'changeId' is null;
  `);
}
