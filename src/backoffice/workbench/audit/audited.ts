// The tables of rules whose changes are recorded in the audit log, with the columns whose values are kept.
import type { AuditedTables } from '#core/module/audit-writer.ts';

const draftFields = ['family', 'key', 'base_version', 'state', 'sha256', 'level', 'quorum', 'decline_reason'];

export const auditedRules: AuditedTables = {
  rule_draft: { id: 'id', fields: draftFields },
  rule_approval: { id: 'draft_id', fields: ['user_id', 'sha256', 'report_hash'] },
  rule_version: { id: 'id', fields: ['family', 'key', 'version', 'sha256', 'golden_sha256', 'level'] },
  rule_activation: { id: 'id', fields: ['bundle_id', 'active_from', 'reason', 'kind', 'approved_by'] },
  rule_schedule: { id: 'id', fields: ['versions', 'active_from', 'reason'] },
  rule_schedule_end: { id: 'schedule_id', fields: ['outcome', 'activation_id', 'issue'] },
};
