// Ledger changes that people make, and the values that the audit log keeps of them.
import type { AuditedTables } from '#core/module/audit-writer.ts';

export const auditedRewards: AuditedTables = {
  student_badge_rescind: { id: 'student_id', fields: ['id', 'student_badge_id', 'override_code'] },
};
