// Which changes of what is given to students, and of what is said of profiles, are recorded, and which values are kept.
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
