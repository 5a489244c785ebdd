// The tables of rules whose changes are recorded in the audit log, with the columns whose values are kept.
import type { AuditedTables } from '#core/module/audit-writer.ts';

const documentFields = ['family', 'key', 'base_version', 'version', 'sha256', 'cases_sha256', 'level'];

export const auditedRules: AuditedTables = {
  rule_change: { id: 'id', fields: ['state', 'sha256', 'level', 'quorum', 'submission', 'decline_reason'] },
  rule_change_document: { id: 'change_id', fields: documentFields },
  rule_change_approval: { id: 'change_id', fields: ['user_id', 'sha256', 'report_hash'] },
  rule_comment: { id: 'change_id', fields: ['user_id', 'submission'] },
  rule_version: { id: 'id', fields: ['family', 'key', 'version', 'sha256', 'golden_sha256', 'level'] },
  rule_activation: { id: 'id', fields: ['bundle_id', 'active_from', 'reason', 'kind', 'approved_by', 'change_id'] },
  rule_schedule: { id: 'id', fields: ['versions', 'active_from', 'reason', 'change_id'] },
  rule_schedule_end: { id: 'schedule_id', fields: ['outcome', 'activation_id', 'issue'] },
};
