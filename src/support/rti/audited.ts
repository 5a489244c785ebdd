// Changes of tiers and alerts that the audit records, with the values that it keeps.
import type { AuditedTables } from '#core/module/audit-writer.ts';

export const auditedTiers: AuditedTables = {
  tier_movement: {
    id: 'student_id',
    fields: ['id', 'from_tier', 'to_tier', 'effective_on', 'source_type', 'source_id'],
  },
  rti_decision: {
    id: 'student_id',
    fields: [
      'id',
      'decision',
      'recommended_decision',
      'from_tier',
      'to_tier',
      'override_code',
      'effective_on',
      'effective_reason',
      'packet_id',
    ],
  },
  rti_alert: {
    id: 'student_id',
    fields: [
      'id',
      'kind',
      'state',
      'sub_skill_code',
      'dismissal_code',
      'expires_on',
      'close_reason',
      'closing_decision',
    ],
  },
};
