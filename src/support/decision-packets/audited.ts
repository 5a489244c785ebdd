// Changes of packets that the audit records, with the values that it keeps.
import type { AuditedTables } from '#core/module/audit-writer.ts';

const packetFields = [
  ...['id', 'review_type', 'status', 'evidence_hash', 'decision', 'from_tier', 'to_tier', 'decision_id', 'movement_id'],
  ...['override_code', 'deferral_code', 'defer_until', 'reject_reason_code'],
];

export const auditedPackets: AuditedTables = { decision_packet: { id: 'student_id', fields: packetFields } };
