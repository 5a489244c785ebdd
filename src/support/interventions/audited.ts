// Changes of support and of narratives that the audit records, with the values that it keeps.
import type { AuditedTables } from '#core/module/audit-writer.ts';

const assignmentFields = [
  ...['id', 'class_id', 'bundle_id', 'state', 'scaffold_tier', 'planned_weeks', 'extensions'],
  ...['reason_code', 'completion_result', 'override_code', 'move_override_code', 'provider_user_id'],
];

const narrativeFields = ['profile_code', 'audience', 'season', 'version', 'state', 'reject_reason_code'];

const deliveryFields = ['id', 'assignment_id', 'source_type', 'source_id', 'delivered_on', 'step_no', 'halted'];

export const auditedSupport: AuditedTables = {
  bundle_assignment: { id: 'student_id', fields: assignmentFields },
  bundle_delivery: { id: 'student_id', fields: deliveryFields },
  profile_narrative: { id: 'id', fields: narrativeFields },
};
