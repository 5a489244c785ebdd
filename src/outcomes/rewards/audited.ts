// Which changes of the ledgers of growth are made by people, and which values of them are kept.
import type { AuditedTables } from '#core/module/audit-writer.ts';

export const auditedRewards: AuditedTables = {
  student_badge_rescind: { id: 'student_id', fields: ['id', 'student_badge_id', 'override_code'] },
};
