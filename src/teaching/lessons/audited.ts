// The recorded changes of lessons, and the columns whose values are kept.
import type { AuditedTables } from '#core/module/audit-writer.ts';

export const auditedLessons: AuditedTables = {
  teaching_session: {
    id: 'id',
    fields: [
      'id',
      'class_id',
      'blueprint_id',
      'bundle_id',
      'step_no',
      'delivery_mode',
      'state',
      'scheduled_on',
      'delivered_on',
      'cancel_reason_code',
    ],
  },
  session_recipient: {
    id: 'student_id',
    fields: ['session_id', 'state', 'rule_id', 'reason_code', 'override_code', 'present'],
  },
};
